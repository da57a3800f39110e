import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { aCharger } from './charger-samples.ts'
import { chargersWindow, lines, markers, NOW } from './chargers-window.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()
const { showAll } = chargersWindow(world)

const at = (id: number, icao: string, lat: number, lng: number) =>
  aCharger({
    id,
    icao,
    airfield: 'Field',
    location: { lat, lng, source: 'arp' },
    liveStateSyncedAt: new Date(NOW - 600_000).toISOString(),
  })

/** Whether a marker with such a name lies within the map, as far as the middle of it. */
async function isInView(page: Page, name: RegExp): Promise<boolean> {
  const map = (await page.locator('.chargers-leaflet').boundingBox())!
  for (const marker of await markers(page).all()) {
    const box = await marker.boundingBox()
    if (box === null || !name.test((await marker.getAttribute('aria-label')) ?? '')) continue
    const [x, y] = [box.x + box.width / 2 - map.x, box.y + box.height / 2 - map.y]
    if (x > 0 && y > 0 && x < map.width && y < map.height) return true
  }
  return false
}

describeWith(CHROMIUM)('The map', () => {
  it('moves to a charger that is chosen in the list, out of the cluster that hides it', async () => {
    const chargers = [at(1, 'EDNY', 47.67, 9.51), at(2, 'LSZR', 47.48, 9.56), at(3, 'EDMA', 48.42, 10.93)]
    const page = await showAll({
      chargers,
      left: { zoom: 5, centre: { lat: 50, lng: 5 } },
    })
    await page.getByRole('button', { name: /^3 chargers at 3 airfields/ }).waitFor()
    await lines(page).filter({ hasText: 'EDMA' }).click()
    await expect.poll(() => isInView(page, /^EDMA Field/)).toBe(true)
    await page.getByRole('heading', { level: 2, name: 'EDMA Field' }).waitFor()
    await page.locator('path.chargers-chosen').waitFor()
  })

  it('has a route to an airfield in a menu by a right click on its line', async () => {
    const page = await showAll({ chargers: [at(1, 'EDNY', 47.67, 9.51), at(2, 'LSZR', 47.48, 9.56)] })
    await lines(page).filter({ hasText: 'LSZR' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Route to here' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'To', exact: true }).inputValue()).toBe('LSZR Field')
  })

  it('zooms to what is in a cluster, and lists what stands in one place', async () => {
    const far = at(3, 'EDMA', 48.42, 10.93)
    const page = await showAll({
      chargers: [at(1, 'EDNY', 47.67, 9.51), at(2, 'LSZR', 47.6705, 9.512), far],
      left: { zoom: 5, centre: { lat: 48, lng: 10 } },
    })
    await page.getByRole('button', { name: /^3 chargers at 3 airfields/ }).click()
    await expect.poll(() => isInView(page, /^EDMA/)).toBe(true)
    for (let zoom = 0; zoom < 12; zoom += 1) {
      if (await page.getByText('2 chargers here').isVisible()) break
      await page.getByRole('button', { name: /^2 chargers at 2 airfields/ }).click()
    }
    await page.getByText('2 chargers here').waitFor()
    await page.locator('.chargers-site button').filter({ hasText: 'LSZR' }).click()
    await page.getByRole('heading', { level: 2, name: 'LSZR Field' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 chargers here').waitFor()
  })

  it('leads from marker to marker with the arrow keys, brings each into view and marks it in the list, and zooms by plus and minus on one', async () => {
    const row = Array.from({ length: 12 }, (_, n) => at(n + 1, `ED${String.fromCharCode(65 + n)}A`, 48, 10 + n / 2))
    const page = await showAll({ chargers: row, left: { zoom: 8, centre: { lat: 48, lng: 10 } } })
    await page.getByRole('button', { name: /^EDAA/ }).focus()
    for (const { icao } of row.slice(1)) {
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(new RegExp(`^${icao}`))
      await expect.poll(() => isInView(page, new RegExp(`^${icao}`))).toBe(true)
      await page.locator('.chargers-line.highlighted').getByText(icao!).waitFor()
    }
    const merged = page.getByRole('button', { name: /^\d chargers at \d airfields/ }).first()
    await page.keyboard.press('-')
    await merged.waitFor()
    await page.keyboard.press('+')
    await merged.waitFor({ state: 'detached' })
  })

  it('tells four states by shape, and hollow what no live state says', async () => {
    const one = at(1, 'EDAA', 47.6, 9)
    const state = (id: number, lng: number, part: Partial<ReturnType<typeof at>>) => ({
      ...one,
      ...part,
      id,
      icao: `EDA${id % 10}`,
      location: { lat: 47.6, lng, source: 'arp' },
    })
    const page = await showAll({
      chargers: [
        state(11, 8.7, {}),
        state(12, 9, { liveState: 'busy-charging' }),
        state(13, 9.3, { liveState: 'error' }),
        state(14, 9.6, { liveState: 'passive' }),
        state(15, 9.9, { liveState: null, available: true }),
        state(16, 10.2, { liveState: null, available: null }),
      ],
    })
    const looks = ['free', 'busy', 'broken', 'unknown', 'free hollow', 'unknown hollow']
    const names = [
      'Free',
      'In use',
      'Out of order',
      'Unknown or restricted',
      'Probably free · not live',
      'No live data',
    ]
    for (const [index, name] of names.entries()) {
      const marker = page.getByRole('button', { name: `EDA${index + 1} Field: ${name}, 40 kW`, exact: true })
      await marker.waitFor()
      expect(await marker.locator('svg').getAttribute('class')).toBe(`chargers-mark ${looks[index]!}`)
    }
  })

  it('draws land, lakes and towns of its own', async () => {
    const page = await showAll({ left: { zoom: 7, centre: { lat: 47.2, lng: 8 } } })
    // As text: what a page has is not known here.
    const colours = `(() => {
      const canvas = document.querySelector('.leaflet-base-pane canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const seen = new Set()
      for (let at = 0; at < data.length; at += 4) seen.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2])
      return seen.size
    })()`
    await expect.poll(() => page.evaluate(colours)).toBeGreaterThan(50)
    expect(world.shown.complaints).toEqual([])
  })
})
