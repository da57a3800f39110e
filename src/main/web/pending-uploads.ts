import type { BigIntStats } from 'node:fs'
import { lstat, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, relative, sep } from 'node:path'
import { z } from 'zod'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { openFolder, type FolderHandle } from '../files/folder-handle.ts'
import { Documents } from '../journal/documents.ts'
import { hasJobAt } from '../journal/job-ids.ts'
import type { Db } from '../journal/journal.ts'

/** A closed page never decides about its uploads; they count as abandoned after this. */
const PENDING_MS = 24 * 3_600_000

const FILE = 'web_upload'
const FOLDER = 'web_upload_folder'
const PART = 'web_upload_part'

const PendingFile = z.object({
  inboxDir: z.string(),
  /** Identifies the uploaded file: any other file at the path belongs to a person. Decimal, because they are 64-bit. */
  dev: z.string(),
  ino: z.string(),
  size: z.string(),
  mtimeNs: z.string(),
  /** How many uploads of this content await a decision. */
  uploads: z.number().int(),
  atMs: z.number(),
})
type PendingFile = z.infer<typeof PendingFile>
/** A folder that an upload made, or the part of one that is being received. */
const Made = z.object({ inboxDir: z.string() })

/**
 * Files in the inbox that a person has not decided about yet, by path, in the journal. `keep` makes them the person's
 * own; `discard` removes only files that an upload put there, that are unchanged and that no job uses.
 */
export class PendingUploads {
  readonly #db: Db
  readonly #documents: Documents
  readonly #clock: Clock
  readonly #log: Logger
  #last: Promise<unknown> = Promise.resolve()

  constructor({ db, clock, log }: { db: Db; clock: Clock; log: Logger }) {
    this.#db = db
    this.#documents = new Documents(db, () => clock.nowMs())
    this.#clock = clock
    this.#log = log
  }

  /** Serialises calls that add to the inbox or remove from it, so that each sees the effect of the one before. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when no such call is running. */
  async idle(): Promise<void> {
    await this.#last
  }

  /**
   * Must be called before the part is made, so that a crash leaves none untracked. Parts that are not known here may be those of
   * another Hangar that has the same inbox.
   */
  beginPart(path: string, inboxDir: string): void {
    this.#documents.put(PART, path, { inboxDir } satisfies z.infer<typeof Made>)
  }

  /** The part has its name, or is gone. */
  endPart(path: string): void {
    try {
      this.#documents.remove(PART, path)
    } catch (error) {
      // The disk of the journal may be full: the next start finds no such part, and forgets it.
      this.#log.warn('the end of an upload could not be stored', { error: errorCode(error) })
    }
  }

  /** Must be called before the file gets its name, so that a crash in between leaves no untracked file. */
  begin(path: string, inboxDir: string, { dev, ino, size, mtimeNs }: BigIntStats): void {
    this.#documents.put(FILE, path, {
      inboxDir,
      dev: String(dev),
      ino: String(ino),
      size: String(size),
      mtimeNs: String(mtimeNs),
      uploads: 1,
      atMs: this.#clock.nowMs(),
    } satisfies PendingFile)
  }

  /** The name was not taken after all. */
  forget(path: string): void {
    this.#documents.remove(FILE, path)
  }

  /** A folder that an upload made, for `discard` to remove once it is empty. */
  beginFolder(path: string, inboxDir: string): void {
    this.#documents.put(FOLDER, path, { inboxDir } satisfies z.infer<typeof Made>)
  }

  /** The same content was uploaded again: one more decision is pending, if any was. */
  uploadedAgain(path: string): void {
    const file = this.#documents.get(FILE, path, PendingFile)
    if (file !== null)
      this.#documents.put(FILE, path, { ...file, uploads: file.uploads + 1, atMs: this.#clock.nowMs() })
  }

  /** A person uses these: they are kept for good. Returns a function that undoes that. */
  keep(paths: readonly string[]): () => void {
    const files = paths.flatMap((path) => {
      const file = this.#documents.get(FILE, path, PendingFile)
      return file === null ? [] : [{ path, file }]
    })
    for (const { path } of files) this.#documents.remove(FILE, path)
    return () => {
      for (const { path, file } of files) this.#documents.put(FILE, path, file)
    }
  }

  /** A person does not want these. Only pending uploads are removed; returns how many files were. */
  discard(paths: readonly string[]): Promise<number> {
    return this.exclusively(async () => {
      let removed = 0
      for (const path of new Set(paths)) {
        const file = this.#documents.get(FILE, path, PendingFile)
        if (file === null) continue
        if (file.uploads > 1) this.#documents.put(FILE, path, { ...file, uploads: file.uploads - 1 })
        else if (await this.#remove(path, file)) removed += 1
      }
      await this.#removeFolders()
      return removed
    })
  }

  /**
   * Removes abandoned uploads: at start all of them and what a crash left of others, since no page can decide about them any
   * more; later those a day old.
   */
  sweep(which: 'all' | 'old'): Promise<void> {
    return this.exclusively(async () => {
      if (which === 'all')
        for (const { key: path, value } of this.#documents.list(PART, Made)) await this.#removePart(path, value)
      const beforeMs = this.#clock.nowMs() - PENDING_MS
      for (const { key: path, value } of this.#documents.list(FILE, PendingFile))
        if (which === 'all' || value.atMs < beforeMs) await this.#remove(path, value)
      await this.#removeFolders()
    })
  }

  async #removePart(path: string, { inboxDir }: z.infer<typeof Made>): Promise<void> {
    try {
      await within(path, inboxDir, (folder) => rm(folder.at(basename(path)), { force: true }))
      this.#documents.remove(PART, path)
    } catch (error) {
      // Its disk may be unmounted: the next start tries again.
      this.#log.warn('what a crash left of an upload could not be removed', { error: errorCode(error) })
    }
  }

  async #remove(path: string, file: PendingFile): Promise<boolean> {
    try {
      const removed = !hasJobAt(this.#db, path) && (await removeIf(path, file))
      this.#documents.remove(FILE, path)
      return removed
    } catch (error) {
      // Its disk may be unmounted: the next sweep tries again.
      this.#log.warn('an upload that nobody wants could not be removed', { error: errorCode(error) })
      return false
    }
  }

  /**
   * The deepest first. A folder that is not empty belongs to a person by now, unless uploads in it are still pending.
   */
  async #removeFolders(): Promise<void> {
    const waiting = this.#documents.list(FILE, PendingFile).map(({ key }) => key)
    const folders = this.#documents.list(FOLDER, Made).sort((a, b) => b.key.length - a.key.length)
    for (const { key: path, value } of folders) {
      if (waiting.some((file) => file.startsWith(path + sep))) continue
      await within(path, value.inboxDir, (parent) => rmdir(parent.at(basename(path)))).catch(() => undefined)
      this.#documents.remove(FOLDER, path)
    }
  }
}

/** Removes the file if it is still the uploaded one; true if it was removed. Rejects when its folder cannot be read. */
async function removeIf(path: string, file: PendingFile): Promise<boolean> {
  return within(path, file.inboxDir, async (folder) => {
    const address = folder.at(basename(path))
    const found = await lstat(address, { bigint: true }).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    const isIt =
      found?.isFile() === true &&
      (['dev', 'ino', 'size', 'mtimeNs'] as const).every((name) => String(found[name]) === file[name])
    if (isIt) await unlink(address)
    return isIt
  })
}

/** Runs work with the folder of a path held open, so that it cannot be swapped meanwhile. */
async function within<Value>(
  path: string,
  inboxDir: string,
  work: (folder: FolderHandle) => Promise<Value>,
): Promise<Value> {
  const folder = await openFolder(inboxDir, dirname(path))
  try {
    return await work(folder)
  } finally {
    await folder.close()
  }
}

/** Every folder between the inbox and a path, the outermost first. */
export function foldersAbove(path: string, inboxDir: string): string[] {
  const parts = relative(inboxDir, dirname(path)).split(sep).filter(Boolean)
  return parts.map((_, n) => [inboxDir, ...parts.slice(0, n + 1)].join(sep))
}
