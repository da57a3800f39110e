/**
 * What a browser loads of the page before it shows anything: the scripts that out/renderer/index.html names, compressed.
 * `node scripts/check-size.mjs` fails when that is over the limit.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { root, say } from './project.mjs'

export const MAX_BYTES = 200 * 1024

/** `{ files: { name, bytes, gzipBytes }[], gzipBytes }` of the built page in `dir`. Throws when it is not there. */
export function firstLoadSize(dir) {
  const html = readFileSync(path.join(dir, 'index.html'), 'utf8')
  const names = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(([, name]) => name)
  if (names.length === 0) throw new Error(`${dir}/index.html names no script`)
  const files = names.map((name) => {
    const bytes = readFileSync(path.join(dir, name))
    return { name, bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length }
  })
  return { files, gzipBytes: files.reduce((sum, file) => sum + file.gzipBytes, 0) }
}

if (process.argv[1] === import.meta.filename) {
  const { files, gzipBytes } = firstLoadSize(process.argv[2] ?? path.join(root, 'out', 'renderer'))
  const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
  for (const file of files) say(`${file.name}: ${kilo(file.gzipBytes)} compressed, ${kilo(file.bytes)} plain`)
  say(`First load: ${kilo(gzipBytes)} of at most ${kilo(MAX_BYTES)}`)
  if (gzipBytes > MAX_BYTES) process.exitCode = 1
}
