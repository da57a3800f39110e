import type { FileAt } from '../core/source-read.ts'
import type { FileSample } from './file-sample.ts'
import { pathIn } from './real-path.ts'
import { Stamps } from './stamps.ts'
import type { WalkedFile, WalkedFolder } from './walk.ts'

/** What the owner remembers of earlier runs. */
export interface KnownFileSource {
  /** Every file below `rootDir` that it has taken in; read in one go whenever a folder starts. */
  load(rootDir: string): Iterable<FileAt>
}

type KnownFolders = Map<string, Map<string, number>>

/** The files of one watched folder that are dealt with unless they change; by folder, so that a scan compares lists. */
export class KnownFiles {
  /** By folder and name, where in `#stamps` a file's state is. */
  readonly #folders: KnownFolders = new Map()
  readonly #stamps = new Stamps()
  /** Network file systems may report another inode number and another ctime each time. */
  readonly #compareIno: boolean

  constructor(options: { compareIno: boolean }) {
    this.#compareIno = options.compareIno
  }

  load(files: Iterable<FileAt>, toRelative: (path: string) => string | null): void {
    for (const { path, sizeBytes, mtimeNs, ctimeNs, ino } of files) {
      const relative = toRelative(path)
      if (relative === null) continue
      this.set(relative, { sizeBytes, mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(ctimeNs), ino: BigInt(ino) })
    }
  }

  set(relativePath: string, sample: FileSample): void {
    const { folder, name } = split(relativePath)
    let names = this.#folders.get(folder)
    if (names === undefined) this.#folders.set(detached(folder), (names = new Map<string, number>()))
    const at = names.get(name)
    if (at === undefined) names.set(detached(name), this.#stamps.add(sample))
    else this.#stamps.replace(at, sample)
  }

  /** Returns whether the path was known. */
  delete(relativePath: string): boolean {
    const { folder, name } = split(relativePath)
    const names = this.#folders.get(folder)
    const at = names?.get(name)
    if (names === undefined || at === undefined) return false
    this.#stamps.remove(at)
    names.delete(name)
    if (names.size === 0) this.#folders.delete(folder)
    return true
  }

  has(relativePath: string): boolean {
    const { folder, name } = split(relativePath)
    return this.#folders.get(folder)?.has(name) ?? false
  }

  /** Known files in any of these folders, however deep; in one pass over all folders, for as many may be asked for. */
  below(folders: ReadonlySet<string>): string[] {
    const found: string[] = []
    for (const [folder, names] of this.#folders)
      if (isInAny(folder, folders)) for (const name of names.keys()) found.push(pathIn(folder, name))
    return found
  }

  matches(relativePath: string, sample: FileSample): boolean {
    const { folder, name } = split(relativePath)
    const at = this.#folders.get(folder)?.get(name)
    return at !== undefined && this.#same(at, sample)
  }

  /** Starts the comparison with one walk. */
  comparison(): Comparison {
    return new Comparison(this.#folders, (at, sample) => this.#same(at, sample))
  }

  #same(at: number, b: FileSample): boolean {
    const a = this.#stamps.at(at)
    if (a.sizeBytes !== b.sizeBytes || a.mtimeNs !== b.mtimeNs) return false
    return !this.#compareIno || (a.ino === b.ino && a.ctimeNs === b.ctimeNs)
  }
}

/** Compares one walk with the known files. A file is gone only when its folder was listed without it or is gone itself. */
class Comparison {
  readonly #folders: KnownFolders
  readonly #same: (at: number, sample: FileSample) => boolean
  readonly #visited = new Set<string>()
  readonly #skipped = new Set<string>()
  readonly #gone: string[] = []

  constructor(folders: KnownFolders, same: (at: number, sample: FileSample) => boolean) {
    this.#folders = folders
    this.#same = same
  }

  /** Returns the files that are new or changed. */
  visit(walked: WalkedFolder): WalkedFile[] {
    this.#visited.add(walked.folder)
    const known = this.#folders.get(walked.folder)
    if (known === undefined) return walked.files
    let recognised = 0
    const changed = walked.files.filter((file) => {
      const at = known.get(file.name)
      if (at === undefined) return true
      recognised += 1
      return !this.#same(at, file.sample)
    })
    if (recognised < known.size) this.#findGone(walked, known)
    return changed
  }

  /** A folder whose content is not known: it was not entered, or its drive may be away. */
  skip(folder: string): void {
    this.#skipped.add(folder)
  }

  /** The files that are gone; only to be called after a complete walk. */
  gone(): string[] {
    for (const [folder, names] of this.#folders) {
      if (this.#visited.has(folder) || isInAny(folder, this.#skipped)) continue
      for (const name of names.keys()) this.#gone.push(pathIn(folder, name))
    }
    return this.#gone
  }

  #findGone(walked: WalkedFolder, known: ReadonlyMap<string, number>): void {
    const listed = new Set(walked.entries.map((entry) => entry.name))
    for (const name of known.keys()) if (!listed.has(name)) this.#gone.push(pathIn(walked.folder, name))
  }
}

/** Whether a folder is one of these or below one of them. */
function isInAny(folder: string, folders: ReadonlySet<string>): boolean {
  for (let path = folder; path !== ''; path = split(path).folder) if (folders.has(path)) return true
  return false
}

function split(relativePath: string): { folder: string; name: string } {
  const end = relativePath.lastIndexOf('/')
  return end === -1
    ? { folder: '', name: relativePath }
    : { folder: relativePath.slice(0, end), name: relativePath.slice(end + 1) }
}

/** A copy: what is cut from a path keeps the whole path in memory. */
function detached(text: string): string {
  return text.isWellFormed() ? Buffer.from(text).toString() : text
}
