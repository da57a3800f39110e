/** `npm run demo`: sets everything up, then shows the main job once, start to finish, on a practice service. */
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root, runNode, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const dir = await mkdtemp(path.join(tmpdir(), 'hangar-demo-'))
  const pictures = path.join(dir, 'pictures')
  await cp(path.join(root, 'resources', 'samples'), pictures, { recursive: true })
  const recipe = ['--languages', 'en,de,fr', '--name', 'seo']
  const at = ['--practice', '--data-dir', path.join(dir, 'data')]
  const { code } = await runNode(['out/main/cli.js', 'run', pictures, ...at, ...recipe, ...args])
  say(`Look at them: ${pictures}`)
  return code
})
