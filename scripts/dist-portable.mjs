/**
 * `npm run dist:portable [-- --target TARGET|all] [--node FOLDER] [--out FOLDER]`: one archive for each system in dist/, by
 * default for this one, with Node inside: unpack and start. For macOS, `--node` names an unpacked Node of that system, since
 * npm has no current one. The same sources give the same bytes.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { tarGz, zip } from './packages/archive.mjs'
import { collectPortable } from './packages/collect.mjs'
import { FROM_NPM, ownTarget, TARGETS } from './packages/targets.mjs'
import { writePackage } from './packages/write-package.mjs'
import { root, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const { values } = parseArgs({
    args,
    options: { target: { type: 'string' }, node: { type: 'string' }, out: { type: 'string' } },
  })
  const wanted = values.target ?? ownTarget(process)
  const targets = wanted === 'all' ? FROM_NPM : [wanted]
  if (!targets.every((name) => name !== null && Object.hasOwn(TARGETS, name))) {
    say(
      `There is no portable package for "${wanted}". There is: ${Object.keys(TARGETS).join(', ')}; all stands for ${FROM_NPM.join(', ')}.`,
    )
    return 2
  }
  if (!FROM_NPM.includes(targets[0]) && values.node === undefined) {
    say(
      `npm has no current Node for ${wanted}. Unpack the archive that Node's project has for it, and name the folder: --node FOLDER.`,
    )
    return 2
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const target of targets) {
    const { entries, remove } = await collectPortable(target, version, values.node)
    try {
      const isWindows = target.startsWith('win')
      const name = `hangar-${version}-${target}.${isWindows ? 'zip' : 'tar.gz'}`
      writePackage({ folder: values.out, name, bytes: isWindows ? zip(entries) : tarGz(entries), entries })
    } finally {
      remove()
    }
  }
  return 0
})
