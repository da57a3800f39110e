import type { Problem } from '../core/attention.ts'

/** A problem is told once it has lasted: a key is often entered a moment after its address. */
const LASTS_MS = 3000
/** One that comes back sooner than this is still the same: a retry takes a held picture out of its hold for a moment. */
const GONE_MS = 60_000

interface Known {
  sinceMs: number
  seenMs: number
  told: boolean
}

/** Finds the problems that begin, each once until it has been gone for a minute. Times are monotonic milliseconds. */
export class AttentionEdge {
  readonly #known: Map<string, Known>

  /** `told`: what an earlier start told and may still be there. */
  constructor(told: readonly string[], atMs: number) {
    this.#known = new Map(told.map((key) => [key, { sinceMs: atMs, seenMs: atMs, told: true }]))
  }

  /** Whether any of the present problems begins now; with `isLast` also one that has not lasted yet. */
  begins(present: readonly Problem[], atMs: number, isLast = false): boolean {
    const keys = new Set(present.map(keyOf))
    for (const [key, one] of this.#known) {
      if (keys.has(key)) one.seenMs = atMs
      else if (!one.told || atMs - one.seenMs >= GONE_MS) this.#known.delete(key)
    }
    let begins = false
    for (const key of keys) {
      const one = this.#known.get(key) ?? { sinceMs: atMs, seenMs: atMs, told: false }
      this.#known.set(key, one)
      if (one.told || (!isLast && atMs - one.sinceMs < LASTS_MS)) continue
      one.told = true
      begins = true
    }
    return begins
  }

  /** What was told and has not been gone for long, for the next start. */
  told(): string[] {
    return [...this.#known].filter(([, { told }]) => told).map(([key]) => key)
  }

  /** When to look again because of a problem that has not lasted yet. */
  nextAtMs(): number {
    const pending = [...this.#known.values()].filter(({ told }) => !told)
    return Math.min(Infinity, ...pending.map(({ sinceMs }) => sinceMs + LASTS_MS))
  }
}

function keyOf({ code, subject }: Problem): string {
  return subject === null ? code : `${code} ${subject}`
}
