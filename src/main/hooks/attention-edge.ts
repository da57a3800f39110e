import type { Problem } from '../core/attention.ts'

/** A problem is told once it has lasted: a key is often entered a moment after its address. */
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

/** Finds the problems that begin, each once until it has been gone for a minute. Times are monotonic milliseconds. */
export class AttentionEdge {
  readonly #known: Map<string, Known>
  readonly #startMs: number

  /** `told`: what an earlier start told and may still be there, seen before `startMs`. */
  constructor(told: readonly Told[], startMs: number) {
    this.#startMs = startMs
    this.#known = new Map(told.map(({ key, seenMs }) => [key, { sinceMs: startMs, seenMs, told: true }]))
  }

  /**
   * Whether any of the present problems begins now. With `isLast`, at the end of a command, also one that has not lasted yet; and what is
   * not there then was gone since an earlier start saw it. Before, a new start may have taken it away for a moment only.
   */
  begins(present: readonly Problem[], atMs: number, isLast = false): boolean {
    const keys = new Set(present.map(keyOf))
    for (const [key, one] of this.#known) {
      const goneSinceMs = isLast ? one.seenMs : Math.max(one.seenMs, this.#startMs)
      if (keys.has(key)) one.seenMs = atMs
      else if (!one.told || atMs - goneSinceMs >= GONE_MS) this.#known.delete(key)
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
  told(): Told[] {
    return [...this.#known].filter(([, { told }]) => told).map(([key, { seenMs }]) => ({ key, seenMs }))
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
