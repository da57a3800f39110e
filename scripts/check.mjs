/** `npm run check`: format, lint, types, dependencies and the unit tests of the pure parts, two steps at a time. */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

const PARALLEL_STEPS = 2

/** The compiler's native port: the same checks in a fraction of the time. Lint still needs the older one. */
const tsc = (project) => ['node_modules/typescript-native/bin/tsc', '-p', `tsconfig.${project}.json`]

const lint = (...what) => ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...what]

/** The longest first, so that the last to end did not start last. */
const STEPS = [
  { name: 'lint', args: lint('.', '--ignore-pattern', 'src/renderer') },
  { name: 'lint of the page', args: lint('src/renderer') },
  { name: 'types of main, practice and tests', args: tsc('main') },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'] },
  { name: 'dependencies', args: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'src'] },
  {
    name: 'unit tests',
    args: ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests=false', 'test/core', 'test/shared'],
  },
  { name: 'types of shared', args: tsc('shared') },
  { name: 'types of preload', args: tsc('preload') },
  { name: 'types of renderer', args: tsc('renderer') },
]

await afterSetUp({}, async () => {
  const waiting = [...STEPS]
  const failed = []
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = performance.now()
      const { code, text } = await runNode(step.args, { output: 'capture' })
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n${code === 0 ? '' : text}`)
      if (code !== 0) failed.push(step.name)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_STEPS }, worker))
  process.stdout.write(failed.length === 0 ? 'All checks passed\n' : `Failed: ${failed.join(', ')}\n`)
  return failed.length === 0 ? 0 : 1
})
