/** What needs a person is told once it has lasted: a key is often entered a moment after its address. */
const LASTS_MS = 3000
/** One that comes back sooner than this is still the same: a retry takes a held picture out of its hold for a moment. */
const GONE_MS = 60_000

export interface Told {
  key: string
  /** When it was last there. */
  seenMs: number
}

interface Known {
  sinceMs: number
  seenMs: number
  told: boolean
}

/** What a person is to be told: each thing once, when it has lasted, and again only after it was gone for a while. Times are monotonic milliseconds. */
export class ConditionDebouncer {
  readonly #known: Map<string, Known>
  readonly #startMs: number
  readonly #goneMs: number

  /** `told`: what an earlier start told and may still be there, seen before `startMs`. */
  constructor(told: readonly Told[] = [], startMs = 0, goneMs = GONE_MS) {
    this.#startMs = startMs
    this.#goneMs = goneMs
    this.#known = new Map(told.map(({ key, seenMs }) => [key, { sinceMs: startMs, seenMs, told: true }]))
  }

  /** Keys that have lasted and were not told yet. With `isLast`, at the end of a command, also those that have not lasted; what is absent then is gone. */
  newlyActive(present: Iterable<string>, atMs: number, isLast = false): string[] {
    const keys = new Set(present)
    for (const [key, one] of this.#known) {
      const goneSinceMs = isLast ? one.seenMs : Math.max(one.seenMs, this.#startMs)
      if (keys.has(key)) one.seenMs = atMs
      else if (!one.told || atMs - goneSinceMs >= this.#goneMs) this.#known.delete(key)
    }
    const newly: string[] = []
    for (const key of keys) {
      const one = this.#known.get(key) ?? { sinceMs: atMs, seenMs: atMs, told: false }
      this.#known.set(key, one)
      if (one.told || (!isLast && atMs - one.sinceMs < LASTS_MS)) continue
      one.told = true
      newly.push(key)
    }
    return newly
  }

  /** What was told and has not been gone for long, for the next start. */
  told(): Told[] {
    return [...this.#known].filter(([, { told }]) => told).map(([key, { seenMs }]) => ({ key, seenMs }))
  }

  isTold(key: string): boolean {
    return this.#known.get(key)?.told === true
  }

  /** When to look again because of something that has not lasted yet. */
  nextAtMs(): number {
    const pending = [...this.#known.values()].filter(({ told }) => !told)
    return Math.min(Infinity, ...pending.map(({ sinceMs }) => sinceMs + LASTS_MS))
  }
}
