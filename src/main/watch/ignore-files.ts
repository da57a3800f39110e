import { closeSync, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import {
  compilePattern,
  matchBaseName,
  matchPath,
  pathNames,
  type MatchBudget,
  type PathNames,
  type PathPattern,
} from '../core/path-pattern.ts'
import { openRegularFile, READ_WITHOUT_FOLLOWING, readOpenFile, whileOpen } from '../files/regular-file.ts'
import { IGNORE_FILE, MAX_STEPS, type PathFilter } from './path-filter.ts'

/** A longer `.hangarignore` is not read. */
const MAX_BYTES = 1_048_576
/** A file with more patterns is rejected. */
const MAX_PATTERNS = 5_000

interface Rule {
  pattern: PathPattern
  /** The pattern has no slash except at its end: it matches base names at any depth. */
  isBaseName: boolean
  foldersOnly: boolean
  isNegated: boolean
}

interface Rules {
  /** Changes whenever the file does. */
  stamp: string
  /**
   * A reason when the file could not be used: everything beside it is then left out, so that nothing is spent on it.
   */
  rules: readonly Rule[] | FolderReason
}

/**
 * The `.hangarignore` files of one watched folder: gitignore syntax, nested files; the deepest file with a matching
 * pattern decides, and everything in an ignored folder stays ignored. A file is read again only when its size or mtime
 * changes. An unusable file excludes everything beside and below it, and a path on which the patterns take too long is
 * excluded, since spending on pictures meant to be ignored is the worse error. Anyone who may write in the folder can
 * write these files, so they are untrusted.
 */
export class IgnoreFiles {
  readonly #rootDir: string
  readonly #byFolder = new Map<string, Rules | null>()
  #version = 0
  #isUndecided = false
  #isSilenced = false

  constructor(rootDir: string) {
    this.#rootDir = rootDir
  }

  /** Increases with every change to a file that had been read (or was known to be absent). */
  get version(): number {
    return this.#version
  }

  /** Updates one folder's rules during a walk; returns why its file cannot be used, or null. */
  async refresh(folder: string, isThere: boolean): Promise<FolderReason | null> {
    if (!isThere) {
      this.#set(folder, null)
      return null
    }
    try {
      await this.#read(folder)
    } catch {
      this.#set(folder, UNREADABLE)
    }
    const rules = this.#byFolder.get(folder)?.rules ?? []
    return isUsable(rules) ? null : rules
  }

  /** Forgets one folder's rules, which are read again when they are needed: another folder may be in its place. */
  forget(folder: string): void {
    this.#byFolder.delete(folder)
  }

  /** Forgets the rules of all folders but those that are there: others come and go without end. */
  forgetUnless(isThere: (folder: string) => boolean): void {
    for (const folder of this.#byFolder.keys()) if (!isThere(folder)) this.#byFolder.delete(folder)
  }

  async #read(folder: string): Promise<void> {
    const file = await openRegularFile(this.#path(folder))
    if (file === null) return this.#set(folder, UNREADABLE)
    await whileOpen(file.handle, async () => {
      const stamp = stampOf(file.stats)
      if (this.#byFolder.get(folder)?.stamp === stamp) return
      this.#set(folder, { stamp, rules: rulesIn(await readOpenFile(file, MAX_BYTES)) })
    })
  }

  /** `names` and the ignore files combined. Files of folders not yet walked are read synchronously, once. */
  filter(names: PathFilter): PathFilter {
    const answer = (decide: () => boolean): boolean => {
      this.#isUndecided = false
      this.#isSilenced = false
      return decide()
    }
    return {
      folder: (relativePath, name) =>
        answer(() => {
          const isEntered = names.folder(relativePath, name)
          // A folder that a person excludes is not mentioned.
          this.#isSilenced = (isEntered || names.why() !== null) && this.#ignored(relativePath, true)
          return isEntered && !this.#isSilenced
        }),
      file: (relativePath, name) => answer(() => names.file(relativePath, name) && !this.#ignored(relativePath, false)),
      why: () => (this.#isUndecided ? 'ignore_too_costly' : this.#isSilenced ? null : names.why()),
    }
  }

  #ignored(relativePath: string, isFolder: boolean): boolean {
    const budget: MatchBudget = { left: MAX_STEPS }
    let path: PathNames | null = null
    let end = relativePath.lastIndexOf('/')
    for (let below = 1; ; below += 1) {
      const folder = end === -1 ? '' : relativePath.slice(0, end)
      const found = this.#rulesIn(folder)
      if (found !== null) {
        if (!isUsable(found.rules)) return true
        path ??= pathNames(relativePath)
        const verdict = decide(found.rules, { names: path.names.slice(-below) }, isFolder, budget)
        if (verdict === 'unclear') this.#isUndecided = true
        if (verdict !== 'silent') return verdict !== 'kept'
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

const UNREADABLE: Rules = { stamp: 'unreadable', rules: folderReason('ignore_unreadable') }

function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`
}

/** As `IgnoreFiles` reads, but synchronously. */
function readNow(path: string): Rules | null {
  let fd: number | null = null
  try {
    fd = openSync(path, READ_WITHOUT_FOLLOWING)
    const stats = fstatSync(fd, { bigint: true })
    if (!stats.isFile()) return UNREADABLE
    const isTooLarge = stats.size > BigInt(MAX_BYTES)
    const bytes = Buffer.alloc(isTooLarge ? 0 : Number(stats.size))
    let used = 0
    for (let read = -1; read !== 0 && used < bytes.length; used += read)
      read = readSync(fd, bytes, used, bytes.length - used, used)
    return { stamp: stampOf(stats), rules: rulesIn(isTooLarge ? null : bytes.subarray(0, used)) }
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? null : UNREADABLE
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

function rulesIn(bytes: Buffer | null): Rules['rules'] {
  return bytes === null ? UNREADABLE.rules : parse(bytes.toString('utf8'))
}

const isUsable = (rules: Rules['rules']): rules is readonly Rule[] => Array.isArray(rules)

/** The last matching pattern decides. */
function decide(
  rules: readonly Rule[],
  path: PathNames,
  isFolder: boolean,
  budget: MatchBudget,
): 'ignored' | 'kept' | 'silent' | 'unclear' {
  for (let n = rules.length - 1; n >= 0; n -= 1) {
    const { pattern, isBaseName, foldersOnly, isNegated } = rules[n]!
    if (foldersOnly && !isFolder) continue
    const match = isBaseName ? matchBaseName(pattern, path, budget) : matchPath(pattern, path, budget)
    if (match === 'unclear') return 'unclear'
    if (match === 'yes') return isNegated ? 'kept' : 'ignored'
  }
  return 'silent'
}

/** gitignore(5), "PATTERN FORMAT"; case-insensitive. */
function parse(text: string): readonly Rule[] | FolderReason {
  const rules: Rule[] = []
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const rule = ruleOf(line.replace(/\r$/, ''))
    if (rule !== null) rules.push(rule)
    if (rules.length > MAX_PATTERNS) return folderReason('ignore_too_many', { most: MAX_PATTERNS })
  }
  return rules
}

function ruleOf(line: string): Rule | null {
  if (line.startsWith('#')) return null
  const isNegated = line.startsWith('!')
  let text = withoutEndSpaces(isNegated ? line.slice(1) : line)
  const foldersOnly = text.endsWith('/')
  if (foldersOnly) text = text.slice(0, -1)
  if (text === '') return null
  const isBaseName = !text.includes('/')
  return { pattern: compilePattern(text.replace(/^\//, ''), { quotes: true }), isBaseName, foldersOnly, isNegated }
}

/** Strips trailing spaces, except those escaped with a backslash. */
function withoutEndSpaces(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === ' ') end -= 1
  let backslashes = 0
  while (text[end - 1 - backslashes] === '\\') backslashes += 1
  return text.slice(0, end < text.length && backslashes % 2 === 1 ? end + 1 : end)
}
