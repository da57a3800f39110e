/** `npm run serve [-- OPTIONS]`: sets everything up, then `hangar serve`, the page for browsers of this computer. */
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => (await runNode(['out/main/cli.js', 'serve', ...args])).code)
