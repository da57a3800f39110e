/**
 * `npm run dist:portable [-- --target linux-x64|linux-arm64|win-x64|all] [--out FOLDER]`: one archive for each system in
 * dist/, by default for this one, with Node inside: unpack and start. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { tarGz, zip } from './portable/archive.mjs'
import { collect } from './portable/collect.mjs'
import { ownTarget, TARGETS } from './portable/targets.mjs'
import { root, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const { values } = parseArgs({ args, options: { target: { type: 'string' }, out: { type: 'string' } } })
  const wanted = values.target ?? ownTarget(process)
  const targets = wanted === 'all' ? Object.keys(TARGETS) : [wanted]
  if (!targets.every((name) => name !== null && Object.hasOwn(TARGETS, name))) {
    say(`There is no portable package for "${wanted}". There is: ${Object.keys(TARGETS).join(', ')}, all.`)
    return 2
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const folder = path.resolve(values.out ?? path.join(root, 'dist'))
  mkdirSync(folder, { recursive: true })
  for (const target of targets) {
    const { entries, remove } = await collect(target, version)
    const isWindows = target.startsWith('win')
    const archive = isWindows ? zip(entries) : tarGz(entries)
    remove()
    const file = path.join(folder, `hangar-${version}-${target}.${isWindows ? 'zip' : 'tar.gz'}`)
    writeFileSync(file, archive)
    const sha256 = createHash('sha256').update(archive).digest('hex')
    process.stdout.write(
      `${sha256}  ${path.basename(file)}  (${(archive.length / 1e6).toFixed(1)} MB, ${entries.length} files)\n`,
    )
  }
  return 0
})
