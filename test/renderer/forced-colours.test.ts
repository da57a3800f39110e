import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { NO_JOBS } from './fake-bridge.ts'
import { windowForEachTest } from './frame-page.ts'
import { jobRow } from './job-row.ts'

const ROWS = [jobRow('j2'), jobRow('j1')]
const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'recipes.list': { recipes: [] },
}

const world = windowForEachTest()

describeWith(CHROMIUM)('with the colours of a person forced on the page', () => {
  it('what is chosen differs from what is not: place, chip, row and segment', async () => {
    const { page } = await world.show({ counts: { ...NO_JOBS, done: 2, held: 1 } }, ANSWERS)
    await page.emulateMedia({ forcedColors: 'active' })
    const backOf = (list: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(list)})).backgroundColor`)
    const differs = async (chosen: string, other: string) => {
      await page.locator(chosen).first().waitFor()
      expect(await backOf(chosen), chosen).not.toBe(await backOf(other))
    }
    await page.locator('[data-name=j1]').click()
    await differs('.rail-place[aria-current]', '.rail-place:not([aria-current])')
    await differs('.jobs-chip[aria-pressed=true]', '.jobs-chip[aria-pressed=false]')
    await differs('.jobs-line.chosen', '.jobs-line:not(.chosen)')
    await page.keyboard.press('Control+5')
    await differs('.segmented label:has(:checked)', '.segmented label:not(:has(:checked))')
  })
})
