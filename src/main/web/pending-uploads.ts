import type { BigIntStats } from 'node:fs'
import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Logger } from '../../shared/runtime/ports.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { hasJobAt } from '../journal/job-ids.ts'
import type { Db } from '../journal/journal.ts'
import { newSecret } from './sign-ins.ts'

/**
 * Files in the inbox that a person has not decided about yet. Only files that an upload put there, that are unchanged and that no job
 * uses, are removed. What is pending when the server stops stays.
 */
export class PendingUploads {
  readonly #db: Db
  readonly #log: Logger
  /** Of this data folder: others may have the same inbox. */
  readonly #partPrefix: string
  /** By path; any other file at the path belongs to a person. */
  readonly #files = new Map<string, BigIntStats>()
  readonly #folders = new Set<string>()

  constructor({ db, log, name }: { db: Db; log: Logger; name: string }) {
    this.#db = db
    this.#log = log
    this.#partPrefix = `.hangar-upload-${name}-`
  }

  /** The hidden name of an upload while it is received. */
  newPartName(): string {
    return `${this.#partPrefix}${newSecret()}.part`
  }

  /** Removes the parts that a crash left. */
  async sweepParts(inboxDir: string): Promise<void> {
    try {
      for (const name of await readdir(inboxDir))
        if (name.startsWith(this.#partPrefix)) await rm(join(inboxDir, name), { force: true })
    } catch (error) {
      // Its disk may be unmounted: the next start tries again.
      this.#log.warn('what a crash left of uploads could not be removed', { error: errorCode(error) })
    }
  }

  add(path: string, stats: BigIntStats, madeFolders: readonly string[]): void {
    this.#files.set(path, stats)
    for (const folder of madeFolders) this.#folders.add(folder)
  }

  /** It stays, whatever is decided about another upload of the same content. */
  keep(path: string): void {
    this.#files.delete(path)
  }

  /** Returns how many files were removed. */
  async discard(paths: readonly string[]): Promise<number> {
    let removed = 0
    for (const path of paths) if (await this.#remove(path)) removed += 1
    // The deepest first. One that is not empty stays.
    for (const folder of [...this.#folders].sort((a, b) => b.length - a.length))
      if (await succeeds(rmdir(folder))) this.#folders.delete(folder)
    return removed
  }

  async #remove(path: string): Promise<boolean> {
    const stats = this.#files.get(path)
    this.#files.delete(path)
    const found = await lstat(path, { bigint: true }).catch(() => null)
    const isIt = (['dev', 'ino', 'size', 'mtimeNs'] as const).every((name) => found?.[name] === stats?.[name])
    if (found === null || stats === undefined || !isIt || hasJobAt(this.#db, path)) return false
    return succeeds(unlink(path))
  }
}

const succeeds = async (work: Promise<void>) => (await work.catch(() => 'failed')) === undefined

/** Every folder between the inbox and a path, the outermost first. */
export function foldersAbove(path: string, inboxDir: string): string[] {
  const parts = relative(inboxDir, dirname(path)).split(sep).filter(Boolean)
  return parts.map((_, n) => [inboxDir, ...parts.slice(0, n + 1)].join(sep))
}
