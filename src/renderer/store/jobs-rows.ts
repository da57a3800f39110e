import type { JobRow } from '../../shared/contract/jobs.ts'

interface Entry {
  row: JobRow
  /** Fetched before the last `invalidate`: shown until it is fetched again. */
  isStale: boolean
}

/**
 * LRU cache of at most `limit` rows. A component listens to its own row only, so the cost of a change depends on what is on
 * the screen and not on the length of the list.
 */
export class RowCache {
  readonly #limit: number
  /** Least recently wanted first. */
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#entries.size
  }

  readonly get = (id: string): JobRow | null => this.#entries.get(id)?.row ?? null

  /** Returns unsubscribe. */
  readonly listen = (id: string, listener: () => void): (() => void) => {
    let listeners = this.#listeners.get(id)
    if (listeners === undefined) this.#listeners.set(id, (listeners = new Set()))
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  /** Marks ids as wanted now and returns those that have to be fetched, in the same order. */
  want(ids: readonly string[]): string[] {
    const lacking: string[] = []
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry === undefined || entry.isStale) lacking.push(id)
      if (entry === undefined) continue
      this.#entries.delete(id)
      this.#entries.set(id, entry)
    }
    return lacking
  }

  /** Stores fetched rows, except where a newer change arrived meanwhile. */
  put(rows: readonly JobRow[]): void {
    for (const row of rows) {
      const held = this.#entries.get(row.id)
      if (held === undefined || held.isStale || held.row.updatedAtMs <= row.updatedAtMs) this.#set(row)
    }
    this.#shrink()
  }

  /** Applies changed rows; only those that are cached or shown are kept. */
  update(rows: readonly JobRow[]): void {
    for (const row of rows) if (this.#entries.has(row.id) || this.#listeners.has(row.id)) this.#set(row)
    this.#shrink()
  }

  /** Marks all cached rows as possibly stale. */
  invalidate(): void {
    for (const entry of this.#entries.values()) entry.isStale = true
  }

  #shrink(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break
      if (!this.#listeners.has(id)) this.#entries.delete(id)
    }
  }

  #set(row: JobRow): void {
    this.#entries.delete(row.id)
    this.#entries.set(row.id, { row, isStale: false })
    for (const listener of this.#listeners.get(row.id) ?? []) listener()
  }
}
