/** `npm run demo`: sets everything up, then shows the main job once, start to finish, on a practice service. */
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => (await runNode(['out/main/demo.js', ...args])).code)
