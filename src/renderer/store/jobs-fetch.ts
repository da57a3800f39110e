import type { Result } from '../../shared/contract/call.ts'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { inBackground } from '../bridge/in-background.ts'
import type { RowCache } from './jobs-rows.ts'

interface FetchDeps {
  cache: RowCache
  ask: (ids: string[]) => Promise<Result<{ rows: JobRow[] }>>
  /** Calls back once; returns cancel. */
  setTimer: (delayMs: number, callback: () => void) => () => void
}

const CHUNK = 200
const AT_ONCE = 2
/** Lines that only pass by during scrolling are not fetched. The first lines of a list do not wait. */
const SETTLE_MS = 40
const RETRY_MS = 2000

/** Fetches the rows that are wanted now; earlier requests for rows that are out of sight are dropped. */
export class RowFetcher {
  readonly #deps: FetchDeps
  #wanted: readonly string[] = []
  readonly #inFlight = new Set<string>()
  /** Requested rows that no longer exist. */
  readonly #gone = new Set<string>()
  #running = 0
  #cancelTimer: (() => void) | null = null

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
  }

  #later(delayMs: number): void {
    this.#cancelTimer ??= this.#deps.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#begin()
    })
  }

  #begin(): void {
    while (this.#running < AT_ONCE) {
      const ids = this.#lacking()
      if (ids.length === 0) return
      inBackground(() => this.#fetch(ids))
    }
  }

  /** The first portion of those that have to be asked for. */
  #lacking(): string[] {
    return this.#deps.cache
      .want(this.#wanted)
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
