/** `npm run screenshots`: sets everything up, then takes the pictures of the window in docs/screenshots/ again. */
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp(
  { system: true, built: true },
  async (args) => (await runNode(['scripts/take-screenshots.mjs', ...args])).code,
)
