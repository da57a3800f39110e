/**
 * How well several computers with a backlog use the limit that they share, in simulated time: the real queue of each, and the rule by
 * which the team ledger grants slots (`take` and `share` in `src/main/team/ledger-functions.ts`) in memory. That the
 * rule is right is for the tests with PostgreSQL.
 */
import { OWN_LEDGER, type AccountLedger, type Urgency } from '../../src/main/core/account-ledger.ts'
import { QueueBench } from '../../test/queue/queue-bench.ts'
import { SimulatedService } from '../../test/simulation/simulated-service.ts'
import { VirtualClock } from '../../test/simulation/virtual-clock.ts'

const LIMIT = 60
const SLOT_LIFE_MS = 60_100
const PICTURES = 400
const MINUTE = 60_000
/** Counted after the first three minutes, in which each computer learns how long the service takes. */
const COUNTED = { fromMs: 3 * MINUTE, toMs: 13 * MINUTE }
const WINDOW_MS = 3 * MINUTE

/** Repeatable. */
function seeded(): () => number {
  let state = 7
  return () => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) / 0x7fffffff
}

interface Slot {
  computer: number
  answeredAtMs: number | null
}

/** The ledger's rule for the slots of one account. */
class LedgerModel {
  readonly slots = new Set<Slot>()
  readonly wantsAtMs: number[]
  readonly #clock: VirtualClock

  constructor(clock: VirtualClock, computers: number) {
    this.#clock = clock
    this.wantsAtMs = Array<number>(computers).fill(-Infinity)
  }

  live(computer?: number): number {
    const nowMs = this.#clock.monotonicMs()
    for (const slot of this.slots) if ((slot.answeredAtMs ?? nowMs) <= nowMs - SLOT_LIFE_MS) this.slots.delete(slot)
    return [...this.slots].filter((slot) => computer === undefined || slot.computer === computer).length
  }

  share(computer: number): number {
    const nowMs = this.#clock.monotonicMs()
    const others = this.#othersThan(computer)
    const wanting = others.filter((other) => this.wantsAtMs[other]! > nowMs - 15_000)
    const idle = others.filter((other) => !wanting.includes(other)).reduce((sum, other) => sum + this.live(other), 0)
    return Math.max(1, (LIMIT - idle) / (1 + wanting.length))
  }

  take(computer: number): Slot | { retryMs: number } {
    const nowMs = this.#clock.monotonicMs()
    const free = LIMIT - this.live()
    const share = Math.floor(this.share(computer))
    const due = this.#othersThan(computer)
      .filter((other) => this.wantsAtMs[other]! > nowMs - 2000)
      .reduce((sum, other) => sum + Math.max(0, share - this.live(other)), 0)
    this.wantsAtMs[computer] = nowMs
    if (free > 0 && (this.live(computer) < share || free > due)) {
      const slot = { computer, answeredAtMs: null }
      this.slots.add(slot)
      return slot
    }
    const nextAtMs = Math.min(...[...this.slots].map(({ answeredAtMs }) => (answeredAtMs ?? nowMs) + SLOT_LIFE_MS))
    return { retryMs: free > 0 ? 250 : Math.max(50, Math.min(1000, nextAtMs - nowMs)) }
  }

  #othersThan(computer: number): number[] {
    return this.wantsAtMs.map((_at, other) => other).filter((other) => other !== computer)
  }
}

/** One computer's side of the model; a statement takes some milliseconds. */
function ledgerOf(model: LedgerModel, bench: QueueBench, computer: number, random: () => number): AccountLedger {
  const { clock, lane, runner } = bench
  let plan = LIMIT
  const beat = () => {
    if (lane.slots.hasBacklog) model.wantsAtMs[computer] = clock.monotonicMs()
    plan = Math.ceil(model.share(computer))
    runner.wake()
    clock.setTimer(5000, beat)
  }
  clock.setTimer(5000 * random(), beat)
  return {
    ...OWN_LEDGER,
    share: (limit) => Math.min(limit, plan),
    permit: async (_urgency: Urgency) => {
      await new Promise<void>((done) => clock.setTimer(2 + 6 * random(), done))
      const taken = model.take(computer)
      plan = Math.ceil(model.share(computer))
      if ('retryMs' in taken) return { kind: 'denied', retryMs: taken.retryMs }
      const answered = () => {
        taken.answeredAtMs = clock.monotonicMs()
      }
      return { kind: 'granted', permit: { isCurrent: () => true, answered, unused: () => model.slots.delete(taken) } }
    },
  }
}

async function simulate(computers: number): Promise<string[]> {
  const clock = new VirtualClock()
  const random = seeded()
  // 3 seconds a picture.
  const service = new SimulatedService(clock, () => 0.05)
  const model = new LedgerModel(clock, computers)
  const benches = Array.from({ length: computers }, () => new QueueBench(clock, service, random))
  for (const [nth, bench] of benches.entries()) {
    if (computers > 1) bench.lane.ledger = ledgerOf(model, bench, nth, random)
    for (let picture = 0; picture < PICTURES / computers; picture += 1) await bench.add(`${nth}-${picture}`)
  }
  for (const bench of benches) bench.runner.start()
  const startMs = clock.monotonicMs()
  await clock.advance(COUNTED.toMs)
  const calls = service.countedAtMs.map((atMs) => atMs - startMs)
  const callsIn = (fromMs: number, toMs: number) => calls.filter((atMs) => atMs >= fromMs && atMs < toMs).length
  const windows = []
  for (let fromMs = COUNTED.fromMs; fromMs + WINDOW_MS <= COUNTED.toMs; fromMs += 5000)
    windows.push(callsIn(fromMs, fromMs + WINDOW_MS))
  const done = benches.map(({ store }) => store.count().done)
  const perMinute = (callsIn(COUNTED.fromMs, COUNTED.toMs) * MINUTE) / (COUNTED.toMs - COUNTED.fromMs)
  return [
    `${computers}`,
    perMinute.toFixed(1),
    `${Math.min(...windows)} to ${Math.max(...windows)}`,
    `${done.reduce((sum, each) => sum + each, 0)}`,
    `${Math.min(...done)} to ${Math.max(...done)}`,
  ]
}

console.log(
  `${LIMIT} calls a minute, a backlog on each computer, 13 minutes; the ten after the first three are counted.\n`,
)
console.log('| computers | calls a minute | calls in any 3 minutes | pictures done | by each |')
console.log('| ---: | ---: | ---: | ---: | ---: |')
for (const computers of [1, 2, 4, 8]) console.log(`| ${(await simulate(computers)).join(' | ')} |`)
process.exit(0)
