import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const MAX_BYTES = 65_536

/** What a small file of the data folder holds; null when it is missing, damaged or larger than Hangar writes one. */
export function readOwnFile(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    return text.length > MAX_BYTES ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Writes all of it or nothing, for this person alone. Synchronous, because a closing window does not wait. Throws the disk's error. */
export function writeOwnFile(path: string, value: unknown): void {
  const part = `${path}.new`
  // Never through a link: what has the name is removed first.
  rmSync(part, { force: true })
  writeFileSync(part, `${JSON.stringify(value)}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(part, path)
}
