import type { Random } from '../shared/runtime/ports.ts'
import type { RouteId, WeatherEffect, WeatherRule } from './protocol.ts'

const DISPATCHES: ReadonlySet<RouteId> = new Set(['analyze', 'optimize', 'convert', 'process'])

function fits(on: WeatherRule['on'], route: RouteId): boolean {
  if (on === 'any') return true
  return on === 'dispatch' ? DISPATCHES.has(route) : on === route
}

/** The faults requested over the process channel, and how much of each is left. */
export class Weather {
  readonly #random: Random
  #rules: (WeatherRule & { left: number; toSkip: number })[] = []

  constructor(random: Random) {
    this.#random = random
  }

  get size(): number {
    return this.#rules.length
  }

  add(rules: WeatherRule[]): void {
    for (const rule of rules) {
      const left = rule.times ?? (rule.fraction === undefined ? 1 : Infinity)
      this.#rules.push({ ...rule, left, toSkip: rule.skip })
    }
  }

  clear(): void {
    this.#rules = []
  }

  /** What happens to this request; uses up one occurrence of the rule that applies. */
  next(route: RouteId): WeatherEffect | null {
    for (const rule of this.#rules) {
      if (!fits(rule.on, route)) continue
      if (rule.toSkip > 0) {
        rule.toSkip -= 1
        continue
      }
      if (rule.fraction !== undefined && this.#random() >= rule.fraction) continue
      rule.left -= 1
      if (rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule)
      return rule.effect
    }
    return null
  }
}
