/**
 * `npm run dist:npm [-- --out FOLDER]`: hangar-<version>.tgz in dist/, for `npm install -g` on any system with a current Node.
 * The same sources give the same bytes. Nothing here publishes it.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { tarGz } from './packages/archive.mjs'
import { collectNpm } from './packages/npm-package.mjs'
import { writePackage } from './packages/write-package.mjs'
import { root } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const { values } = parseArgs({ args, options: { out: { type: 'string' } } })
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const entries = await collectNpm()
  writePackage({ folder: values.out, name: `hangar-${version}.tgz`, bytes: tarGz(entries), entries })
  return 0
})
