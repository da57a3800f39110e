/**
 * `npm run dist`: the desktop package of this system in dist/, with electron-builder. Arguments go to it as they are, e.g.
 * `npm run dist -- --linux deb` or `-- --dir` for the unpacked application. Needs Electron's runtime, which it downloads.
 */
import { runNode } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const { code } = await runNode([
    'node_modules/electron-builder/cli.js',
    '--config',
    'electron-builder.yml',
    '--publish',
    'never',
    ...args,
  ])
  return code
})
