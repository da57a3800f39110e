import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { encodeSet } from '../../src/main/chargers/charger-set.ts'
import { NO_CHARGERS } from '../../src/shared/charger-status.ts'
import type { CreditHistory } from '../../src/shared/contract/credits.ts'
import type { JobRow } from '../../src/shared/contract/jobs.ts'
import { say } from '../../src/shared/sentence.ts'
import { LANGUAGES } from '../../src/shared/text/languages.ts'
import { someChargers } from './charger-samples.ts'
import { cutOff } from './cut-off.ts'
import { NO_JOBS, stateWith } from './fake-bridge.ts'
import { folderRow } from './folder-row.ts'
import { windowForEachTest } from './frame-page.ts'
import { jobDetail, jobRow } from './job-row.ts'

/*
 * Every place at five widths, in every language, with names as long as people give them: nothing is cut off, past the edge, or
 * over what is beside it. 320 pixels are also what 1,280 are when enlarged to 400 %.
 */

const WIDTHS = [320, 360, 768, 1280, 2560]
const PLACES = ['jobs', 'jobs/j1', 'folders', 'credits', 'chargers', 'settings']

const LONG = 'Jahreshauptversammlung-und-Flugplatzfest '.repeat(5)
const PATH = `/home/ada/Bilder/${LONG.trim()}/Nachtflugbefeuerung`
const NOW = Date.now()

const row = (id: string, more: Partial<JobRow>) =>
  jobRow(id, { sizeBytes: 123_456, optimizedBytes: 45_678, updatedAtMs: NOW - 28 * 60_000, ...more })
const ROWS = [
  row('j1', {
    name: `${LONG.trim()}.jpg`,
    dir: PATH,
    notes: 2,
    note: { code: 'credits_lost', detail: 'creator,rights,usage_terms' },
    review: 'needed',
    languages: ['de', 'en', 'fr', 'it'],
  }),
  row('j2', {
    name: 'x'.repeat(200),
    state: 'held',
    reason: { code: 'spend_guard', detail: say('cap_per_day', { spent: 12, limit: 12 }) },
    nextSteps: ['confirm_spend', 'cancel'],
    sizeBytes: 999_999,
    optimizedBytes: null,
    convertedBytes: null,
    updatedAtMs: NOW - 53 * 60_000,
  }),
  row('j3', {
    state: 'failed',
    reason: { code: 'job_failed', detail: null },
    nextSteps: ['retry', 'drop'],
    sizeBytes: 52,
    optimizedBytes: null,
    convertedBytes: null,
    updatedAtMs: NOW - 40 * 60_000,
  }),
  row('j4', { state: 'waiting', optimizedBytes: null, convertedBytes: null, sizeBytes: 12_345_678 }),
]

const FOLDER = folderRow('f1', {
  path: PATH,
  recipe: { ...stateWith().settings.recipe, name: LONG.slice(0, 60) },
  state: 'missing',
  because: { code: 'not_there', values: {} },
  counts: { ...NO_JOBS, done: 18_000, held: 3, failed: 2, waiting: 3 },
  lastEventAtMs: 1,
})

const HISTORY: CreditHistory = {
  fromMs: NOW - 30 * 86_400_000,
  untilMs: NOW,
  balances: [{ atMs: NOW - 86_400_000, credits: 1_234_567 }],
  days: [{ day: '2026-11-20', sent: 1234, credits: 12_345 }],
  folders: [
    { folderId: 'f1', path: PATH, sent: 123_456, credits: null },
    { folderId: null, path: null, sent: 99, credits: 1_234_567 },
  ],
  perDay: 1234,
  sentToday: 1234,
  sentThisMonth: 12_345,
  team: null,
}

const output = (index: number, role: 'optimized' | 'converted', name: string) => ({
  index,
  role,
  name,
  path: `${PATH}/${name}`,
  sizeBytes: 123_456,
  type: 'webp',
  state: 'published' as const,
})

const DETAIL = jobDetail(ROWS[0]!, {
  recipe: FOLDER.recipe,
  texts: ['de', 'en'].map((languageCode) => ({
    languageCode,
    seoFilename: 'x'.repeat(80),
    originalName: null,
    altText: LONG,
    original: null,
  })),
  image: { type: 'jpeg', width: 12_000, height: 8000, animated: false },
  outputs: [output(0, 'optimized', `${LONG.trim()}-optimized.jpg`), output(1, 'converted', `${'x'.repeat(200)}.webp`)],
  history: [{ atMs: 1, event: 'found', state: 'ready', reason: null }],
})

const STATE = {
  counts: { ...NO_JOBS, held: 1, done: 1, failed: 1, waiting: 1 },
  needsReview: 1,
  removed: 3,
  folders: [FOLDER],
  confirmations: [{ batchId: 'b1', kind: 'folder', folderId: 'f1', held: 3, detail: null, confirmable: false }],
  chargers: {
    status: { ...NO_CHARGERS, version: 7, atMs: NOW - 180_000, count: 5, sample: true },
    favourites: [3],
  },
}

const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'jobs.detail': DETAIL,
  'recipes.list': { recipes: [{ id: 'r1', recipe: { ...FOLDER.recipe } }] },
  'credits.history': HISTORY,
  'views.load': { value: { centre: { lat: 47.6, lng: 9.5 }, zoom: 9 } },
}

const world = windowForEachTest()

async function walk(page: Page, width: number): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
  for (const place of PLACES) {
    await page.evaluate(`location.hash = '#/${place}'`)
    await page.locator(READY[place]!).first().waitFor()
    if (place === 'jobs') {
      const { width: nameWidth } = (await page.locator(READY.jobs!).boundingBox())!
      if (nameWidth < 80) found.push(`${width} jobs: a name has ${nameWidth} pixels`)
    }
    found.push(...(await cutOff(page)).map((what) => `${width} ${place}: ${what}`))
  }
  return found
}

/** What opens over Jobs, by its keys from there, each with what is in it. */
const OVER_JOBS: Readonly<Record<string, string>> = {
  '?': '.shortcuts',
  ' ': '.jobs-look',
  'Control+k': '.palette-item',
}

async function openOver(page: Page, width: number): Promise<string[]> {
  const found: string[] = []
  await page.setViewportSize({ width, height: 740 })
  await page.evaluate("location.hash = '#/jobs'")
  await page.locator(READY['jobs']!).first().waitFor()
  for (const [keys, inIt] of Object.entries(OVER_JOBS)) {
    await page.locator('.jobs-grid').focus()
    await page.keyboard.press(keys)
    await page.locator(inIt).first().waitFor({ timeout: 10_000 })
    found.push(...(await cutOff(page)).map((what) => `${width} ${inIt}: ${what}`))
    const { overlaps, unaligned } = await page.evaluate<{ overlaps: boolean; unaligned: boolean }>(`(() => {
      const [title, close] = [...document.querySelectorAll('.dialog-head > *')].map((part) => part.getBoundingClientRect())
      const ends = [...document.querySelectorAll('.shortcuts section')].map(
        (part) => new Set([...part.querySelectorAll('dd')].map((keys) => Math.round(keys.getBoundingClientRect().right))).size,
      )
      return { overlaps: title !== undefined && title.right > close.left, unaligned: ends.some((count) => count > 1) }
    })()`)
    if (overlaps) found.push(`${width} ${inIt}: its title lies over the button`)
    if (unaligned) found.push(`${width} ${inIt}: not all keys end in line`)
    await page.keyboard.press('Escape')
    await page.locator(inIt).first().waitFor({ state: 'detached', timeout: 10_000 })
  }
  return found
}

/** What is in a place once it has its data. */
const READY: Readonly<Record<string, string>> = {
  jobs: '[data-name=j1] .jobs-name',
  'jobs/j1': '.detail .files',
  folders: '.folders-line',
  credits: '.chart canvas',
  chargers: '.chargers-line',
  settings: '.place-scroll h2',
}

describeWith(CHROMIUM)('every place at every width', () => {
  // The words of each language where there is least room; what does not fit elsewhere shows in the longest words.
  it.each(LANGUAGES)('shows everything whole (%s)', async (locale) => {
    const widths = locale === 'de' ? WIDTHS : WIDTHS.filter((width) => width === 320 || width === 768)
    const { page } = await world.show(STATE as never, ANSWERS, { locale })
    const { bytes } = await encodeSet(
      { unseen: [], unusable: 0, duplicates: 0, gap: null, atMs: 0, chargers: someChargers(NOW) },
      () => 7,
    )
    await page.route('**/chargers.json*', (route) => route.fulfill({ contentType: 'application/json', body: bytes }))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.locator(`html[lang=${locale}]`).waitFor()
    const found: string[] = []
    for (const width of widths) found.push(...(await walk(page, width)))
    for (const width of widths.slice(0, 2)) found.push(...(await openOver(page, width)))
    expect(found).toEqual([])
  })
})
