import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NO_CHARGERS } from '../../src/shared/chargers/charger-status.ts'
import type { Background } from '../../src/shared/runtime/background.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'
import { type UiDelta, UiMessage, type UiState } from '../../src/shared/contract/stream.ts'
import { MAX_UNACKNOWLEDGED, MAX_ADDED, MAX_ROWS } from '../../src/main/page/event-stream.ts'
import { PlaceRegistry } from '../../src/main/page/place-registry.ts'
import { createTexts } from '../../src/main/page/texts.ts'
import { UiFeed } from '../../src/main/page/ui-feed.ts'
import { worded } from '../../src/main/page/notice-text.ts'
import { quietBackground } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'
import { FakeEngine, noCounts } from './fake-engine.ts'
import { jobId } from './make-view.ts'

const TEXTS = createTexts('en', 'en')

let engine: FakeEngine
let clock: ManualClock
let feed: UiFeed
let background: Background

beforeEach(() => {
  engine = new FakeEngine()
  clock = new ManualClock()
  background = quietBackground()
  feed = start()
})
afterEach(() => feed.close())

function start(): UiFeed {
  return new UiFeed({
    engine,
    clock,
    places: new PlaceRegistry(),
    app: () => ({ version: '1', capabilities: [], dataDir: '/data', platform: 'linux', locale: 'en' }),
    background,
    tell: (notice) => worded(notice, TEXTS, []),
    onSettings: () => undefined,
  })
}

/** A page that keeps what it was told as the contract says, and acknowledges at once unless it is slow. */
class Page {
  readonly messages: UiMessage[] = []
  state: UiState | null = null
  isSlow = false
  readonly connection = feed.connect((message) => {
    this.messages.push(UiMessage.parse(message))
    if (message.type === 'snapshot') this.state = message.state
    else this.state = { ...this.state!, ...(message.state as UiState) }
    if (!this.isSlow) queueMicrotask(() => this.connection.acknowledge(message.seq))
  })

  get deltas(): UiDelta[] {
    return this.messages.filter((message) => message.type === 'delta')
  }
}

it('What has stopped in the background is reported to the pages, and so is that it works again', async () => {
  const page = new Page()
  expect(page.state!.stopped).toEqual([])
  background.run('folder_scan', () => Promise.reject(Object.assign(new Error('full'), { code: 'SQLITE_FULL' })), 'f1')
  await clock.pass(200)
  expect(page.state!.stopped).toMatchObject([{ task: 'folder_scan', subject: 'f1', code: 'disk_full' }])
  background.run('folder_scan', () => undefined, 'f1')
  await clock.pass(200)
  expect(page.state!.stopped).toEqual([])
})

it('What can be told is told while the journal cannot be read, and the rest once it can', async () => {
  const page = new Page()
  const read = engine.snapshot.bind(engine)
  engine.snapshot = () => {
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })
  }
  engine.put(0, { state: 'ready' })
  await clock.pass(1200)
  expect(page.state!.stopped).toMatchObject([{ task: 'page_updates' }])
  expect(page.deltas.flatMap(({ added }) => added)).toEqual([jobId(0)])
  expect(new Page().state!.stopped).toHaveLength(1)
  engine.snapshot = read
  await clock.pass(2200)
  expect(page.state).toMatchObject({ stopped: [], counts: { ready: 1 } })
})

describe('the stream to a page', () => {
  it('begins with a snapshot and then tells what changed, in order and as whole parts', async () => {
    const page = new Page()
    expect(page.messages.map(({ type, seq }) => [type, seq])).toEqual([['snapshot', 1]])
    await clock.pass(1000)
    const before = page.messages.length
    engine.put(1, { state: 'ready' })
    engine.set({ paused: true })
    await clock.pass(200)
    const news = page.deltas.slice(before - 1)
    expect(news).toHaveLength(1)
    expect(news[0]).toMatchObject({ added: [jobId(1)], stale: false })
    expect(Object.keys(news[0]!.state).sort()).toEqual(['counts', 'progress', 'settings'])
    expect(news[0]!.state.counts?.ready).toBe(1)
    expect(page.messages.map(({ seq }) => seq)).toEqual(page.messages.map((_, n) => n + 1))
  })

  it('tells the latest of each job, at most ten times a second', async () => {
    const page = new Page()
    await clock.pass(1000)
    const before = page.messages.length
    for (let n = 0; n < 200; n += 1) {
      engine.put(n % 5, { state: n < 195 ? 'waiting' : 'fetching', updatedAtMs: n })
      await clock.pass(5)
    }
    await clock.pass(200)
    const news = page.deltas.slice(before - 1)
    expect(news.length).toBeGreaterThan(5)
    expect(news.length).toBeLessThanOrEqual(13)
    const last = new Map(news.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
    expect([...last.values()].map(({ state, updatedAtMs }) => [state, updatedAtMs])).toEqual(
      [195, 196, 197, 198, 199].map((n) => ['fetching', n]),
    )
    expect(news.flatMap(({ added }) => added)).toEqual([0, 1, 2, 3, 4].map(jobId))
  })

  it('says that lists are stale instead of telling ten thousand changes', async () => {
    const page = new Page()
    await clock.pass(1000)
    const before = page.messages.length
    for (let n = 0; n < 10_000; n += 1) engine.put(n, { state: 'ready' })
    await clock.pass(150)
    const news = page.deltas.slice(before - 1)
    expect(news).toHaveLength(1)
    expect(news[0]!.stale).toBe(true)
    expect(news[0]!.rows).toHaveLength(MAX_ROWS)
    expect(news[0]!.rows.at(-1)?.id).toBe(jobId(9999))
    expect(news[0]!.added).toHaveLength(MAX_ADDED)
    expect(page.state?.counts.ready).toBe(10_000)
  })

  it('sends nothing to a page that fell behind, and a fresh snapshot once it is heard of', async () => {
    const slow = new Page()
    const quick = new Page()
    slow.isSlow = true
    for (let n = 0; n < 50; n += 1) {
      engine.put(n, { state: 'ready' })
      await clock.pass(120)
    }
    expect(slow.messages).toHaveLength(MAX_UNACKNOWLEDGED + 1)
    expect(quick.messages.length).toBeGreaterThan(40)
    const seen = slow.messages.length
    slow.isSlow = false
    slow.connection.acknowledge(3)
    expect(slow.messages.slice(seen).map(({ type, seq }) => [type, seq])).toEqual([['snapshot', seen + 1]])
    expect(slow.state?.counts.ready).toBe(50)
    engine.put(50, { state: 'ready' })
    await clock.pass(200)
    expect(slow.deltas.at(-1)?.added).toEqual([jobId(50)])
    expect(slow.state).toEqual(quick.state)
  })

  it('keeps every page right, whenever it came and however slow it was', async () => {
    const pages: Page[] = []
    for (let n = 0; n < 120; n += 1) {
      if (n % 10 === 0) pages.push(new Page())
      const page = pages[n % pages.length]!
      page.isSlow = n % 3 === 0
      page.connection.acknowledge(page.messages.at(-1)!.seq)
      engine.put(n % 40, { state: n % 2 === 0 ? 'ready' : 'held' })
      if (n % 7 === 0) engine.set({ paused: n % 2 === 0 })
      await clock.pass(n % 4 === 0 ? 10 : 110)
    }
    for (const page of pages) {
      page.isSlow = false
      page.connection.acknowledge(page.messages.at(-1)!.seq)
    }
    await clock.pass(10_000)
    for (const page of pages) {
      page.connection.acknowledge(page.messages.at(-1)!.seq)
      expect(page.state).toEqual(pages[0]!.state)
      expect(page.messages.map(({ seq }) => seq)).toEqual(page.messages.map((_, n) => n + 1))
    }
    expect(pages[0]!.state?.counts).toEqual(engine.count())
  })

  it('tells nothing more to a page that is gone', async () => {
    const page = new Page()
    page.connection.close()
    const before = page.messages.length
    engine.put(1, { state: 'ready' })
    await clock.pass(500)
    expect(page.messages).toHaveLength(before)
  })
})

it('at rest the stream has no timers and sends nothing', async () => {
  const page = new Page()
  engine.put(1, { state: 'done' })
  await clock.pass(120_000)
  const before = page.messages.length
  expect(clock.timers).toBe(0)
  await clock.pass(3_600_000)
  expect(page.messages).toHaveLength(before)
})

it('the end of a batch is told when its pictures can be counted again', async () => {
  const page = new Page()
  await clock.pass(1000)
  engine.refused = 'jobs.counts'
  engine.put(1, { state: 'waiting', batchId: 'b' })
  engine.put(1, { state: 'done', batchId: 'b' })
  await clock.pass(5000)
  engine.refused = null
  await clock.pass(5000)
  expect(page.deltas.flatMap(({ notices }) => notices)).toMatchObject([
    { kind: 'batch_done', title: 'One picture done' },
  ])
})

describe('what events do not tell', () => {
  it('is asked for at once when jobs were removed', async () => {
    const page = new Page()
    for (let n = 0; n < 10; n += 1) engine.put(n, { state: 'done', review: 'needed' })
    await clock.pass(2000)
    expect(page.state?.needsReview).toBe(10)
    engine.jobs.clear()
    engine.tell({ type: 'removed', jobs: 10 })
    await clock.pass(1100)
    expect(page.state).toMatchObject({ counts: noCounts(), needsReview: 0 })
    expect(page.deltas.at(-1)?.stale ?? page.deltas.at(-2)?.stale).toBe(true)
  })

  it('is read at most a twentieth of the time, however much happens', async () => {
    engine.onSnapshot = () => clock.standStill(50)
    for (let n = 0; n < 3000; n += 1) {
      engine.put(n % 100, { state: n % 2 === 0 ? 'ready' : 'waiting', updatedAtMs: n })
      await clock.pass(10)
    }
    expect(engine.snapshots).toBeGreaterThan(25)
    expect(engine.snapshots).toBeLessThanOrEqual(33)
    expect(engine.calls.length).toBeLessThanOrEqual(2)
  })
})

describe('watched folders', () => {
  const folder = {
    id: 'f',
    path: '/pictures',
    recipe: DEFAULT_RECIPE,
    include: [],
    exclude: [],
    alsoTakes: [],
    paused: false,
    askAbove: 100,
    addedAtMs: 1,
    state: 'watching' as const,
    because: null,
    leftOut: { count: 0, first: [] },
    counts: noCounts(),
  }

  it('are counted with their jobs, and say when something last happened in them', async () => {
    engine.folders = [folder]
    engine.put(1, { folderId: 'f', state: 'done', updatedAtMs: 500 })
    feed.close()
    feed = start()
    await clock.pass(200)
    const page = new Page()
    expect(page.state?.folders[0]).toMatchObject({ counts: { done: 1 }, lastEventAtMs: 500, path: '/pictures' })
    engine.put(2, { folderId: 'f', state: 'ready', updatedAtMs: 900 })
    const because = { code: 'network_drive' as const, values: { fileSystem: 'NFS' } }
    const leftOut = { count: 1, first: [{ path: 'sub', reason: { code: 'bad_name' as const, values: {} } }] }
    engine.folders = [{ ...folder, state: 'polling', because, leftOut }]
    engine.tell({ type: 'folder', id: 'f', state: 'polling', because, leftOut })
    await clock.pass(200)
    expect(page.state?.folders[0]).toMatchObject({
      counts: { done: 1, ready: 1 },
      lastEventAtMs: 900,
      state: 'polling',
      because,
      leftOut,
    })
  })

  it('are told of when one was added', async () => {
    const page = new Page()
    await clock.pass(5000)
    engine.folders = [folder]
    engine.tell({ type: 'folders' })
    await clock.pass(1100)
    expect(page.state?.folders.map(({ id }) => id)).toEqual(['f'])
  })
})

it('consent is for as many as are held a moment later, while more arrive', async () => {
  const held = (n: number) =>
    ({ batchId: 'b', kind: 'run', folderId: null, held: n, detail: null, confirmable: true }) as const
  const page = new Page()
  await clock.pass(2000)
  for (let n = 1; n <= 120; n += 1) {
    engine.confirmations = [held(n)]
    engine.put(n, { state: 'held', batchId: 'b', reason: { code: 'spend_guard', detail: null } })
    await clock.pass(10)
    if (n > 40) expect(page.state!.counts.held - page.state!.confirmations[0]!.held).toBeLessThanOrEqual(20)
  }
  await clock.pass(200)
  expect([page.state?.counts.held, page.state?.confirmations[0]?.held]).toEqual([120, 120])
})

it('how the chargers stand is told, and of favourites when the settings say so', async () => {
  const page = new Page()
  const tell = async (changesAtMs: number) => {
    const changes = [{ id: 1, icao: 'EDNY', kind: 'free' as const }]
    engine.chargers = { status: { ...NO_CHARGERS, changes, changesAtMs }, favourites: [1] }
    engine.tell({ type: 'chargers', ...engine.chargers })
    await clock.pass(6000)
    expect(page.state?.chargers).toEqual(engine.chargers)
    return page.deltas.flatMap(({ notices }) => notices)
  }
  expect(await tell(1)).toEqual([])
  engine.set({ chargers: { ...DEFAULT_SETTINGS.chargers, notifyFavourites: true } })
  expect(await tell(2)).toMatchObject([{ kind: 'favourite', body: 'EDNY: free now', address: '#/chargers/1' }])
})

it('files that came from outside are offered to the first page that comes, once', async () => {
  const place = new PlaceRegistry().register('/a.jpg', 'file')
  feed.offer([place], [])
  await clock.pass(500)
  const page = new Page()
  await clock.pass(500)
  expect(page.deltas.flatMap(({ notices }) => notices)).toMatchObject([{ kind: 'offer', places: [place] }])
  const later = new Page()
  await clock.pass(500)
  expect(later.deltas.flatMap(({ notices }) => notices)).toEqual([])
})

it('the status for tray and dock is told when it changes, with what waits for a person', async () => {
  const told: unknown[] = []
  feed.onStatus((status) => told.push(status))
  engine.put(1, { state: 'ready' })
  engine.put(2, { state: 'unknown' })
  await clock.pass(200)
  expect(told.at(-1)).toMatchObject({ paused: false, needsPerson: 1, progress: { total: 2, ended: 1 } })
  engine.set({ paused: true })
  await clock.pass(200)
  expect(told.at(-1)).toMatchObject({ paused: true })
  expect(feed.status()).toEqual(told.at(-1))
})
