import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/main/core/answer.ts'
import { collectChargers, type ChargerPage } from '../../src/main/services/collect-chargers.ts'
import type { ChargerReading } from '../../src/shared/chargers/charger-status.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { COLLECT, realClock } from './harness.ts'

interface Meta {
  total: number | null
  lastPage: number | null
}

type ListAt = (request: number) => { ids: readonly number[] } & Partial<Meta>

/** A service whose list and figures are what `listAt` gives at each request, counted from 1. */
class Service {
  readonly asked: number[] = []
  readonly #listAt: ListAt

  constructor(listAt: ListAt) {
    this.#listAt = listAt
  }

  page = async (page: number, perPage: number): Promise<Answer<ChargerPage>> => {
    this.asked.push(page)
    const { ids, ...meta } = this.#listAt(this.asked.length)
    const chargers = ids
      .slice((page - 1) * perPage, page * perPage)
      .map((id, at) => charger({ id, airfield: `${page}.${at}` }))
    const figures: Meta = { total: ids.length, lastPage: Math.max(1, Math.ceil(ids.length / perPage)), ...meta }
    return { kind: 'ok', status: 200, value: { chargers, unusable: 0, sizeBytes: 0, ...figures } }
  }

  async read(): Promise<ChargerReading & { ids: number[] }> {
    const answer = await collectChargers(this.page, realClock, COLLECT)
    if (answer.kind !== 'ok') throw new Error(answer.kind)
    return { ...answer.value, ids: answer.value.chargers.map(({ id }) => id) }
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
const without = (list: readonly number[], ...gone: number[]) => list.filter((id) => !gone.includes(id))
const ALL = range(1, 450)

describe('A list whose figures do not go together', () => {
  it.each([
    ['a last page that is too small', { lastPage: 1 }],
    ['a last page that is too small, without a total', { lastPage: 1, total: null }],
    ['no last page', { lastPage: null }],
    ['no figures', { lastPage: null, total: null }],
    ['a last page that is too large', { lastPage: 9 }],
    ['a total that is too small', { total: 7 }],
    ['a total and a last page that are too small', { total: 7, lastPage: 1 }],
  ])('is read to its end with %s, and is complete', async (_, meta) => {
    expect(await new Service(() => ({ ids: ALL, ...meta })).read()).toMatchObject({ ids: ALL, gap: null })
  })

  it('lacks chargers when its total says so at every reading', async () => {
    const service = new Service(() => ({ ids: ALL, total: 460 }))
    expect((await service.read()).gap).toEqual({ code: 'short', listed: 450, counted: 460 })
    // Page 4 may have them. A second reading is the same, and there is no third.
    expect(service.asked).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
  })

  it('is complete when each page counts for itself, at every reading the same', async () => {
    const service = new Service((request) => ({ ids: ALL, total: [200, 200, 50][(request - 1) % 3]! }))
    const { ids, gap } = await service.read()
    expect({ ids, gap }).toEqual({ ids: ALL, gap: null })
  })
})

describe('An empty page', () => {
  it('in the middle is no end: the list is read again', async () => {
    const service = new Service((request) => (request === 2 ? { ids: [], total: 450, lastPage: 3 } : { ids: ALL }))
    const { ids, gap } = await service.read()
    expect({ ids, gap }).toEqual({ ids: ALL, gap: null })
    expect(service.asked).toEqual([1, 2, 1, 2, 3])
  })

  it('ends the reading, whatever the last page is said to be', async () => {
    const service = new Service(() => ({ ids: range(1, 3), lastPage: 2000, total: 9 }))
    expect((await service.read()).gap).toEqual({ code: 'short', listed: 3, counted: 9 })
    expect(service.asked).toEqual([1, 2, 1, 2])
  })
})

describe('An id that is in the list twice', () => {
  it.each([
    ['on one page, the total counting records', [...range(1, 5), 5, ...range(6, 450)], 451],
    ['on one page, the total counting ids', [...range(1, 5), 5, ...range(6, 450)], 450],
    ['on pages far apart, counted as records', [...ALL, 7], 451],
    ['on pages far apart, counted as ids', [...ALL, 7], 450],
    ['alone on the last page', [...range(1, 400), 7], 401],
  ])('%s leaves it complete after a second reading, and the last record counts', async (_, ids, total) => {
    const service = new Service(() => ({ ids, total }))
    const read = await service.read()
    expect(read.gap).toBeNull()
    expect(read.ids).toEqual(ALL.slice(0, read.ids.length))
    expect(service.asked).toHaveLength(2 * Math.ceil(ids.length / 200))
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)!
    const last = ids.lastIndexOf(twice)
    expect(read.chargers[twice - 1]!.airfield).toBe(`${Math.floor(last / 200) + 1}.${last % 200}`)
  })

  it('does not stand for a charger that is missing', async () => {
    const service = new Service(() => ({ ids: [...range(1, 449), 7], total: 460 }))
    expect((await service.read()).gap).toEqual({ code: 'short', listed: 449, counted: 460 })
  })
})

describe('A list that changes while it is read', () => {
  it('is read again when a charger goes', async () => {
    const service = new Service((request) => ({ ids: request === 1 ? ALL : without(ALL, 5) }))
    expect(await service.read()).toMatchObject({ ids: without(ALL, 5), gap: null })
  })

  it('is read again when one comes and one goes, so that the total stays', async () => {
    const after = [0, ...without(ALL, 430)]
    const service = new Service((request) => ({ ids: request === 1 ? ALL : after }))
    expect(await service.read()).toMatchObject({ ids: after, gap: null })
  })

  it('without an end is never called complete', async () => {
    const service = new Service((request) => ({ ids: without(ALL, ...range(1, request)) }))
    expect(await service.read()).toMatchObject({ gap: { code: 'changing' } })
    expect(service.asked).toHaveLength(9)
  })

  it('is not called complete when it is not as it was at any request, while chargers only come or only go', async () => {
    const change = fc.record({ at: fc.integer({ min: 1, max: 12 }), id: fc.integer({ min: 1, max: 900 }) })
    const changes = fc.uniqueArray(change, { maxLength: 8, selector: ({ id }) => id })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 900 }), changes, fc.boolean(), async (count, list, comes) => {
        const ids = new Set(list.map(({ id }) => id))
        const listAt = (request: number) => {
          const changed = new Set(list.filter(({ at }) => at <= request).map(({ id }) => id))
          return range(1, count).filter((id) => (comes ? !ids.has(id) || changed.has(id) : !changed.has(id)))
        }
        const service = new Service((request) => ({ ids: listAt(request) }))
        const read = await service.read()
        if (read.gap !== null) return
        const states = service.asked.map((_, at) => String(listAt(at + 1)))
        expect(states).toContain(String(read.ids))
      }),
      { numRuns: 150 },
    )
  })
})
