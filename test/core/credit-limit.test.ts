import { describe, expect, it } from 'vitest'
import { MAX_UNSEEN, readMeter, unexplainedFall, withinLimit } from '../../src/main/core/credit-limit.ts'
import type { CreditMeter } from '../../src/main/core/credit-limit.ts'
import { seededRandom } from '../../src/practice/seeded-random.ts'

const look = { accountId: 'A', balance: 100, price: 2, seen: 0 }
const first = readMeter(null, look)
const after = (changes: Partial<typeof look>, meter: CreditMeter = first) => readMeter(meter, { ...look, ...changes })

describe('a meter', () => {
  it('counts what no look has shown at the stated price', () => {
    expect(withinLimit(first, { sent: 3, ended: 0 }, 100, 2)).toEqual({ kind: 'wait', credits: 6, perImage: 2 })
  })

  it('counts every fall, and expects it of the next picture', () => {
    const meter = after({ balance: 90, seen: 2 })
    expect(withinLimit(meter, { sent: 3, ended: 2 }, 100, 2)).toEqual({ kind: 'send', credits: 15, perImage: 5 })
  })

  it('never counts less than the stated price', () => {
    const sent = { sent: 4, ended: 4 }
    expect(withinLimit(after({ balance: 99, seen: 4 }), sent, 100, 2)).toMatchObject({ credits: 8 })
    expect(withinLimit(after({ balance: 500, seen: 4 }), sent, 100, 2)).toMatchObject({ credits: 8 })
  })

  it('counts pictures that a purchase or a change of account hides at the highest price known', () => {
    const dear = after({ balance: 90, seen: 2 })
    const sent = { sent: 4, ended: 4 }
    expect(withinLimit(after({ balance: 400, seen: 4 }, dear), sent, 100, 2)).toMatchObject({ credits: 20 })
    expect(withinLimit(after({ accountId: 'B', balance: 7, seen: 4 }, dear), sent, 100, 2)).toMatchObject({
      credits: 20,
    })
  })

  it('lets the first picture leave alone, then one more than was seen, at most four', () => {
    const most = (seen: number) => {
      let sent = seen
      while (withinLimit(after({ balance: 100 - 2 * seen, seen }), { sent, ended: seen }, 1000, 2).kind === 'send')
        sent += 1
      return sent - seen
    }
    expect([0, 1, 2, 3, 9].map(most)).toEqual([1, 2, 3, 4, 4])
  })
})

describe('a fall while pictures were refused', () => {
  const before = { balance: 100, ended: 5 }
  it('is explained by the pictures that were accepted, at the stated price', () => {
    expect(unexplainedFall(before, 94, 7, 3)).toBe(0)
    expect(unexplainedFall(before, 90, 7, 3)).toBe(4)
    expect(unexplainedFall(before, 97, 5, 3)).toBe(3)
    expect(unexplainedFall(before, 150, 5, 3)).toBe(0)
  })
})

/** When a service charges: as the picture arrives, with its answer, or as its job ends. */
type When = 'arrival' | 'answer' | 'end'

interface Service {
  /** The price that the nth question is answered with. */
  stated: (n: number) => number
  /** What the nth picture really costs, in one or two charges. */
  charges: (n: number) => { credits: number; when: When }[]
  /** Whether it is accepted, refused, or its answer lost. */
  outcome: (n: number) => 'accepted' | 'refused' | 'lost'
}

const pick = <Value>(random: () => number, ...values: Value[]): Value => values[Math.floor(random() * values.length)]!

/** Charges for refusals, for nothing, twice or late, and states any price. */
function anyService(random: () => number): Service {
  const real = pick(random, 0, 1, 3, 3, 10, 100)
  const [varies, twice] = [random() < 0.3, random() < 0.3]
  const [plain, varied] = [[Math.max(1, real), 0.01, 1, real * 10 + 1], () => 1 + Math.floor(random() * 20)]
  const stated = pick<() => number>(random, ...plain.map((price) => () => price), varied)
  const refusals = pick(random, 0, 0.1, 0.5, 1)
  const losses = pick(random, 0, 0, 0.2)
  const [when, freeRefusals] = [pick<When>(random, 'arrival', 'answer', 'end'), random() < 0.3]
  const outcomes: ReturnType<Service['outcome']>[] = []
  const outcome = (n: number) =>
    (outcomes[n] ??= random() < refusals ? 'refused' : random() < losses ? 'lost' : 'accepted')
  return {
    stated,
    outcome,
    charges: (n) => {
      if (outcome(n) === 'refused' && freeRefusals) return []
      const credits = varies ? Math.floor(random() * (2 * real + 1)) : real
      return [{ credits, when }, ...(twice ? [{ credits, when: pick<When>(random, 'arrival', 'end') }] : [])]
    },
  }
}

interface Sent {
  cost: number
  answerIn: number
  endIn: number
  isSeen: boolean
}

/** Sends as many pictures as the rule allows; events come in any order. */
function run(service: Service, limit: number, pictures: number, random: () => number) {
  let [balance, taken, asked] = [1_000_000, 0, 0]
  let meter: CreditMeter | null = null
  let price = service.stated(0)
  const sent: Sent[] = []
  /** When the last picture left, with it. */
  let inFlight: Sent[] = []
  const charges: { one: Sent; credits: number; when: When }[] = []
  const settle = (one: Sent, when: When) => {
    for (const charge of charges.filter((each) => each.one === one && each.when === when)) {
      balance -= charge.credits
      taken += charge.credits
      charges.splice(charges.indexOf(charge), 1)
    }
  }
  for (let turn = 0; turn < 50_000; turn += 1) {
    const ended = sent.filter(({ endIn }) => endIn <= 0)
    const { kind } = withinLimit(meter, { sent: sent.length, ended: ended.length }, limit, price)
    const mayAct = random() < 0.7
    if (kind === 'hold' || (kind === 'send' && sent.length === pictures)) {
      if (sent.every(({ endIn }) => endIn <= 0)) break
    } else if (mayAct && kind === 'ask') {
      // Between question and answer others may end, which this look does not vouch for.
      const seen = ended.length
      for (const one of ended) one.isSeen = true
      asked += 1
      price = Math.max(price, service.stated(asked))
      meter = readMeter(meter, { accountId: 'A', balance, price, seen })
      continue
    } else if (mayAct && kind === 'send') {
      const outcome = service.outcome(sent.length)
      const answerIn = 1 + Math.floor(random() * 3)
      // What a lost answer hides ends within the time for which it counts as under way.
      const endIn = outcome === 'refused' ? answerIn : answerIn + Math.floor(random() * 6)
      const list = service.charges(sent.length)
      const cost = list.reduce((sum, { credits }) => sum + credits, 0)
      const one: Sent = { cost, answerIn, endIn, isSeen: false }
      sent.push(one)
      inFlight = sent.filter(({ isSeen }) => !isSeen)
      for (const { credits, when } of list) charges.push({ one, credits, when })
      settle(one, 'arrival')
      continue
    }
    for (const one of sent) {
      one.answerIn -= 1
      one.endIn -= 1
      if (one.answerIn === 0) settle(one, 'answer')
      if (one.endIn === 0) settle(one, 'end')
    }
  }
  return { taken, unseen: inFlight.length, inFlight: inFlight.reduce((sum, { cost }) => sum + cost, 0) }
}

describe('a limit in credits', () => {
  it('is a limit on the balance at 10,000 services that charge for anything, at any time, and state any price', () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = seededRandom(seed)
    for (let n = 0; n < 10_000; n += 1) {
      const limit = Math.floor(random() * 400)
      const { taken, unseen, inFlight } = run(anyService(random), limit, 60, random)
      expect(taken, `service ${n} of seed ${seed}`).toBeLessThanOrEqual(limit + inFlight)
      expect(unseen, `seed ${seed}`).toBeLessThanOrEqual(MAX_UNSEEN)
    }
  })

  it('is used up at an honest price, to the last picture', () => {
    const cases = { 3: [30, 31], 1: [20], 7: [6] }
    for (const [price, limit] of Object.entries(cases).flatMap(([of, all]) =>
      all.map((one) => [Number(of), one] as const),
    )) {
      const charges: Service['charges'] = () => [{ credits: price, when: 'answer' }]
      const honest: Service = { stated: () => price, charges, outcome: () => 'accepted' }
      const { taken } = run(honest, limit, 60, seededRandom(limit))
      expect(taken).toBe(Math.floor(limit / price) * price)
    }
  })
})
