import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { longestTaskCpuMs, percentile95 } from '../busy.ts'

const SETTLE_MS = 1500
const PICTURE_WITHIN_MS = 300_000
/** Hangar needs some fifteen seconds. */
export const MOVED_WITHIN_MS = 120_000
const DRAGS = 6
const STEPS = 24
const WHEELS = 4
/** Parts of names in which each letter leaves fewer. */
const TYPED = ['4821', '1905', '3716']
const TYPE_EVERY_MS = 180

/** What record-map.js wrote down. */
interface Seen {
  tasks: number[]
  frames: number[]
  pictureAtMs: number | null
  /** Of the pages to compare with. */
  askedAtMs?: number
  dataAtMs?: number
  typed: number[]
}

export interface MapRun {
  /** From the last byte of the chargers to the first marker that can be seen. */
  pictureMs: number
  /** The same from the moment at which the page asks for them. */
  wholeMs: number
  /** Null where the map could not be moved to the end within `MOVED_WITHIN_MS`. */
  moved: MapMoves | null
  /** From each typed letter to the count of what matches; empty where nothing can be typed. */
  typedMs: number[]
  /** The longest task while a person types and filters; null where neither can be done. */
  filteringCpuMs: number | null
  /** Of the processes that show pages, by what they held before. */
  memoryBytes: number
}

export interface Movement {
  /** 0 when no task took 50 ms. */
  longestTaskMs: number
  /** In processor time; not 0 when no task took 50 ms. */
  longestTaskCpuMs: number
  frameP95Ms: number
  frames: number
}

export async function newRecordingPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'record-map.js') })
  return page
}

/** When the first marker could be seen, in ms since 1970. Asked for again and again: the page's policy forbids to wait inside it. */
async function firstPictureMs(page: Page): Promise<number> {
  const untilMs = performance.now() + PICTURE_WITHIN_MS
  while (performance.now() < untilMs) {
    const { pictureAtMs } = await page.evaluate<Seen>('seen')
    if (pictureAtMs !== null) return pictureAtMs
    await page.waitForTimeout(50)
  }
  throw new Error('no marker was seen in time')
}

/** When the page asked for the chargers and when it had them all, in ms since 1970. */
const DATA_TIMES = `(() => {
  const { startTime, responseEnd } = performance
    .getEntriesByType('resource')
    .findLast(({ name }) => name.includes('chargers.json'))
  return { askedAtMs: performance.timeOrigin + startTime, dataAtMs: performance.timeOrigin + responseEnd }
})()`

/** Opens the place of chargers, moves the map and looks for something. */
export async function measureHangar(browser: Browser, context: BrowserContext, address: string): Promise<MapRun> {
  const page = await newRecordingPage(context)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(SETTLE_MS)
  const beforeBytes = await memoryOf(browser)
  await page.keyboard.press('Control+4')
  const pictureAtMs = await firstPictureMs(page)
  await page.waitForTimeout(SETTLE_MS)
  const { askedAtMs, dataAtMs } = await page.evaluate<{ askedAtMs: number; dataAtMs: number }>(DATA_TIMES)
  const moved = await moveMap(browser, page, '.chargers-leaflet')
  const typedMs = await type(page)
  const filteringCpuMs = await longestTaskCpuMs(browser, page, () => filter(page))
  const memoryBytes = (await memoryOf(browser)) - beforeBytes
  await page.close()
  const pictureMs = pictureAtMs - dataAtMs
  return { pictureMs, wholeMs: pictureAtMs - askedAtMs, moved, typedMs, filteringCpuMs, memoryBytes }
}

export async function measurePlain(browser: Browser, context: BrowserContext, address: string): Promise<MapRun> {
  const page = await newRecordingPage(context)
  await page.goto('about:blank')
  const beforeBytes = await memoryOf(browser)
  await page.goto(address)
  const pictureAtMs = await firstPictureMs(page)
  const { askedAtMs = NaN, dataAtMs = NaN } = await page.evaluate<Seen>('seen')
  await page.waitForTimeout(SETTLE_MS)
  const given = new AbortController()
  const moving = moveMap(browser, page, '#map')
  // It may still be under way when its browser ends.
  moving.catch(() => undefined)
  const moved = await Promise.race([moving, sleep(MOVED_WITHIN_MS, null, { signal: given.signal })])
  given.abort()
  const memoryBytes = (await memoryOf(browser)) - beforeBytes
  const pictureMs = pictureAtMs - dataAtMs
  return { pictureMs, wholeMs: pictureAtMs - askedAtMs, moved, typedMs: [], filteringCpuMs: null, memoryBytes }
}

export interface MapMoves {
  pan: Movement
  zoom: Movement
}

async function moveMap(browser: Browser, page: Page, map: string): Promise<MapMoves> {
  const box = await page.locator(map).boundingBox()
  if (box === null) throw new Error('there is no map')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const pan = await recorded(browser, page, async () => {
    for (let drag = 0; drag < DRAGS; drag += 1) {
      // There and back, so that both ends have new markers.
      const way = drag % 2 === 0 ? 1 : -1
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let step = 1; step <= STEPS; step += 1) {
        await page.mouse.move(x + (way * step * 240) / STEPS, y + (way * step * 120) / STEPS)
        await page.waitForTimeout(16)
      }
      await page.mouse.up()
      await page.waitForTimeout(200)
    }
  })
  const zoom = await recorded(browser, page, async () => {
    await page.mouse.move(x, y)
    for (let wheel = 0; wheel < WHEELS * 2; wheel += 1) {
      await page.mouse.wheel(0, wheel < WHEELS ? -120 : 120)
      await page.waitForTimeout(700)
    }
  })
  return { pan, zoom }
}

async function recorded(browser: Browser, page: Page, act: () => Promise<void>): Promise<Movement> {
  await page.evaluate('seen.tasks = []; seen.frames = []; seen.isOn = true')
  const cpuMs = await longestTaskCpuMs(browser, page, act)
  const { tasks, frames } = await page.evaluate<Seen>('seen.isOn = false, seen')
  return {
    longestTaskMs: Math.max(0, ...tasks),
    longestTaskCpuMs: cpuMs,
    frameP95Ms: percentile95(frames),
    frames: frames.length,
  }
}

async function type(page: Page): Promise<number[]> {
  for (const text of TYPED) {
    await page.locator('.search input').fill('')
    await page.waitForTimeout(SETTLE_MS)
    await page.keyboard.type(text, { delay: TYPE_EVERY_MS })
  }
  await page.waitForTimeout(SETTLE_MS)
  return (await page.evaluate<Seen>('seen')).typed
}

async function filter(page: Page): Promise<void> {
  const chip = (name: string) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
  for (const name of ['Free now', 'DC', 'DC', 'Free now']) {
    await chip(name).click()
    await page.waitForTimeout(SETTLE_MS)
  }
  for (const key of ['4', '8', 'Backspace', 'Backspace']) {
    await page.locator('.search input').press(key)
    await page.waitForTimeout(TYPE_EVERY_MS)
  }
  await page.waitForTimeout(SETTLE_MS)
}

/** Resident bytes of all processes that show pages. */
async function memoryOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { id }) => {
      try {
        return sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024
      } catch {
        // It ended meanwhile.
        return sum
      }
    }, 0)
}
