import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { affordPlan, batchPrice, decideSpend, describeHold, spendGroups } from '../../src/main/core/spend-guard.ts'
import type { SpendGroup, SpendQuestion } from '../../src/main/core/spend-guard.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const question: SpendQuestion = {
  askAbove: 100,
  dispatchesWaiting: 10,
  confirmed: false,
  caps: { perDay: null, perMonth: null, perFolderPerDay: null },
  spent: { today: 0, thisMonth: 0, inFolderToday: 0 },
  maxCredits: null,
  creditsSpent: 0,
  creditsPerImage: null,
}

describe('decideSpend', () => {
  const burst = (dispatches: number) => ({ kind: 'hold', hold: { why: 'burst', dispatches, limit: 100 } })
  const allow = (dispatches: number) => ({ kind: 'allow', dispatches })
  const caps = { perDay: 50, perMonth: 60, perFolderPerDay: null }
  const spent = { today: 10, thisMonth: 55, inFolderToday: 0 }
  const monthUsedUp = { caps, spent: { ...spent, thisMonth: 60 } }
  const folderUsedUp = {
    caps: { perDay: 500, perMonth: null, perFolderPerDay: 20 },
    spent: { today: 30, thisMonth: 30, inFolderToday: 20 },
  }
  it.each<[what: string, Partial<SpendQuestion>, object]>([
    ['lets a hundred dispatches go without asking', { dispatchesWaiting: 100 }, allow(100)],
    ['holds a hundred and one as a whole', { dispatchesWaiting: 101 }, burst(101)],
    ['lets a burst go that a person confirmed', { dispatchesWaiting: 5000, confirmed: true }, allow(5000)],
    ['lets through what a cap still allows', { caps, spent }, allow(5)],
    [
      'holds when a cap is used up, confirmed or not',
      { ...monthUsedUp, confirmed: true },
      { kind: 'hold', hold: { why: 'cap', cap: 'perMonth', limit: 60, spent: 60 } },
    ],
    ['holds one folder at its own cap while the day has room', folderUsedUp, { hold: { cap: 'perFolderPerDay' } }],
    ['stays within --max-credits', { maxCredits: 20, creditsSpent: 6, creditsPerImage: 3 }, allow(4)],
    [
      'holds at --max-credits',
      { maxCredits: 20, creditsSpent: 18, creditsPerImage: 3 },
      { hold: { why: 'max_credits' } },
    ],
    ['sends nothing under it when no price is known', { maxCredits: 20 }, { hold: { why: 'price_unknown' } }],
  ])('%s', (_what, asked, decision) => {
    expect(decideSpend({ ...question, ...asked })).toMatchObject(decision)
  })

  it('never allows more than any of its limits, whatever the figures', () => {
    const count = fc.integer({ min: 0, max: 500 })
    const cap = fc.option(count)
    fc.assert(
      fc.property(
        count,
        fc.boolean(),
        cap,
        cap,
        count,
        count,
        (dispatchesWaiting, confirmed, perDay, maxCredits, today, creditsSpent) => {
          const caps = { ...question.caps, perDay }
          const spent = { ...question.spent, today }
          const asked = { dispatchesWaiting, confirmed, caps, spent, maxCredits, creditsSpent, creditsPerImage: 2 }
          const decision = decideSpend({ ...question, ...asked })
          if (decision.kind === 'hold') return
          expect(decision.dispatches).toBeLessThanOrEqual(dispatchesWaiting)
          if (!confirmed) expect(decision.dispatches).toBeLessThanOrEqual(100)
          if (perDay !== null) expect(today + decision.dispatches).toBeLessThanOrEqual(perDay)
          if (maxCredits !== null) expect(creditsSpent + 2 * decision.dispatches).toBeLessThanOrEqual(maxCredits)
        },
      ),
    )
  })

  it('says in words what would release the work', () => {
    expect(englishText(describeHold({ why: 'burst', dispatches: 300, limit: 100 }))).toMatch(/300 pictures.*approve/)
    expect(englishText(describeHold({ why: 'cap', cap: 'perFolderPerDay', limit: 20, spent: 20 }))).toMatch(
      /in this folder.*raise it/,
    )
  })
})

describe('affordPlan and batchPrice', () => {
  const group: SpendGroup = { operation: 'process', languageCount: 2, format: 'webp', images: 250 }

  it('asks for one hundred once and for the remainder, and multiplies', () => {
    const plan = affordPlan([group])
    expect(plan).toEqual({
      questions: [
        { question: { images: 100, languages: 2, format: 'webp' }, times: 2 },
        { question: { images: 50, languages: 2, format: 'webp' }, times: 1 },
      ],
      atMost: false,
    })
    const answers = [
      { required: 300, balance: 700 },
      { required: 150, balance: 700 },
    ]
    expect(batchPrice(plan, answers)).toEqual({ required: 750, balance: 700, shortfall: 50, atMost: false })
  })

  it('finds a shortfall that no answer alone shows', () => {
    const plan = affordPlan([
      { ...group, images: 60 },
      { ...group, images: 60, format: 'avif' },
    ])
    const each = { required: 60, balance: 100 }
    expect(batchPrice(plan, [each, each])).toMatchObject({ required: 120, shortfall: 20 })
  })

  it('prices another operation as the full pipeline and says that this is at most', () => {
    const plan = affordPlan([{ operation: 'optimize', languageCount: 7, format: 'webp', images: 3 }])
    expect(plan.questions).toEqual([{ question: { images: 3, languages: 1, format: 'webp' }, times: 1 }])
    expect(plan.atMost).toBe(true)
  })

  it('asks nothing for an empty batch', () => {
    const plan = affordPlan([{ ...group, images: 0 }])
    expect(plan).toEqual({ questions: [], atMost: false })
    expect(batchPrice(plan, [])).toBeNull()
  })

  it('asks about every image exactly once, in questions of 1 to 100', () => {
    const groups = fc.array(
      fc.record({
        operation: fc.constantFrom('process' as const, 'analyze' as const),
        languageCount: fc.integer({ min: 1, max: 10 }),
        format: fc.constantFrom('webp' as const, 'avif' as const),
        images: fc.integer({ min: 0, max: 1000 }),
      }),
    )
    fc.assert(
      fc.property(groups, (batch) => {
        const { questions } = affordPlan(batch)
        const asked = questions.reduce((sum, { question: { images }, times }) => sum + images * times, 0)
        expect(asked).toBe(batch.reduce((sum, { images }) => sum + images, 0))
        expect(questions.every(({ question: { images } }) => images >= 1 && images <= 100)).toBe(true)
      }),
    )
  })
})

describe('spendGroups', () => {
  it('groups what would be sent by operation, number of languages and format', () => {
    const keys = [
      'https://images.example|a|process|de,en|webp',
      'https://images.example|b|process|de,fr|webp',
      'https://images.example|c|process|de,fr|avif',
      'https://images.example|d|analyze|en|-',
      'https://images.example|e|optimize|-|-',
    ]
    expect(spendGroups(keys, 'avif')).toEqual([
      { operation: 'process', languageCount: 2, format: 'webp', images: 1 },
      { operation: 'process', languageCount: 2, format: 'webp', images: 1 },
      { operation: 'process', languageCount: 2, format: 'avif', images: 1 },
      { operation: 'analyze', languageCount: 1, format: 'avif', images: 1 },
      { operation: 'optimize', languageCount: 1, format: 'avif', images: 1 },
    ])
  })

  it('counts the same content once: it is sent once', () => {
    const key = 'practice|a|process|en|webp'
    expect(spendGroups([key, key, 'practice|b|process|en|webp'], 'webp')).toEqual([
      { operation: 'process', languageCount: 1, format: 'webp', images: 2 },
    ])
  })
})
