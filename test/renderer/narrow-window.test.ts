import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { LANGUAGES } from '../../src/shared/text/languages.ts'
import { NO_JOBS, stateWith } from './fake-bridge.ts'
import { windowForEachTest } from './frame-page.ts'
import { jobRow } from './job-row.ts'

const ROWS = [
  jobRow('j2', { state: 'held', reason: { code: 'spend_guard', detail: null }, optimizedBytes: null }),
  jobRow('j1'),
]
const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'recipes.list': { recipes: [] },
}
const FOLDER = {
  id: 'f1',
  path: '/home/ada/Pictures',
  recipe: stateWith().settings.recipe,
  include: [],
  exclude: [],
  paused: false,
  askAbove: 100,
  addedAtMs: 0,
  state: 'missing',
  because: { code: 'not_there', values: {} },
  counts: { ...NO_JOBS, done: 8, held: 3, failed: 2 },
  lastEventAtMs: 1,
  leftOut: { count: 0, first: [] },
  token: 'token-of-folder',
} as const

const world = windowForEachTest()

/** What is wider than its place, by class. */
const cutOff = (page: Page) =>
  page.evaluate(`['.place', '.place-head', '.place-scroll', '.folders-line', '.jobs-line', '.jobs-name'].flatMap((name) =>
    [...document.querySelectorAll(name)].filter((one) => one.scrollWidth > one.clientWidth + 1).map(() => name))`)

describeWith(CHROMIUM)('a window 360 pixels wide, as one that is enlarged to 400 %', () => {
  it.each(LANGUAGES)('shows names and buttons whole, also in longer words (%s)', async (locale) => {
    const state = { counts: { ...NO_JOBS, held: 1, done: 1 }, folders: [FOLDER] }
    const { page } = await world.show(state as never, ANSWERS, { width: 360, height: 740, locale })
    await page.locator(`html[lang=${locale}]`).waitFor()
    const name = page.locator('[data-name=j1] .jobs-name')
    await name.waitFor()
    const { width } = (await name.boundingBox())!
    expect(width).toBeGreaterThan(80)
    for (const place of [1, 2, 5]) {
      await page.keyboard.press(`Control+${place}`)
      await page.locator('.place-head h1').waitFor()
      expect(await cutOff(page), `place ${place}`).toEqual([])
    }
  })
})
