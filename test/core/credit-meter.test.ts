import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CreditMeter, isMeterDue, isPrice, meteredSpend, readMeter } from '../../src/main/core/credit-meter.ts'
import { decideSpend } from '../../src/main/core/spend-guard.ts'

const reading = { accountId: 'A', balance: 100, perImage: 2, seen: 0, begun: 0, begunOfAll: 0, lastDispatch: 0 }
const begun = readMeter(null, reading)
const at = (changes: Partial<typeof reading>, meter: CreditMeter | null = begun) =>
  readMeter(meter, { ...reading, ...changes })

describe('a meter', () => {
  it('counts what was not seen yet at the stated price', () => {
    expect(meteredSpend(begun, 3)).toEqual({ credits: 6, perImage: 2, fell: null })
  })

  it('counts a fall that the price does not explain, and expects it of the next picture', () => {
    const meter = at({ balance: 90, seen: 2, begun: 2, begunOfAll: 2 })
    expect(meteredSpend(meter, 3)).toEqual({ credits: 15, perImage: 5, fell: { credits: 10, pictures: 2 } })
  })

  it('takes no price for a false one because the balance shows pictures under way', () => {
    const meter = at({ balance: 92, seen: 1, begun: 4, begunOfAll: 4 })
    expect(meteredSpend(meter, 4)).toMatchObject({ perImage: 2, fell: null })
  })

  it('never counts less than the stated price, whatever the balance does', () => {
    expect(meteredSpend(at({ balance: 99, seen: 4, begun: 4, begunOfAll: 4 }), 4)).toMatchObject({
      credits: 8,
      fell: null,
    })
    expect(meteredSpend(at({ balance: 500, seen: 4, begun: 4, begunOfAll: 4 }), 4)).toMatchObject({
      credits: 8,
      fell: null,
    })
  })

  it('shares a fall with the pictures of other runs, and leaves out one from before anything was sent', () => {
    expect(meteredSpend(at({ balance: 60, seen: 1, begun: 1, begunOfAll: 4 }), 1)).toMatchObject({ credits: 10 })
    const quiet = at({ balance: 60 })
    expect(meteredSpend(at({ balance: 58, seen: 1, begun: 1, begunOfAll: 1 }, quiet), 1)).toEqual({
      credits: 2,
      perImage: 2,
      fell: null,
    })
  })

  it('counts pictures that a purchase or a change of account hides at the highest price known', () => {
    const dear = at({ balance: 90, seen: 2, begun: 2, begunOfAll: 2 })
    expect(meteredSpend(at({ balance: 400, seen: 4, begun: 4, begunOfAll: 4 }, dear), 4)).toMatchObject({ credits: 20 })
    expect(meteredSpend(at({ accountId: 'B', balance: 7, seen: 4, begun: 4, begunOfAll: 4 }, dear), 4)).toMatchObject({
      credits: 20,
    })
  })

  it('knows what a price is', () => {
    expect([1, 0.01].every(isPrice)).toBe(true)
    expect([0, -0, -3, Infinity, Number.NaN].some(isPrice)).toBe(false)
  })

  it('keeps a limit at any constant real price with several pictures under way, and uses up an honest one', () => {
    const price = fc.integer({ min: 1, max: 20 })
    const abreast = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(price, price, fc.integer({ min: 0, max: 100 }), abreast, (real, said, limit, most) => {
        const caps = { perDay: null, perMonth: null, perFolderPerDay: null }
        const spent = { today: 0, thisMonth: 0, inFolderToday: 0 }
        const question = { dispatchesWaiting: 1, askAbove: Infinity, confirmed: true, caps, spent, maxCredits: limit }
        const ask = (before: CreditMeter | null) =>
          at({ balance: 1000 - real * sent, perImage: said, seen: sent - open, begun: sent, begunOfAll: sent }, before)
        let [sent, open] = [0, 0]
        let meter = ask(null)
        for (;;) {
          const { credits, perImage } = meteredSpend(meter, sent)
          const { kind } = decideSpend({ ...question, creditsSpent: credits, creditsPerImage: perImage })
          if (kind === 'hold' && sent === meter.seen) break
          if (kind === 'allow' && !isMeterDue(meter, sent) && open < most) [sent, open] = [sent + 1, open + 1]
          else if (sent - open > meter.seen) meter = ask(meter)
          else open -= 1
        }
        expect(sent * real).toBeLessThanOrEqual(Math.max(limit, real))
        if (real <= said) expect(sent).toBe(Math.floor(limit / said))
      }),
    )
  })
})
