import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { longestTaskCpuMs, percentile95 } from '../busy.ts'

const VIEWPORT = { width: 1280, height: 800 }
const SETTLE_MS = 2000
const SCROLL_MS = 8000
const WHEEL_PX = 400
const WHEEL_EVERY_MS = 30
const TYPED = 'hangar-dusk-01'
const TYPE_EVERY_MS = 120

/** What record-frames.js counted. */
interface Seen {
  tasks: number[]
  frames: number[]
}

export interface PageRun {
  /** From asking for the page to lines with names in the list. */
  loadMs: number
  /** After load; 0 when no task took 50 ms. */
  longestTaskMs: number
  /** The same in processor time. */
  longestTaskCpuMs: number
  longTasks: number
  frameP95Ms: number
  frames: number
}

/** A page that shows the list, with what it does recorded. */
export async function openList(browser: Browser, link: string): Promise<{ page: Page; loadMs: number }> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'record-frames.js') })
  const beganAtMs = performance.now()
  await page.goto(link)
  await untilThere(page, '.jobs-line .file-name')
  return { page, loadMs: performance.now() - beganAtMs }
}

/** Looked at with each frame: the browser's driver itself looks every half second after a while. */
export async function untilThere(page: Page, selector: string): Promise<void> {
  const isThere = (wanted: string) =>
    (globalThis as unknown as { document: { querySelector(one: string): unknown } }).document.querySelector(wanted) !==
    null
  await page.waitForFunction(isThere, selector, { polling: 'raf' })
}

/** Scrolls through the list, jumps in it, and looks for something, while jobs change all the time. */
export async function useList(browser: Browser, link: string, whileChanging: (on: boolean) => void): Promise<PageRun> {
  const { page, loadMs } = await openList(browser, link)
  await page.waitForTimeout(SETTLE_MS)
  const jobsBefore = await jobEvents(page)
  whileChanging(true)
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate('seen.isOn = true')
  const longestCpuMs = await longestTaskCpuMs(browser, page, () => visitPlaces(page))
  const seen = await page.evaluate<Seen>('seen')
  whileChanging(false)
  if ((await jobEvents(page)) <= jobsBefore) throw new Error('the page was told of no change: nothing was measured')
  await page.context().close()
  return {
    loadMs,
    longestTaskMs: Math.max(0, ...seen.tasks),
    longestTaskCpuMs: longestCpuMs,
    longTasks: seen.tasks.length,
    frameP95Ms: percentile95(seen.frames),
    frames: seen.frames.length,
  }
}

async function visitPlaces(page: Page): Promise<void> {
  await scroll(page)
  for (const share of [0.5, 0.9, 0.1, 0]) {
    await page.locator('.jobs-scroll').evaluate((list: { scrollTop: number; scrollHeight: number }, to) => {
      list.scrollTop = to * list.scrollHeight
    }, share)
    await page.waitForTimeout(500)
  }
  await page.keyboard.press('Control+f')
  await page.keyboard.type(TYPED, { delay: TYPE_EVERY_MS })
  await page.waitForTimeout(1000)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(1500)
}

/** How many jobs there are, as the page says. */
async function jobEvents(page: Page): Promise<number> {
  const text = await page.locator('.chip .figures').first().textContent()
  return Number((text ?? '').replace(/\D/g, ''))
}

/** What this machine's browser makes of scrolling as such: a page of plain text, with no script in it and nothing that changes. */
export async function scrollPlainPage(browser: Browser): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, 'record-frames.js') })
  await page.goto('about:blank')
  const lines = Array.from({ length: 2000 }, (_, n) => `<p>Line ${n} of a page that only scrolls</p>`).join('')
  await page.setContent(`<style>p { height: 44px; margin: 0 }</style>${lines}`)
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate('seen.isOn = true')
  await scroll(page)
  const { frames } = await page.evaluate<Seen>('seen')
  await context.close()
  return percentile95(frames)
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  const untilMs = performance.now() + SCROLL_MS
  for (let n = 0; performance.now() < untilMs; n += 1) {
    // Down for a long way, then back up.
    await page.mouse.wheel(0, n % 200 < 150 ? WHEEL_PX : -WHEEL_PX)
    await page.waitForTimeout(WHEEL_EVERY_MS)
  }
}

/** Bytes of JavaScript heap in use, after everything that can go has gone. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

/** How much the page's heap grows while jobs change for this many minutes and a person scrolls now and then. */
export async function heapGrowth(
  browser: Browser,
  link: string,
  minutes: number,
): Promise<{ beforeBytes: number; afterBytes: number }> {
  const { page } = await openList(browser, link)
  const spell = async (ms: number) => {
    const untilMs = performance.now() + ms
    while (performance.now() < untilMs) {
      await page.mouse.move(700, 500)
      await page.mouse.wheel(0, (Math.floor(performance.now() / 10_000) % 2 === 0 ? 1 : -1) * WHEEL_PX * 3)
      await page.waitForTimeout(250)
    }
  }
  // Until what is held of the list is as large as it gets.
  await spell(30_000)
  const beforeBytes = await heapOf(page)
  await spell(minutes * 60_000)
  const afterBytes = await heapOf(page)
  await page.context().close()
  return { beforeBytes, afterBytes }
}

/** First contentful paint of a page that no cache knows yet, in ms from the navigation. */
export async function firstPaint(browser: Browser, link: string, usable: string): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.goto(link)
  await untilThere(page, usable)
  // The entry comes a moment after what it tells of.
  const paint = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
  )
  const paintMs = (await paint.jsonValue()) ?? Number.NaN
  await context.close()
  return paintMs
}
