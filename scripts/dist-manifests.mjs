/**
 * `npm run dist:manifests [-- PACKAGE... --out FOLDER]`: manifests of a release for winget, Homebrew and Flatpak in dist/manifests, by default
 * of the packages in dist/. Fails, with every reason, while the project must not be published or a package is missing. Sends nothing
 * anywhere: each catalogue takes its manifest from a person.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { flatpakManifest } from './packages/manifests/flatpak.mjs'
import { homebrewManifests } from './packages/manifests/homebrew.mjs'
import { describeRelease } from './packages/manifests/release.mjs'
import { wingetManifests } from './packages/manifests/winget.mjs'
import { root, say } from './project.mjs'

const DIST = path.join(root, 'dist')
const read = (name) => readFileSync(path.join(root, name), 'utf8')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
const files = positionals.length > 0 ? positionals : packagesIn(DIST)
const manifest = JSON.parse(read('package.json'))
const { faults, release } = describeRelease({ manifest, changelog: read('CHANGELOG.md'), files })
if (faults !== undefined) {
  for (const fault of faults) say(fault)
  process.exitCode = 1
} else {
  for (const { name, sha256, size } of Object.values(release.files))
    process.stdout.write(`${sha256}  ${name}  (${size} bytes)\n`)
  const out = path.resolve(values.out ?? path.join(DIST, 'manifests'))
  write(path.join(out, 'winget'), wingetManifests(release))
  write(path.join(out, 'homebrew'), homebrewManifests(release))
  write(path.join(out, 'flatpak'), [flatpakManifest(release)])
}

function packagesIn(folder) {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name))
  } catch {
    return []
  }
}

function write(folder, manifests) {
  for (const [name, text] of manifests) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    process.stdout.write(`${path.relative(process.cwd(), file)}\n`)
  }
}
