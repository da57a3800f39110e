/**
 * What a browser loads of the page before it shows anything, compressed: the scripts and styles that out/renderer/index.html names, and
 * the texts of a language. `node scripts/check-size.mjs` fails when that is over the limit in any language.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { root, say } from './project.mjs'

export const MAX_BYTES = 180 * 1024

/** The built page in `dir`; the texts are those of the language with the largest. Throws when it is not there. */
export function firstLoadSize(dir) {
  const sizeOf = (name) => {
    const bytes = readFileSync(path.join(dir, name))
    return { name, bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length }
  }
  const html = readFileSync(path.join(dir, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, name]) => name)
  if (!named.some((name) => name.endsWith('.js'))) throw new Error(`${dir}/index.html names no script`)
  const languages = readdirSync(path.join(root, 'src/shared/text')).filter((name) => !name.includes('.'))
  const assets = readdirSync(path.join(dir, 'assets'))
  const texts = languages.map((language) => {
    const file = assets.find((name) => name.endsWith('.js') && name.slice(0, -'-12345678.js'.length) === language)
    if (file === undefined) throw new Error(`${dir} has no texts in ${language}`)
    return sizeOf(`assets/${file}`)
  })
  const largest = texts.toSorted((one, other) => other.gzipBytes - one.gzipBytes)[0]
  const files = [...named.map(sizeOf), largest]
  return { files, texts, gzipBytes: files.reduce((sum, file) => sum + file.gzipBytes, 0) }
}

if (process.argv[1] === import.meta.filename) {
  const { files, texts, gzipBytes } = firstLoadSize(process.argv[2] ?? path.join(root, 'out', 'renderer'))
  const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} KB`
  for (const file of files) say(`${file.name}: ${kilo(file.gzipBytes)} compressed, ${kilo(file.bytes)} plain`)
  for (const text of texts) say(`With ${text.name}: ${kilo(gzipBytes - files.at(-1).gzipBytes + text.gzipBytes)}`)
  say(`First load: ${kilo(gzipBytes)} of at most ${kilo(MAX_BYTES)}`)
  if (gzipBytes > MAX_BYTES) process.exitCode = 1
}
