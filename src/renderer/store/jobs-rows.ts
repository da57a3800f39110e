import type { JobRow } from '../../shared/ui-contract.ts'

interface Entry {
  row: JobRow
  /** Taken before the last `distrust`: shown, but to be asked for again. */
  old: boolean
}

/**
 * Lines of the list that were looked at, at most `limit`; those not wanted for longest go first. A component that shows a line
 * listens to that line alone, so a change costs what is on the screen and not what is in the list.
 */
export class RowCache {
  readonly #limit: number
  /** In the order they were last wanted. */
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

  /** Marks ids as wanted now and gives those that have to be asked for, in the same order. */
  want(ids: readonly string[]): string[] {
    const lacking: string[] = []
    for (const id of ids) {
      const entry = this.#entries.get(id)
      if (entry === undefined || entry.old) lacking.push(id)
      if (entry === undefined) continue
      this.#entries.delete(id)
      this.#entries.set(id, entry)
    }
    return lacking
  }

  /** Rows that were asked for. Where a change arrived meanwhile, that is newer. */
  put(rows: readonly JobRow[]): void {
    for (const row of rows) {
      const held = this.#entries.get(row.id)
      if (held === undefined || held.old || held.row.updatedAtMs <= row.updatedAtMs) this.#set(row)
    }
    this.#shrink()
  }

  /** Rows that changed, whether anybody looks at them or not: only those that are held or shown are kept. */
  update(rows: readonly JobRow[]): void {
    for (const row of rows) if (this.#entries.has(row.id) || this.#listeners.has(row.id)) this.#set(row)
    this.#shrink()
  }

  /** All that is held may have changed unseen. */
  distrust(): void {
    for (const entry of this.#entries.values()) entry.old = true
  }

  #shrink(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break
      if (!this.#listeners.has(id)) this.#entries.delete(id)
    }
  }

  #set(row: JobRow): void {
    this.#entries.delete(row.id)
    this.#entries.set(row.id, { row, old: false })
    for (const listener of this.#listeners.get(row.id) ?? []) listener()
  }
}
