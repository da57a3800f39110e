import { afterEach, describe, expect, it } from 'vitest'
import { ChargerBook } from '../../src/main/chargers/charger-book.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { quiet, quietBackground } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'
import { chargersOf, failed, FakeSource, MemoryCache, reading, SHORT } from './fake-source.ts'

const MINUTE = 60_000
const books: ChargerBook[] = []
afterEach(async () => {
  for (const book of books.splice(0)) await book.close()
})

function open(cache = new MemoryCache()) {
  const clock = new ManualClock()
  const source = new FakeSource()
  const world = {
    clock,
    cache,
    source: source as FakeSource | null,
    minutes: 15,
    changes: 0,
    watched: new Set<number>(),
  }
  const book = new ChargerBook({
    cache,
    clock,
    random: () => 0.5,
    log: quiet,
    background: quietBackground(),
    source: () => world.source,
    refreshMinutes: () => world.minutes,
    watched: () => world.watched,
    onChange: () => (world.changes += 1),
  })
  books.push(book)
  /** What is asked of the service now ends so. */
  const answer: FakeSource['asked'][0]['answer'] = (outcome) => source.asked.at(-1)!.answer(outcome)
  /** A refresh that a person asks for, which ends so. */
  const refresh: typeof answer = async (outcome) => {
    await book.refresh()
    await answer(outcome)
  }
  return { ...world, world, book, source, answer, refresh }
}

/** Started, and the first refresh under way. */
async function started(cache?: MemoryCache) {
  const opened = open(cache)
  await opened.book.start()
  await opened.clock.pass(6000)
  return opened
}

/** Started, and the first refresh found these. */
async function startedWith(...ids: number[]) {
  const opened = await started()
  await opened.answer(reading(chargersOf(...ids)))
  return opened
}

const shown = async (book: ChargerBook) => JSON.parse(Buffer.from((await book.data())!).toString('utf8')) as unknown
const ids = async (book: ChargerBook) => ((await shown(book)) as { id: number }[]).map(({ id }) => id)

describe('the book of chargers', () => {
  it('asks soon after the start, and shows what came with its age', async () => {
    const { book, source, clock } = await started()
    expect(book.status()).toMatchObject({ refreshing: true, version: 0, atMs: null, nextAtMs: null })
    expect(await book.data()).toBeNull()
    await source.asked[0]!.answer(reading(chargersOf(1, 2), { unusable: 3 }))
    const atMs = clock.nowMs()
    const sound = { refreshing: false, gap: null, problem: null, changes: [], changesAtMs: null }
    expect(book.status()).toMatchObject({ ...sound, atMs, count: 2, unusable: 3 })
    expect(await ids(book)).toEqual([1, 2])
  })

  it('asks again after the minutes that are set, and never on its own when that is off', async () => {
    const { book, source, answer, clock, world } = await startedWith(1)
    await clock.pass(14 * MINUTE)
    expect(source.asked).toHaveLength(1)
    await clock.pass(2.6 * MINUTE)
    expect(source.asked).toHaveLength(2)
    await answer(reading(chargersOf(1)))
    const changesBefore = world.changes
    world.minutes = 0
    await book.sourceChanged()
    expect(world.changes).toBeGreaterThan(changesBefore)
    await clock.pass(600 * MINUTE)
    expect(source.asked).toHaveLength(2)
    expect(book.status().nextAtMs).toBeNull()
  })

  it('refreshes at once when a person asks, and has one refresh at a time', async () => {
    const { book, source, world } = open()
    world.minutes = 0
    await book.start()
    await Promise.all([book.refresh(), book.refresh()])
    expect(source.asked).toHaveLength(1)
    await source.asked[0]!.answer(reading(chargersOf(1)))
    await book.refresh()
    expect(source.asked).toHaveLength(2)
  })

  it('asks nothing on its own unless it was started', async () => {
    const { book, source, clock } = open()
    await book.open()
    await clock.pass(60 * MINUTE)
    expect(source.asked).toHaveLength(0)
    expect(book.status()).toMatchObject({ refreshing: false, nextAtMs: null })
  })

  it('says what changed at watched chargers since the refresh before', async () => {
    const { book, refresh, clock, world } = await startedWith(1, 2, 3, 5)
    for (const id of [1, 2, 3, 4]) world.watched.add(id)
    const liveStateSyncedAt = new Date(clock.nowMs()).toISOString()
    const live = (id: number, liveState: string) => charger({ id, liveState, liveStateSyncedAt })
    const next = [live(1, 'busy'), live(3, 'error'), charger({ id: 4 }), live(5, 'error')]
    await refresh(reading(next))
    expect(book.status().changesAtMs).toBe(clock.nowMs())
    const changes = book.status().changes.map(({ id, kind }) => `${id} ${kind}`)
    expect(changes).toEqual(['1 busy', '2 gone', '3 broken', '4 new'])
  })

  it('says of no watched charger that it is gone because an incomplete list lacks it', async () => {
    const { book, refresh, world } = await startedWith(1, 2)
    world.watched.add(2)
    await refresh(reading(chargersOf(1), { gap: SHORT }))
    expect(book.status()).toMatchObject({ changes: [], changesAtMs: null })
  })

  it('tells once of a charger out of order whose connection comes and goes', async () => {
    const { book, refresh, clock, world } = await startedWith(1)
    world.watched.add(1)
    const kinds: unknown[] = []
    for (const liveState of ['error', 'disconnected', 'error', 'available', 'error']) {
      await clock.pass(MINUTE)
      const liveStateSyncedAt = new Date(clock.nowMs()).toISOString()
      await refresh(reading([charger({ id: 1, liveState, liveStateSyncedAt })]))
      const { changes, changesAtMs } = book.status()
      kinds.push(changesAtMs === clock.nowMs() ? changes[0]?.kind : null)
    }
    expect(kinds).toEqual(['broken', null, null, 'free', 'broken'])
  })

  it('goes on telling the last changes after a refresh that finds none', async () => {
    const { book, refresh, clock, world } = await startedWith()
    world.watched.add(1)
    await refresh(reading(chargersOf(1)))
    const told = { changes: [{ id: 1, kind: 'new' }], changesAtMs: clock.nowMs() }
    expect(book.status()).toMatchObject(told)
    await clock.pass(MINUTE)
    await refresh(reading(chargersOf(1)))
    expect(book.status()).toMatchObject(told)
  })

  it('does not ask while the service asks to be left alone, also when a person asks, and goes on by itself', async () => {
    const { book, source, clock, world } = await started()
    world.minutes = 0
    await source.asked[0]!.answer(failed('rate_limited', 60 * MINUTE))
    await clock.pass(MINUTE)
    await book.refresh()
    expect(source.asked).toHaveLength(1)
    const expected = { refreshing: false, problem: { code: 'rate_limited' }, nextAtMs: clock.nowMs() + 59 * MINUTE }
    expect(book.status()).toMatchObject(expected)
    await clock.pass(59 * MINUTE)
    expect(source.asked).toHaveLength(2)
  })

  it('keeps what a reading that is not complete did not see', async () => {
    const { book, refresh } = await startedWith(1, 2, 3)
    await refresh(reading(chargersOf(1, 3), { gap: SHORT }))
    expect(await ids(book)).toEqual([1, 2, 3])
    expect(book.status()).toMatchObject({ gap: SHORT, count: 3, changes: [] })
    await refresh(reading(chargersOf(1, 3)))
    expect(await ids(book)).toEqual([1, 3])
    expect(book.status()).toMatchObject({ gap: null })
  })

  it('keeps the last chargers when a refresh fails, and tries again with growing waits', async () => {
    const { book, source, answer, refresh, clock } = await startedWith(1)
    await refresh(failed('service_unreachable'))
    expect(book.status()).toMatchObject({ count: 1, problem: { code: 'service_unreachable', atMs: clock.nowMs() } })
    const waits: number[] = []
    for (let n = 2; n < 6; n += 1) {
      const waitMs = book.status().nextAtMs! - clock.nowMs()
      waits.push(waitMs)
      await clock.pass(waitMs + 100)
      expect(source.asked).toHaveLength(n + 1)
      await answer(failed('service_unreachable'))
    }
    expect(waits).toEqual([...waits].sort((one, other) => one - other))
    expect(new Set(waits).size).toBe(4)
    await refresh(reading(chargersOf(1)))
    expect(book.status()).toMatchObject({ problem: null })
  })

  it.each(['key_missing', 'key_refused'] as const)('repeats what ended with %s for a new key alone', async (code) => {
    const { book, source, clock } = await started()
    await source.asked[0]!.answer(failed(code))
    expect(book.status()).toMatchObject({ problem: { code }, nextAtMs: null })
    await clock.pass(600 * MINUTE)
    expect(source.asked).toHaveLength(1)
    book.keyChanged()
    expect(book.status().problem).toBeNull()
    await clock.pass(1000)
    expect(source.asked).toHaveLength(2)
  })

  it('keeps to its minutes though the clock is set back', async () => {
    const { source, clock } = await startedWith(1)
    clock.jumpMs(-24 * 60 * MINUTE)
    await clock.pass(17 * MINUTE)
    expect(source.asked).toHaveLength(2)
  })
})

describe('a change of service', () => {
  it('shows nothing of the one before, and drops its answer', async () => {
    const { book, source, world, clock } = await startedWith(1)
    const before = book.status().version
    await book.refresh()
    const other = new FakeSource('https://other.example')
    world.source = other
    await book.sourceChanged()
    expect(source.asked[1]!.signal.aborted).toBe(true)
    expect(book.status()).toMatchObject({ version: 0, atMs: null, count: 0, refreshing: false })
    await source.asked[1]!.answer(reading(chargersOf(1, 2)))
    expect(await book.data()).toBeNull()
    await clock.pass(6000)
    await other.asked[0]!.answer(reading(chargersOf(9)))
    expect(await ids(book)).toEqual([9])
    expect(book.status().version).toBeGreaterThan(before)
    expect(book.status().changesAtMs).toBeNull()
  })

  it('to none says so when a person asks', async () => {
    const { book, world } = await started()
    world.source = null
    await book.sourceChanged()
    expect(book.status()).toMatchObject({ refreshing: false, nextAtMs: null, problem: null })
    await book.refresh()
    expect(book.status()).toMatchObject({ problem: { code: 'key_missing' } })
  })
})

describe('what is kept on the disk', () => {
  it('is there after a start, with its age, and is refreshed only when it is old enough', async () => {
    const cache = new MemoryCache()
    const first = await started(cache)
    await first.source.asked[0]!.answer(reading(chargersOf(1, 2)))
    await first.book.close()
    const second = open(cache)
    await second.clock.pass(10 * MINUTE)
    await second.book.start()
    expect(second.book.status()).toMatchObject({ count: 2, atMs: first.clock.nowMs() })
    expect(await ids(second.book)).toEqual([1, 2])
    await second.clock.pass(4 * MINUTE)
    expect(second.source.asked).toHaveLength(0)
    await second.clock.pass(3 * MINUTE)
    expect(second.source.asked).toHaveLength(1)
  })

  it("is never the practice service's, which is first read on request and then on the timer", async () => {
    const { cache, book, clock, source } = open()
    source.sample = true
    await book.start()
    await clock.pass(60 * MINUTE)
    expect(source.asked).toEqual([])
    await book.refresh()
    await source.asked[0]!.answer(reading(chargersOf(1)))
    expect(book.status()).toMatchObject({ sample: true, count: 1 })
    await clock.pass(17 * MINUTE)
    expect(source.asked).toHaveLength(2)
    await book.close()
    expect(cache.saves).toBe(0)
  })
})
