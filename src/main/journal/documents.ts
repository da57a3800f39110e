import type { z } from 'zod'
import { type Db, prepared } from './journal.ts'

/** Small named documents in the journal: settings, learned durations, rate logs, addresses of services. */
export class Documents {
  readonly #db: Db
  readonly #nowMs: () => number

  constructor(db: Db, nowMs: () => number) {
    this.#db = db
    this.#nowMs = nowMs
  }

  /** Null when there is none, or when it no longer parses: it is then quarantined, and the default applies. */
  get<Shape extends z.ZodType>(kind: string, key: string, shape: Shape): z.infer<Shape> | null {
    const row = prepared<[string, string], { doc: string }>(
      this.#db,
      'SELECT doc FROM documents WHERE kind = ? AND key = ?',
    ).get(kind, key)
    return row === undefined ? null : this.#parse(kind, key, row.doc, shape)
  }

  list<Shape extends z.ZodType>(kind: string, shape: Shape): { key: string; value: z.infer<Shape> }[] {
    const rows = prepared<[string], { key: string; doc: string }>(
      this.#db,
      'SELECT key, doc FROM documents WHERE kind = ? ORDER BY key',
    ).all(kind)
    return rows
      .map((row) => ({ key: row.key, value: this.#parse(kind, row.key, row.doc, shape) }))
      .filter((entry): entry is { key: string; value: NonNullable<typeof entry.value> } => entry.value !== null)
  }

  put(kind: string, key: string, value: unknown): void {
    prepared(
      this.#db,
      'INSERT INTO documents (kind, key, doc) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET doc = excluded.doc',
    ).run(kind, key, JSON.stringify(value))
  }

  remove(kind: string, key: string): void {
    prepared(this.#db, 'DELETE FROM documents WHERE kind = ? AND key = ?').run(kind, key)
  }

  #parse<Shape extends z.ZodType>(kind: string, key: string, doc: string, shape: Shape): z.infer<Shape> | null {
    let why: string
    try {
      const parsed = shape.safeParse(JSON.parse(doc))
      if (parsed.success) return parsed.data
      why = parsed.error.issues[0]?.message ?? 'does not parse'
    } catch (error) {
      why = error instanceof Error ? error.message : String(error)
    }
    if (!this.#db.readonly) {
      prepared(this.#db, 'INSERT INTO quarantine (at_ms, source, key, why, doc) VALUES (?, ?, ?, ?, ?)').run(
        this.#nowMs(),
        kind,
        key,
        why,
        doc,
      )
      this.remove(kind, key)
    }
    return null
  }
}
