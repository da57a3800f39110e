/** `npm run test:pictures -- DIR`: a folder of pictures through Hangar, judged by other programs. See test/pictures/main.ts. */
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp(
  { system: 'all', built: true },
  async (args) => (await runNode(['test/pictures/main.ts', ...args])).code,
)
