/** `npm run check`: format, lint, types, dependencies, size and the unit tests of the pure parts, one step for each core. */
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { runNode } from './project.mjs'
import { QUICK } from './run-tests.mjs'
import { afterSetUp } from './set-up.mjs'

/** For the linter and the compiler, both in Go: the cores have a step each, so further threads and thrift cost more than they give. */
const ONE_CORE = { GOMAXPROCS: '1', GOGC: '300' }

/** The compiler's native port: the same checks in a fraction of the time. */
const types = (what, project) => ({
  name: `types of ${what}`,
  args: ['node_modules/typescript-native/bin/tsc', '--singleThreaded', '-p', `tsconfig.${project}.json`],
  env: ONE_CORE,
})

/** The longest first, so that the last to end did not start last. */
const STEPS = [
  { name: 'unit tests', args: ['node_modules/vitest/vitest.mjs', 'run', ...QUICK, 'test/core', 'test/shared'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint'], env: ONE_CORE },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--log-level=warn', '.'] },
  types('main, practice and tests', 'main'),
  types('renderer', 'renderer'),
  { name: 'dependencies', args: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'src'] },
  types('preload', 'preload'),
  types('shared', 'shared'),
  { name: 'list of commands', args: ['scripts/list-commands.mjs', '--check'] },
  { name: 'lines of src', args: ['scripts/check-lines.mjs'], hasAdvice: true },
]

await afterSetUp({}, async () => {
  const waiting = [...STEPS]
  const failed = []
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = performance.now()
      const { code, text } = await runNode(step.args, { output: 'capture', env: step.env })
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      process.stdout.write(
        `${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n${code === 0 && step.hasAdvice !== true ? '' : text}`,
      )
      if (code !== 0) failed.push(step.name)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  process.stdout.write(failed.length === 0 ? 'All checks passed\n' : `Failed: ${failed.join(', ')}\n`)
  return failed.length === 0 ? 0 : 1
})
