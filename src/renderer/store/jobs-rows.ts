import type { Result } from '../../shared/contract/call.ts'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { inBackground } from '../bridge/in-background.ts'

interface RowsDeps {
  ask: (ids: string[]) => Promise<Result<{ rows: JobRow[] }>>
  /** Calls back once; returns cancel. */
  setTimer: (delayMs: number, callback: () => void) => () => void
}

const MOST_HELD = 3000
const CHUNK = 200
const AT_ONCE = 2
/** Lines that only pass by during scrolling are not fetched. The first lines of a list do not wait. */
const SETTLE_MS = 40
const RETRY_MS = 2000

/**
 * The rows of jobs, of which those last wanted are held. Fetches the rows that are wanted now; earlier requests for rows that are out of
 * sight are dropped. A component listens to its own row only, so the cost of a change depends on what is on the screen and not on the
 * length of the list.
 */
export class JobRows {
  readonly #deps: RowsDeps
  readonly #most: number
  /** Least recently wanted first. What is stale is shown until it is fetched again. */
  readonly #held = new Map<string, { row: JobRow; isStale: boolean }>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #wanted: readonly string[] = []
  readonly #inFlight = new Set<string>()
  /** Requested rows that no longer exist. */
  readonly #gone = new Set<string>()
  #running = 0
  #cancelTimer: (() => void) | null = null

  constructor(deps: RowsDeps, most = MOST_HELD) {
    this.#deps = deps
    this.#most = most
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
    for (const row of rows) if (this.#held.has(row.id) || this.#listeners.has(row.id)) this.#set(row)
    this.#shrink()
  }

  /** All rows may be stale: the wanted ones are fetched again. */
  invalidate(): void {
    for (const entry of this.#held.values()) entry.isStale = true
    this.#gone.clear()
    if (this.#wanted.length > 0) this.#later(SETTLE_MS)
  }

  stop(): void {
    this.#wanted = []
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  async fetch(ids: string[]): Promise<void> {
    this.#running += 1
    for (const id of ids) this.#inFlight.add(id)
    const result = await this.#deps.ask(ids)
    this.#running -= 1
    for (const id of ids) this.#inFlight.delete(id)
    if (!result.ok) return this.#later(RETRY_MS)
    const { rows } = result.value
    for (const row of rows) {
      const held = this.#held.get(row.id)
      // A newer change may have arrived meanwhile.
      if (held === undefined || held.isStale || held.row.updatedAtMs <= row.updatedAtMs) this.#set(row)
    }
    this.#shrink()
    const found = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!found.has(id)) this.#gone.add(id)
    this.#begin()
  }

  #later(delayMs: number): void {
    this.#cancelTimer ??= this.#deps.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#begin()
    })
  }

  #begin(): void {
    for (const id of this.#wanted) {
      const entry = this.#held.get(id)
      if (entry === undefined) continue
      this.#held.delete(id)
      this.#held.set(id, entry)
    }
    while (this.#running < AT_ONCE) {
      const ids = this.#wanted.filter((id) => this.#isLacking(id)).slice(0, CHUNK)
      if (ids.length === 0) return
      inBackground(() => this.fetch(ids))
    }
  }

  #isLacking(id: string): boolean {
    return this.#held.get(id)?.isStale !== false && !this.#inFlight.has(id) && !this.#gone.has(id)
  }

  #shrink(): void {
    for (const id of this.#held.keys()) {
      if (this.#held.size <= this.#most) break
      if (!this.#listeners.has(id)) this.#held.delete(id)
    }
  }

  #set(row: JobRow): void {
    this.#held.delete(row.id)
    this.#held.set(row.id, { row, isStale: false })
    for (const listener of this.#listeners.get(row.id) ?? []) listener()
  }
}
