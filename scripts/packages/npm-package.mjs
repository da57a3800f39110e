/** What `npm install -g` installs: the run-time files, for the Node that is there. Its native packages come from npm. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../project.mjs'
import { runTimeFiles } from './run-time-files.mjs'

/** What an installed package does not need: development files, and the Node that package.json has for systems without one. */
const NOT_PUBLISHED = [
  'productName',
  'main',
  'scripts',
  'files',
  'devDependencies',
  'optionalDependencies',
  'allowScripts',
]

/** Resolves to the entries (`archive.mjs`), under `package/` as npm has it. */
export async function collectNpm() {
  const manifest = read('package.json')
  const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !NOT_PUBLISHED.includes(key)))
  const own = { 'package.json': published, 'npm-shrinkwrap.json': shrinkwrap(published) }
  const programs = Object.values(manifest.bin).map((name) => path.posix.normalize(name))
  return (await runTimeFiles())
    .filter((name) => !Object.hasOwn(own, name))
    .map((name) => ({ name, file: path.join(root, name), isProgram: programs.includes(name) }))
    .concat(Object.entries(own).map(([name, value]) => ({ name, bytes: json(value), isProgram: false })))
    .map((entry) => ({ ...entry, name: `package/${entry.name}` }))
}

/** The lock file without what is not published: npm installs the same packages, by the same hashes. */
function shrinkwrap(published) {
  const lock = read('package-lock.json')
  const isPublished = ([place, entry]) =>
    place !== '' && entry.dev !== true && !/^node_modules\/node-(?:linux|win)-/.test(place)
  return {
    ...lock,
    packages: { '': published, ...Object.fromEntries(Object.entries(lock.packages).filter(isPublished)) },
  }
}

const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))
const json = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
