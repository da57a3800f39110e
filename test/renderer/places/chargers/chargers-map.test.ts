import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { aCharger } from './charger-samples.ts'
import { chargersWindow, lines, markers, NOW } from './chargers-window.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()
const { show, showAll } = chargersWindow(world)

const at = (id: number, icao: string, lat: number, lng: number) =>
  aCharger({
    id,
    icao,
    airfield: 'Field',
    location: { lat, lng, source: 'arp' },
    liveStateSyncedAt: new Date(NOW - 600_000).toISOString(),
  })

/** What a marker's button covers lies within the map, as far as the middle of it. */
async function isInView(page: Page, icao: string): Promise<boolean> {
  const map = (await page.locator('.chargers-leaflet').boundingBox())!
  for (const marker of await markers(page).all()) {
    const name = (await marker.getAttribute('aria-label')) ?? ''
    const box = await marker.boundingBox()
    if (!name.startsWith(icao) || box === null) continue
    const [x, y] = [box.x + box.width / 2 - map.x, box.y + box.height / 2 - map.y]
    if (x > 0 && y > 0 && x < map.width && y < map.height) return true
  }
  return false
}

describeWith(CHROMIUM)('The map', () => {
  it.each([
    [2560, 640],
    [1280, 800],
    [768, 520],
    [360, 740],
  ])(
    'shows the whole world, from the west of the Americas to the south of New Zealand, at %d × %d',
    async (width, height) => {
      const places = [at(1, 'KSQL', 37.51, -122.25), at(2, 'NZNV', -46.41, 168.31), at(3, 'SAWH', -54.84, -68.29)]
      const page = await show({ chargers: [...places, at(4, 'ENSB', 78.25, 15.47)], look: { width, height } })
      await page.getByRole('button', { name: 'Whole world' }).click()
      for (const icao of ['KSQL', 'NZNV', 'SAWH', 'ENSB']) await expect.poll(() => isInView(page, icao)).toBe(true)
    },
  )

  it.each([
    [768, 6],
    [1280, 7],
  ])('shows where a charger is, and not an empty field, %d pixels wide', async (width, zoom) => {
    const page = await showAll({ look: { width, height: 700 } })
    await lines(page).first().click()
    await page.getByRole('button', { name: 'Show on the map' }).click()
    await expect
      .poll(async () => (await world.shown.asked('views.save')).at(-1))
      .toMatchObject({ name: 'chargers', value: { zoom } })
  })

  it('marks positions that cannot be right, by sight and by name', async () => {
    const chargers = [at(1, 'EDNY', 0, 0), at(2, 'EDAZ', 1.5, 1.5), at(3, 'FPST', 0.38, 6.71)]
    const view = { centre: { lat: 0.2, lng: 3.3 }, zoom: 7 }
    const page = await showAll({ chargers, answers: { 'views.load': { value: view } } })
    await page.getByRole('button', { name: /^EDNY Field: .*, position probably wrong/ }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^EDAZ Field: .*, position probably wrong/ }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: /^FPST Field: (?!.*wrong)/ }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Legend' }).click()
    await page.getByText('its position is probably wrong').waitFor()
    expect(world.shown.complaints).toEqual([])
  })
})
