/**
 * `npm run bench [NAME…] [-- OPTION…]`: runs bench/NAME/main.ts one after another, so that they do not disturb each other's figures, with
 * the options.
 * Without names, all of them, and what each prints becomes bench/results/NAME.md; bench/results/README.md has the headline figures, by hand.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { nodePath, root, run, runNode, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (given) => {
  const at = given.findIndex((arg) => arg.startsWith('--'))
  const [args, options] = at < 0 ? [given, []] : [given.slice(0, at), given.slice(at)]
  const present = readdirSync(path.join(root, 'bench')).filter((name) => existsSync(mainOf(name)))
  const unknown = args.filter((name) => !present.includes(name))
  if (unknown.length > 0) {
    say(`No such benchmark: ${unknown.join(', ')}. There are: ${present.join(', ')}.`)
    return 2
  }
  const sections = []
  let failed = 0
  for (const name of args.length > 0 ? args : present) {
    say(`bench/${name}`)
    const { code, text } = await runNode([mainOf(name), ...options], { output: 'capture' })
    process.stdout.write(`${text}\n`)
    sections.push({ name, text })
    if (code !== 0) failed += 1
  }
  if (given.length === 0 && failed === 0) await writeReport(sections)
  return failed === 0 ? 0 : 1
})

function mainOf(name) {
  return path.join(root, 'bench', name, 'main.ts')
}

async function writeReport(sections) {
  const version = (await run(nodePath(), ['--version'], { output: 'capture' })).text.trim()
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()}, Node ${version}`
  for (const { name, text } of sections)
    writeFileSync(
      path.join(root, 'bench', 'results', `${name}.md`),
      `# ${name}\n\nMeasured on ${machine}.\n\nRepeat with \`npm run bench ${name}\`.\n\n${text.trim()}\n`,
    )
  say('bench/results is written.')
}
