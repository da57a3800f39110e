/**
 * `npm run dist`: the desktop package of this system in dist/, with electron-builder. Arguments go to it as they are, e.g.
 * `npm run dist -- --mac` or `-- --dir` for the unpacked application. Electron's runtime is downloaded, or taken from the
 * folder that ELECTRON_DIST names: that of Electron's archive for this system, unpacked. Says which secrets a package lacks that it
 * would be signed with; with `--signed`, as for a release, none is made without them.
 */
import process from 'node:process'
import { electronDist } from './packages/electron-dist.mjs'
import { emptySecrets, signingFaults } from './packages/signing.mjs'
import { runNode, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

const given = process.argv.slice(2)
const faults = signingFaults(systemsOf(given), process.env)
for (const fault of faults) say(fault)
if (given.includes('--signed') && faults.length > 0) process.exitCode = 1
else
  await afterSetUp({ built: true }, async (args) => {
    for (const name of emptySecrets(process.env)) delete process.env[name]
    const dist = electronDist()
    const builder = ['node_modules/electron-builder/cli.js', '--config', 'electron-builder.yml', '--publish', 'never']
    const told = args.filter((arg) => arg !== '--signed')
    const { code } = await runNode([...builder, ...(dist === null ? [] : [`-c.electronDist=${dist.folder}`]), ...told])
    return code
  })

/** Those that are asked for, else this one; Linux has no such signature. */
function systemsOf(args) {
  const asked = ['mac', 'win'].filter((system) => args.includes(`--${system}`))
  const own = { darwin: ['mac'], win32: ['win'] }[process.platform] ?? []
  return asked.length > 0 || args.includes('--linux') ? asked : own
}
