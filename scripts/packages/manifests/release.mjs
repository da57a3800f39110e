/** What a release is made of, for the manifests of other people's catalogues: version, date, addresses, and the hash and size of each file. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { asDebianVersion } from '../deb/debian-package.mjs'
import { packageFault, projectFaults } from '../release-faults.mjs'

/** The files that manifests name, by what they are; those for ARM on Windows and Linux may be missing. */
const NAMES = {
  windowsX64: (version) => `hangar-desktop-${version}-win-x64.exe`,
  windowsArm64: (version) => `hangar-desktop-${version}-win-arm64.exe`,
  macArm64: (version) => `hangar-desktop-${version}-mac-arm64.dmg`,
  macX64: (version) => `hangar-desktop-${version}-mac-x64.dmg`,
  linuxX64: (version) => `hangar-desktop_${asDebianVersion(version)}_amd64.deb`,
  linuxArm64: (version) => `hangar-desktop_${asDebianVersion(version)}_arm64.deb`,
  npm: (version) => `hangar-${version}.tgz`,
}
const OPTIONAL = ['windowsArm64', 'linuxArm64']
/** So that an address needs no escaping in any of the formats. */
const PLAIN_ADDRESS = /^https:\/\/[\w./~-]+$/

/**
 * `{ faults }` with sentences where no manifest may be made of it, else `{ release }`. `manifest` is package.json, `changelog` CHANGELOG.md,
 * `files` are paths; those that no manifest names are ignored.
 */
export function describeRelease({ manifest, changelog, files }) {
  const { version } = manifest
  const faults = projectFaults(manifest, changelog)
  if (version.includes('-')) faults.push(`Version ${version} is one before a release: catalogues take releases alone.`)
  const addresses = ['homepage', 'repository', 'bugs'].map((name) => addressOf(manifest[name]))
  for (const address of addresses)
    if (address !== null && !PLAIN_ADDRESS.test(address))
      faults.push(`${address} has characters that a manifest cannot hold.`)
  const found = Object.entries(NAMES).map(([kind, nameOf]) => {
    const name = nameOf(version)
    return { kind, name, file: files.find((file) => path.basename(file) === name) }
  })
  for (const { kind, name, file } of found) {
    if (file === undefined && !OPTIONAL.includes(kind)) faults.push(`${name} is not among the files.`)
    const fault = file === undefined ? null : packageFault(file)
    if (fault !== null) faults.push(fault)
  }
  if (faults.length > 0) return { faults }
  const [homepage, repository, bugs] = addresses
  const download = `${repository.replace(/\.git$|\/$/g, '')}/releases/download/v${version}`
  const heading = changelog.split('\n').findLast((line) => line.startsWith(`## ${version} (`))
  const present = found.filter(({ file }) => file !== undefined)
  const { author, license } = manifest
  return {
    release: {
      version,
      date: heading.slice(-11, -1),
      homepage,
      bugs,
      download,
      license,
      publisher: author.replace(/ <.*/, ''),
      files: Object.fromEntries(present.map(({ kind, name, file }) => [kind, figures(name, file, download)])),
    },
  }
}

function addressOf(given) {
  const address = given?.url ?? given
  return address === undefined ? null : address.replace(/^git\+/, '')
}

function figures(name, file, download) {
  const bytes = readFileSync(file)
  return {
    name,
    url: `${download}/${name}`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  }
}
