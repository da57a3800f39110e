/** What every Debian package of Hangar has: its control files, sums and folders, without a tool of Debian. */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../../project.mjs'
import { ar, MADE_S, tarGz } from '../archive.mjs'

/** Debian's names of architectures, by target. */
export const DEB_ARCH = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }
const MAINTAINER = maintainer()

/** Debian wants an address; a release is refused without a real one (release-faults.mjs). */
function maintainer() {
  const { author } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return author.includes('<') ? author : `${author} <hangar@localhost>`
}

/** A version before a release sorts before it. */
export const asDebianVersion = (version) => version.replace('-', '~')

/**
 * The bytes of a package. `fields` are those of its control file, `description` its paragraphs, `files` and `scripts` entries
 * of `archive.mjs`. `level` is gzip's, for tests.
 */
export function debianPackage({ fields, summary, description, files, scripts = [], conffiles = [], level }) {
  const sizeKb = files.reduce((total, file) => total + Math.ceil(sizeOf(file) / 1024), 0)
  const own = { Maintainer: MAINTAINER, Section: 'graphics', Priority: 'optional', 'Installed-Size': sizeKb }
  const control = [
    ...Object.entries({ ...fields, ...own }).map(([name, value]) => `${name}: ${value}`),
    `Description: ${summary}`,
    ...description.map(folded).join('\n .\n').split('\n'),
  ]
  const sums = files.map((file) => `${createHash('md5').update(bytesOf(file)).digest('hex')}  ${file.name}`)
  const controlFiles = [
    { name: 'control', bytes: lines(control) },
    { name: 'md5sums', bytes: lines(sums.toSorted((a, b) => (a.slice(34) < b.slice(34) ? -1 : 1))) },
    ...(conffiles.length === 0 ? [] : [{ name: 'conffiles', bytes: lines(conffiles) }]),
    ...scripts,
  ]
  return ar([
    { name: 'debian-binary', bytes: Buffer.from('2.0\n') },
    { name: 'control.tar.gz', bytes: tarGz(withFolders(controlFiles), level) },
    { name: 'data.tar.gz', bytes: tarGz(withFolders(files), level) },
  ])
}

/** Debian wants one in each package; what changed is in CHANGELOG.md. */
export function changelog(name, debVersion) {
  const date = new Date(MADE_S * 1000).toUTCString().replace('GMT', '+0000')
  return packed(
    `${name} (${debVersion}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${MAINTAINER}  ${date}\n`,
  )
}

export const packed = (text) => gzipSync(text, { level: 9 })

/** Debian's way to write a text: each line after a space. */
const folded = (text) => text.replace(/(.{1,76})(?: |$)/g, ' $1\n').trimEnd()

/** Entries of a tar, with the folders that they are in. */
function withFolders(files) {
  const folders = new Set(['./'])
  for (const { name } of files)
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
      folders.add(`./${name.slice(0, at + 1)}`)
  return [
    ...[...folders].map((name) => ({ name, bytes: Buffer.alloc(0) })),
    ...files.map((file) => ({ ...file, name: `./${file.name}` })),
  ]
}

const bytesOf = ({ file, bytes }) => bytes ?? readFileSync(file)
const sizeOf = ({ file, bytes }) => bytes?.length ?? statSync(file).size
const lines = (list) => Buffer.from(`${list.join('\n')}\n`)
