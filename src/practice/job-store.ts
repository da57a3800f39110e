import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { ConvertFormat, UploadType, Operation } from '../shared/recipes/recipe.ts'
import type { Clock } from '../shared/runtime/ports.ts'
import type { Part, PracticeJob } from './job-view.ts'

/** Newest first; older ones are dropped. */
const KEEP_JOBS = 5000
const KEEP_BYTES = 256 * 1024 * 1024

const Result = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('analyze'),
    translations: z.array(z.object({ language_code: z.string(), seo_filename: z.string(), seo_alt_text: z.string() })),
  }),
  /** `file`: its name in `files`. */
  z.object({ kind: z.literal('optimize'), sizeBytes: z.number(), file: z.string() }),
  z.object({ kind: z.literal('convert'), sizeBytes: z.number() }),
])
const StoredJob = z.object({
  id: z.string(),
  imageId: z.string(),
  accountId: z.string(),
  operation: Operation,
  filename: z.string(),
  type: UploadType,
  sizeBytes: z.number(),
  projectId: z.string(),
  languages: z.array(z.string()),
  format: ConvertFormat,
  failsAtMs: z.number().nullable(),
  /** Wall time. */
  dispatchedAtMs: z.number(),
  parts: z.array(
    z.object({
      kind: z.enum(['analyze', 'optimize', 'convert']),
      setsAtMs: z.array(z.number()),
      endsAtMs: z.number(),
      result: Result.nullable(),
    }),
  ),
})

/**
 * Jobs whose work has ended, and their compressed files, across restarts. Made at the first dispatch. Without a file, or while another
 * practice service has it, nothing is kept. A job whose work had not ended is unknown after a restart.
 */
export class JobStore {
  readonly #file: string | undefined
  readonly #clock: Clock
  #db: Database.Database | null = null
  #isUnusable = false

  constructor(file: string | undefined, clock: Clock) {
    this.#file = file
    this.#clock = clock
  }

  /** Oldest first. The files are given by `readFile`. */
  load(): PracticeJob[] {
    if (this.#file === undefined || !existsSync(this.#file)) return []
    return this.#using([], (db) => {
      const rows = db.prepare<[], string>('SELECT doc FROM jobs ORDER BY id').pluck().all()
      return rows.flatMap((row) => {
        const parsed = StoredJob.safeParse(JSON.parse(row))
        return parsed.success ? [this.#restored(parsed.data)] : []
      })
    })
  }

  /** Keeps a job, with the bytes of its compressed file if it has one. */
  save(job: PracticeJob, file: { name: string; bytes: Uint8Array } | null): void {
    if (this.#file === undefined || !existsSync(dirname(this.#file))) return
    this.#using(undefined, (db) => {
      db.transaction(() => {
        db.prepare('INSERT OR REPLACE INTO jobs (id, doc) VALUES (?, ?)').run(job.id, JSON.stringify(this.#stored(job)))
        db.prepare(
          "DELETE FROM jobs WHERE id <= coalesce((SELECT id FROM jobs ORDER BY id DESC LIMIT 1 OFFSET ?), '')",
        ).run(KEEP_JOBS)
        if (file === null) return
        db.prepare('INSERT OR REPLACE INTO files (name, bytes) VALUES (?, ?)').run(file.name, file.bytes)
        const older = db.prepare<[], { id: number; size: number }>(
          'SELECT rowid AS id, length(bytes) AS size FROM files ORDER BY rowid DESC',
        )
        let total = 0
        for (const { id, size } of older.all())
          if ((total += size) > KEEP_BYTES) db.prepare('DELETE FROM files WHERE rowid = ?').run(id)
      })()
    })
  }

  readFile(path: string): Buffer | null {
    return this.#using<Buffer | null>(
      null,
      (db) =>
        db.prepare<[string], Buffer>('SELECT bytes FROM files WHERE name = ?').pluck().get(basename(path)) ?? null,
    )
  }

  forget(ids: readonly string[]): void {
    if (this.#db === null) return
    this.#using(undefined, (db) => {
      for (const id of ids) db.prepare('DELETE FROM jobs WHERE id = ?').run(id)
    })
  }

  close(): void {
    this.#db?.close()
    this.#db = null
  }

  /** Practice goes on without a store that cannot be used. */
  #using<Value>(otherwise: Value, work: (db: Database.Database) => Value): Value {
    if (this.#file === undefined || this.#isUnusable) return otherwise
    try {
      return work((this.#db ??= opened(this.#file)))
    } catch (error) {
      this.close()
      // Another practice service may have it only for a moment.
      this.#isUnusable = !isBusy(error)
      return otherwise
    }
  }

  #stored(job: PracticeJob): z.infer<typeof StoredJob> {
    const parts = job.parts.map(({ work, ...times }) => ({ ...times, result: storedResult(work) }))
    return { ...job, dispatchedAtMs: this.#clock.nowMs() - (this.#clock.monotonicMs() - job.dispatchedAtMs), parts }
  }

  #restored(stored: z.infer<typeof StoredJob>): PracticeJob {
    const ageMs = Math.max(0, this.#clock.nowMs() - stored.dispatchedAtMs)
    const parts = stored.parts.map(({ result, ...times }): Part => {
      if (result === null) return { ...times, work: { state: 'failed' } }
      if (result.kind !== 'optimize') return { ...times, work: { state: 'done', result } }
      // Not on the disk, so that it is read from here.
      const { kind, sizeBytes, file } = result
      return { ...times, work: { state: 'done', result: { kind, sizeBytes, path: join('restored', file) } } }
    })
    return { ...stored, dispatchedAtMs: this.#clock.monotonicMs() - ageMs, parts }
  }
}

function storedResult(work: Part['work']): z.infer<typeof Result> | null {
  if (work.state !== 'done') return null
  if (work.result.kind !== 'optimize') return work.result
  const { kind, sizeBytes, path } = work.result
  return { kind, sizeBytes, file: basename(path) }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** Throws while another process has it. */
function opened(file: string): Database.Database {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec(`BEGIN EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, doc TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
      COMMIT`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
