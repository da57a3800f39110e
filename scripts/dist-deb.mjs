/**
 * `npm run dist:deb [-- --target linux-x64|linux-arm64] [--out FOLDER]`: a Debian package in dist/, by default for this machine,
 * with Node inside and without Electron. Any system can make it; the same sources give the same bytes.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { collect } from './packages/collect.mjs'
import { DEB_ARCH } from './packages/deb/debian-package.mjs'
import { describeCommands, makeDeb } from './packages/deb/make-deb.mjs'
import { ownTarget } from './packages/targets.mjs'
import { writePackage } from './packages/write-package.mjs'
import { root, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const { values } = parseArgs({ args, options: { target: { type: 'string' }, out: { type: 'string' } } })
  const target = values.target ?? ownTarget(process)
  if (target === null || !Object.hasOwn(DEB_ARCH, target)) {
    say(`There is no Debian package for "${target}". There is: ${Object.keys(DEB_ARCH).join(', ')}.`)
    return 2
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const commands = await describeCommands()
  const { entries, remove } = await collect(target)
  try {
    const bytes = makeDeb({ collected: entries, commands, version, target })
    writePackage({ folder: values.out, name: `hangar_${version}_${DEB_ARCH[target]}.deb`, bytes, entries })
  } finally {
    remove()
  }
  return 0
})
