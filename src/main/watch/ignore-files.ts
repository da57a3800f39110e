import type { BigIntStats } from 'node:fs'
import ignore, { type Ignore } from 'ignore'
import { openRegularFile, readOpenFile, readSmallFileNow } from '../files/open-regular-file.ts'
import { IGNORE_FILE, type PathFilter } from './path-filter.ts'

/** A longer `.hangarignore` is not read. */
const MAX_BYTES = 1_048_576

interface Rules {
  /** What tells whether the file has changed since it was read. */
  stamp: string
  /** Null when the file could not be used: then everything beside it is left out, which costs nothing. */
  rules: Ignore | null
}

/**
 * The `.hangarignore` files of one folder: gitignore syntax, nested files, the deepest one that speaks decides, and what
 * lies in an ignored folder stays ignored. Read once, again when size or mtime changes. A file that cannot be read
 * leaves out all that lies beside and below it, since spending on pictures somebody meant to keep out is the worse error.
 */
export class IgnoreFiles {
  readonly #rootDir: string
  readonly #byFolder = new Map<string, Rules | null>()
  #version = 0

  constructor(rootDir: string) {
    this.#rootDir = rootDir
  }

  /** Goes up with every change of a file that had been read (or was known to be absent). */
  get version(): number {
    return this.#version
  }

  /** Brings one folder up to date during a walk; returns why its file cannot be used, or null. */
  async refresh(folder: string, isThere: boolean): Promise<string | null> {
    if (!isThere) {
      this.#set(folder, null)
      return null
    }
    try {
      await this.#read(folder)
    } catch {
      this.#set(folder, UNREADABLE)
    }
    return this.#byFolder.get(folder)?.rules === null
      ? `${IGNORE_FILE} cannot be read, so this folder is left out: make it a readable text file under 1 MiB`
      : null
  }

  async #read(folder: string): Promise<void> {
    const file = await openRegularFile(this.#path(folder))
    if (file === null) return this.#set(folder, UNREADABLE)
    try {
      const stamp = stampOf(file.stats)
      if (this.#byFolder.get(folder)?.stamp === stamp) return
      this.#set(folder, { stamp, rules: rulesIn(await readOpenFile(file, MAX_BYTES)) })
    } finally {
      await file.handle.close()
    }
  }

  /** `filter` and the ignore files together. Folders not yet walked are looked up on the spot, once. */
  filter(names: PathFilter): PathFilter {
    return {
      folder: (relativePath, name) => names.folder(relativePath, name) && !this.#ignored(relativePath, true),
      file: (relativePath, name) => names.file(relativePath, name) && !this.#ignored(relativePath, false),
    }
  }

  #ignored(relativePath: string, isFolder: boolean): boolean {
    let end = relativePath.lastIndexOf('/')
    for (;;) {
      const folder = end === -1 ? '' : relativePath.slice(0, end)
      const found = this.#rulesIn(folder)
      if (found !== null) {
        if (found.rules === null) return true
        const verdict = found.rules.test(relativePath.slice(end + 1) + (isFolder ? '/' : ''))
        if (verdict.ignored) return true
        if (verdict.unignored) return false
      }
      if (end === -1) return false
      end = relativePath.lastIndexOf('/', end - 1)
    }
  }

  #rulesIn(folder: string): Rules | null {
    const known = this.#byFolder.get(folder)
    if (known !== undefined) return known
    const read = readNow(this.#path(folder))
    this.#byFolder.set(folder, read)
    return read
  }

  #set(folder: string, rules: Rules | null): void {
    const before = this.#byFolder.get(folder)
    if (before !== undefined && before?.stamp !== rules?.stamp) this.#version += 1
    this.#byFolder.set(folder, rules)
  }

  #path(folder: string): string {
    return folder === '' ? `${this.#rootDir}/${IGNORE_FILE}` : `${this.#rootDir}/${folder}/${IGNORE_FILE}`
  }
}

const UNREADABLE: Rules = { stamp: 'unreadable', rules: null }

function stampOf({ size, mtimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ino}`
}

function readNow(path: string): Rules | null {
  try {
    const file = readSmallFileNow(path, MAX_BYTES)
    return file === null ? UNREADABLE : { stamp: stampOf(file.stats), rules: rulesIn(file.bytes) }
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : UNREADABLE
  }
}

function rulesIn(bytes: Buffer | null): Ignore | null {
  return bytes === null ? null : parse(bytes.toString('utf8'))
}

function parse(text: string): Ignore {
  return ignore().add(text.replace(/^\uFEFF/, ''))
}
