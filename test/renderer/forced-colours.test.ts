import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { NO_JOBS, stateWith } from './harness/fake-bridge.ts'
import { windowForEachTest } from './harness/frame-page.ts'
import { jobRow } from './harness/job-row.ts'
import { ANSWERS as LONG } from './harness/long-words.ts'

const ROWS = [jobRow('j2'), jobRow('j1')]
const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, folderId: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'jobs.detail': { error: { code: 'not_found', sentence: { raw: 'gone' } } },
}

const world = windowForEachTest()

/** In the page: all colours of the first canvas that is drawn, as one text. */
const COLOURS = `(() => {
  const drawn = document.querySelector('.leaflet-image-layer, .chart canvas')
  if (drawn === null || drawn.width === 0) return ''
  const copy = Object.assign(document.createElement('canvas'), { width: drawn.width, height: drawn.height })
  const context = copy.getContext('2d')
  context.drawImage(drawn, 0, 0)
  const { data } = context.getImageData(0, 0, copy.width, copy.height)
  const colours = new Set()
  for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 4).join())
  // Before its shapes are there the map is plain.
  return colours.size < 3 ? '' : [...colours].sort().join(' ')
})()`

describeWith(CHROMIUM)('with the colours of a person forced on the page', () => {
  it('what is chosen differs from what is not: place, chip, row, segment and page of the settings', async () => {
    const { page } = await world.show({ counts: { ...NO_JOBS, done: 2, held: 1 } }, ANSWERS)
    await page.emulateMedia({ forcedColors: 'active' })
    const backOf = (list: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(list)})).backgroundColor`)
    const differs = async (chosen: string, other: string) => {
      await page.locator(chosen).first().waitFor()
      expect(await backOf(chosen), chosen).not.toBe(await backOf(other))
    }
    await page.locator('[data-name=j1]').click()
    await page.keyboard.press('Escape')
    await differs('.rail-place[aria-current]', '.rail-place:not([aria-current])')
    await differs('.chip[aria-pressed=true]', '.chip[aria-pressed=false]')
    await page.getByRole('button', { name: 'Show as list' }).click()
    await differs('.jobs-line.chosen', '.jobs-line:not(.chosen)')
    await page.keyboard.press('Control+,')
    await differs('.segmented label:has(:checked)', '.segmented label:not(:has(:checked))')
    await differs('.settings-nav a[aria-current]', '.settings-nav a:not([aria-current])')
  })

  for (const [what, keys] of [
    ['charts', 'Control+3'],
    ['map', 'Control+4'],
  ] as const)
    it(`the ${what} is drawn in them at once, and in others when these change`, async () => {
      const { page } = await world.show(stateWith(), { ...ANSWERS, 'credits.history': LONG['credits.history'] })
      const colours = () => page.evaluate<string>(COLOURS)
      /** What comes of it, once it is drawn and differs from what was there before. */
      const next = async (before: string) => {
        await expect.poll(async () => ['', before].includes(await colours())).toBe(false)
        return colours()
      }
      await page.keyboard.press(keys)
      const own = await next('')
      await page.emulateMedia({ forcedColors: 'active' })
      const forced = await next(own)
      await page.reload()
      expect(await next(own)).toBe(forced)
      await page.emulateMedia({ forcedColors: 'none' })
      expect(await next(forced)).toBe(own)
    })
})
