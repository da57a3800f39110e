/**
 * `npm run check:release [-- PACKAGE...]`: fails, with every reason, while the project or one of the packages must not be
 * published. Else prints the hash of each, as sha256sum reads it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { packageFault, projectFaults } from './packages/release-faults.mjs'
import { root, say } from './project.mjs'

const read = (name) => readFileSync(path.join(root, name), 'utf8')
const packages = process.argv.slice(2)
const faults = [
  ...projectFaults(JSON.parse(read('package.json')), read('CHANGELOG.md')),
  ...packages.map(packageFault).filter((fault) => fault !== null),
]
for (const fault of faults) say(fault)
if (faults.length > 0) process.exitCode = 1
else
  for (const file of packages) {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    process.stdout.write(`${hash}  ${path.basename(file)}\n`)
  }
