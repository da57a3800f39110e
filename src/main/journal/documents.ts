import type { z } from 'zod'
import { type Db, prepared } from './journal.ts'

/** The value of a stored JSON text, or why it no longer parses. */
export function parseStored<Shape extends z.ZodType>(
  text: string,
  shape: Shape,
): { value: z.infer<Shape>; why: null } | { value: null; why: string } {
  try {
    const parsed = shape.safeParse(JSON.parse(text))
    if (parsed.success) return { value: parsed.data, why: null }
    const { path, message } = parsed.error.issues[0]!
    return { value: null, why: path.length === 0 ? message : `${path.join('.')}: ${message}` }
  } catch (error) {
    return { value: null, why: error instanceof Error ? error.message : String(error) }
  }
}

/** Sets aside a row that no longer parses. */
export function quarantine(db: Db, row: { source: string; key: string; why: string; doc: string }): void {
  const sql = `INSERT INTO quarantine (at_ms, source, key, why, doc) VALUES (unixepoch('subsec') * 1000, :source, :key, :why, :doc)`
  prepared(db, sql).run(row)
}

/** Small named documents in the journal: settings, learned durations, rate logs, addresses of services. */
export class Documents {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** Null when there is none, or when it no longer parses: it is then quarantined, and the default applies. */
  get<Shape extends z.ZodType>(kind: string, key: string, shape: Shape): z.infer<Shape> | null {
    const sql = 'SELECT doc FROM documents WHERE kind = ? AND key = ?'
    const row = prepared<[string, string], { doc: string }>(this.#db, sql).get(kind, key)
    return row === undefined ? null : this.#parse(kind, key, row.doc, shape)
  }

  list<Shape extends z.ZodType>(kind: string, shape: Shape): { key: string; value: z.infer<Shape> }[] {
    const sql = 'SELECT key, doc FROM documents WHERE kind = ? ORDER BY key'
    const rows = prepared<[string], { key: string; doc: string }>(this.#db, sql).all(kind)
    return rows
      .map((row) => ({ key: row.key, value: this.#parse(kind, row.key, row.doc, shape) }))
      .filter((entry): entry is { key: string; value: NonNullable<typeof entry.value> } => entry.value !== null)
  }

  put(kind: string, key: string, value: unknown): void {
    const sql =
      'INSERT INTO documents (kind, key, doc) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET doc = excluded.doc'
    prepared(this.#db, sql).run(kind, key, JSON.stringify(value))
  }

  remove(kind: string, key: string): void {
    prepared(this.#db, 'DELETE FROM documents WHERE kind = ? AND key = ?').run(kind, key)
  }

  #parse<Shape extends z.ZodType>(kind: string, key: string, doc: string, shape: Shape): z.infer<Shape> | null {
    const { value, why } = parseStored(doc, shape)
    if (why === null) return value
    if (!this.#db.readonly) {
      quarantine(this.#db, { source: kind, key, why, doc })
      this.remove(kind, key)
    }
    return null
  }
}
