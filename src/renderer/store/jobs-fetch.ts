import type { Result } from '../../shared/contract/call.ts'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { inBackground } from '../bridge/in-background.ts'
import type { RowCache } from './jobs-rows.ts'

interface FetchDeps {
  cache: RowCache
  ask: (ids: string[]) => Promise<Result<{ rows: JobRow[] }>>
  /** Rows that have to be at hand although they are out of sight. */
  rest: () => readonly string[]
  /** Calls back once; returns cancel. */
  setTimer: (delayMs: number, callback: () => void) => () => void
}

const CHUNK = 200
const AT_ONCE = 2
/** Lines that only pass by during scrolling are not fetched. The first lines of a list do not wait. */
const SETTLE_MS = 40
const RETRY_MS = 2000
const REST_EVERY_MS = 500

/**
 * Fetches the rows that are wanted now; earlier requests for rows that are out of sight are dropped. Once they are there, it
 * fetches the `rest` without hurry.
 */
export class RowFetcher {
  readonly #deps: FetchDeps
  #wanted: readonly string[] = []
  readonly #inFlight = new Set<string>()
  /** Requested rows that no longer exist. */
  readonly #gone = new Set<string>()
  #running = 0
  #cancelTimer: (() => void) | null = null
  #cancelRest: (() => void) | null = null

  constructor(deps: FetchDeps) {
    this.#deps = deps
  }

  want(ids: readonly string[]): void {
    const isFirst = this.#wanted.length === 0
    this.#wanted = ids
    this.#later(isFirst ? 0 : SETTLE_MS)
  }

  /** Cached rows may be stale: fetch the wanted ones again. */
  invalidate(): void {
    this.#deps.cache.invalidate()
    this.#gone.clear()
    if (this.#wanted.length > 0) this.#later(SETTLE_MS)
  }

  stop(): void {
    this.#wanted = []
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#cancelRest?.()
    this.#cancelRest = null
  }

  #later(delayMs: number): void {
    this.#cancelTimer ??= this.#deps.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#begin()
    })
  }

  #begin(): void {
    while (this.#running < AT_ONCE) {
      const ids = this.#lacking(this.#wanted)
      if (ids.length === 0) return this.#restLater()
      inBackground('jobs-fetch.fetch', () => this.#fetch(ids))
    }
  }

  #restLater(): void {
    if (this.#running > 0 || this.#wanted.length === 0) return
    this.#cancelRest ??= this.#deps.setTimer(REST_EVERY_MS, () => {
      this.#cancelRest = null
      const ids = this.#running > 0 ? [] : this.#lacking(this.#deps.rest())
      if (ids.length > 0) inBackground('jobs-fetch.fetch', () => this.#fetch(ids))
    })
  }

  /** The first portion of those that have to be asked for. */
  #lacking(ids: readonly string[]): string[] {
    return this.#deps.cache
      .want(ids)
      .filter((id) => !this.#inFlight.has(id) && !this.#gone.has(id))
      .slice(0, CHUNK)
  }

  async #fetch(ids: string[]): Promise<void> {
    this.#running += 1
    for (const id of ids) this.#inFlight.add(id)
    const result = await this.#deps.ask(ids)
    this.#running -= 1
    for (const id of ids) this.#inFlight.delete(id)
    if (!result.ok) return this.#later(RETRY_MS)
    this.#deps.cache.put(result.value.rows)
    const found = new Set(result.value.rows.map(({ id }) => id))
    for (const id of ids) if (!found.has(id)) this.#gone.add(id)
    this.#begin()
  }
}
