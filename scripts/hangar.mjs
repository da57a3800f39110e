/** `npm run -s hangar -- …`: the built command line. Set-up, if any is due, speaks on stderr only. */
import process from 'node:process'
import path from 'node:path'
import { root, runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

// npm starts scripts in the checkout; paths on the command line mean the folder the person is in.
const cwd = process.env.INIT_CWD ?? root

await afterSetUp({ built: true }, async (args) => {
  return (await runNode([path.join(root, 'out', 'main', 'cli.js'), ...args], { cwd })).code
})
