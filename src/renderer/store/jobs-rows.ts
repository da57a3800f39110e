import type { Result } from '../../shared/contract/call.ts'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { inBackground } from '../bridge/in-background.ts'

const MAX_HELD = 3000
const CHUNK = 200
/** Lines that only pass by during scrolling are not fetched. The first lines of a list do not wait. */
const SETTLE_MS = 40
const RETRY_MS = 2000

/**
 * The rows of jobs, of which those last wanted are held. Fetches the rows that are wanted now; rows that went out of sight before
 * they were requested are left out. A component listens to its own row only, so the cost of a change depends on what is on the
 * screen and not on the length of the list.
 */
export class JobRows {
  readonly #ask: (ids: string[]) => Promise<Result<{ rows: JobRow[] }>>
  /** Least recently wanted first; null for a job that no longer exists. What is stale is shown until it is fetched again. */
  readonly #held = new Map<string, { row: JobRow | null; isStale: boolean }>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #wanted: readonly string[] = []
  #isFetching = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ask: (ids: string[]) => Promise<Result<{ rows: JobRow[] }>>) {
    this.#ask = ask
  }

  readonly get = (id: string): JobRow | null => this.#held.get(id)?.row ?? null

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

  want(ids: readonly string[]): void {
    const isFirst = this.#wanted.length === 0
    this.#wanted = ids
    this.#later(isFirst ? 0 : SETTLE_MS)
  }

  /** Applies changed rows; only those that are held or shown are kept. */
  update(rows: readonly JobRow[]): void {
    for (const row of rows) if (this.#held.has(row.id) || this.#listeners.has(row.id)) this.#set(row.id, row)
    this.#shrink()
  }

  /** All rows may be stale: the wanted ones are fetched again. */
  invalidate(): void {
    for (const entry of this.#held.values()) entry.isStale = true
    if (this.#wanted.length > 0) this.#later(SETTLE_MS)
  }

  stop(): void {
    this.#wanted = []
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Resolves to whether they were answered. */
  async fetch(ids: string[]): Promise<boolean> {
    const result = await this.#ask(ids)
    if (!result.ok) return false
    const found = new Map(result.value.rows.map((row) => [row.id, row]))
    for (const id of ids) {
      const row = found.get(id) ?? null
      const held = this.#held.get(id)
      // A newer change may have arrived meanwhile.
      const isNews =
        held === undefined || held.isStale || row === null || (held.row?.updatedAtMs ?? 0) <= row.updatedAtMs
      if (isNews) this.#set(id, row)
    }
    this.#shrink()
    return true
  }

  #later(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      inBackground(() => this.#fetchWanted())
    }, delayMs)
  }

  async #fetchWanted(): Promise<void> {
    for (const id of this.#wanted) {
      const entry = this.#held.get(id)
      if (entry === undefined) continue
      this.#held.delete(id)
      this.#held.set(id, entry)
    }
    while (!this.#isFetching) {
      const ids = this.#wanted.filter((id) => this.#held.get(id)?.isStale !== false).slice(0, CHUNK)
      if (ids.length === 0) return
      this.#isFetching = true
      const isAnswered = await this.fetch(ids).finally(() => (this.#isFetching = false))
      if (!isAnswered) return this.#later(RETRY_MS)
    }
  }

  #shrink(): void {
    for (const id of this.#held.keys()) {
      if (this.#held.size <= MAX_HELD) break
      if (!this.#listeners.has(id)) this.#held.delete(id)
    }
  }

  #set(id: string, row: JobRow | null): void {
    this.#held.delete(id)
    this.#held.set(id, { row, isStale: false })
    for (const listener of this.#listeners.get(id) ?? []) listener()
  }
}
