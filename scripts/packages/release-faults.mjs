/** What must not be published: a project without addresses or a maintainer, a version without a date, and packages for tests. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { TEST_MARK } from './desktop/unpack-app.mjs'

const AR_MAGIC = 8
const AR_HEADER = 60
/** Enough for the first name in a tar. */
const TAR_START = 64 * 1024

/** Sentences, none where package.json and CHANGELOG.md are fit for a release. */
export function projectFaults(manifest, changelog) {
  const { version, author } = manifest
  const faults = ['homepage', 'repository', 'bugs']
    .filter((name) => !isAddress(manifest[name]?.url ?? manifest[name]))
    .map((name) => `package.json has no "${name}" that is an address with https.`)
  if (!/^.+ <[^@\s]+@(?!localhost|example\.)[^@\s]+\.[^@\s]+>$/.test(author ?? ''))
    faults.push('"author" in package.json has no address to write to: it must be NAME <ADDRESS>.')
  if (version.includes(TEST_MARK)) faults.push(`Version ${version} is one for tests.`)
  const headings = changelog.split('\n').filter((line) => line.startsWith(`## ${version} (`))
  if (!headings.some((line) => / \(\d{4}-\d\d-\d\d\)$/.test(line)))
    faults.push(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`)
  return faults
}

function isAddress(text) {
  const address = (text ?? '').replace(/^git\+/, '')
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' && !/(?:^|\.)(?:example(?:\.\w+)?|localhost|invalid|test)$/.test(hostname)
}

/** The fault of one package, whatever its file is called now; null for one that may be published. */
export function packageFault(file) {
  const name = path.basename(file)
  if (!hasMark(name) && !hasMark(stated(file))) return null
  return `${name} is a package for tests.`
}

const hasMark = (text) => /[-~]test\b|FOR TESTS ALONE/.test(text)

/** What a package says of itself where that can be read: the control file of a .deb, the folder of a .tar.gz. */
function stated(file) {
  if (file.endsWith('.deb')) return controlFile(readFileSync(file))
  if (!/\.t(?:ar\.)?gz$/.test(file)) return ''
  const start = readFileSync(file).subarray(0, TAR_START)
  return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, 500).toString('latin1')
}

function controlFile(deb) {
  for (let at = AR_MAGIC; at + AR_HEADER <= deb.length;) {
    const header = deb.subarray(at, at + AR_HEADER).toString('latin1')
    const size = Number(header.slice(48, 58))
    const begin = at + AR_HEADER
    if (header.startsWith('control.tar.gz')) return gunzipSync(deb.subarray(begin, begin + size)).toString('latin1')
    at = begin + size + (size % 2)
  }
  throw new Error('The Debian package has no control.tar.gz: it was not made here.')
}
