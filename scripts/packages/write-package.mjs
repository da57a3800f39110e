/** The end of every `npm run dist:…`: limits, the file, and what is said of it. */
import { createHash } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from '../project.mjs'

const WITHOUT_ELECTRON = { packedMb: 75, besideNodeMb: 60 }

/** Writes a package, by default into dist/, and prints its hash, name and sizes. Throws when it is larger than people should have to download. */
export function writePackage({ folder, name, bytes, entries, limits = WITHOUT_ELECTRON }) {
  const [packedMb, besideNodeMb] = [bytes.length / 1e6, sizeBesideNode(entries) / 1e6]
  if (packedMb > limits.packedMb || besideNodeMb > limits.besideNodeMb)
    throw new Error(
      `${name} would have ${packedMb.toFixed(1)} MB (at most ${limits.packedMb}), ` +
        `and ${besideNodeMb.toFixed(1)} MB beside Node (at most ${limits.besideNodeMb}).`,
    )
  const place = path.resolve(folder ?? path.join(root, 'dist'))
  mkdirSync(place, { recursive: true })
  writeFileSync(path.join(place, name), bytes)
  sayPackage({ name, bytes, entries })
}

/** Prints the hash, name and sizes of a package that was written. */
export function sayPackage({ name, bytes, entries }) {
  const [packedMb, besideNodeMb] = [bytes.length / 1e6, sizeBesideNode(entries) / 1e6]
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  process.stdout.write(
    `${sha256}  ${name}  (${packedMb.toFixed(1)} MB, ${entries.length} files, ${besideNodeMb.toFixed(1)} MB beside Node)\n`,
  )
}

function sizeBesideNode(entries) {
  const own = entries.filter(({ name }) => !/(?:^|\/)node(?:\.exe)?$/.test(name))
  return own.reduce((total, { file, bytes }) => total + (bytes?.length ?? statSync(file).size), 0)
}
