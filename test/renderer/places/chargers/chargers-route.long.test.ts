import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith, itWith } from '../../../needs.ts'
import { DEFAULT_SETTINGS, type SavedRoute } from '../../../../src/shared/settings/settings.ts'
import { axe } from '../../../e2e/axe.ts'
import { aCharger } from './charger-samples.ts'
import { chargersWindow, markers, NOW, open, SOME_CHARGERS } from './chargers-window.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()
const { show } = chargersWindow(world)

const liveStateSyncedAt = new Date(NOW - 600_000).toISOString()
/** Two chargers that fit at one stop, one at the start, one that does not say what it fits, and one out of order. */
const CHARGERS = [
  aCharger({ id: 1, liveStateSyncedAt }),
  aCharger({ id: 2, liveStateSyncedAt, liveState: 'error' }),
  { ...SOME_CHARGERS[2]!, liveState: 'available', liveStateSyncedAt },
  { ...SOME_CHARGERS[2]!, id: 6, kw: '40', connectors: ['CCS2'], liveState: 'available', liveStateSyncedAt },
  aCharger({ id: 7, icao: 'LSZB', connectors: [], location: { lat: 46.914, lng: 7.497, source: 'arp' } }),
]
const ROUTE =
  '#/chargers/route?from=47.67,9.51,EDNY%20Friedrichshafen&to=47.485,10.6,Allg%C3%A4u&range=70&reserve=25&speed=90&energy=22&kw=60&connector=CCS2'

const SAVED: SavedRoute = {
  id: 'r1',
  name: 'EDNY → Allgäu',
  query: ROUTE.split('?')[1]!,
  service: null,
  chargers: [3, 6],
  stops: ['LSZR Altenrhein'],
  notify: true,
}

async function showRoute(hash = ROUTE): Promise<Page> {
  const page = await show({ chargers: CHARGERS })
  await open(page, hash)
  await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Allgäu').waitFor()
  return page
}

describeWith(CHROMIUM)('A route', () => {
  it('on paper has everything that the flight needs, and nothing of the window', async () => {
    const page = await showRoute()
    await page.emulateMedia({ media: 'print' })
    await page.locator('.chargers-leaflet').waitFor({ state: 'hidden' })
    const text = (await page.locator('body').innerText()).replaceAll('\u00a0', ' ').replaceAll('\u2011', '-')
    expect(text).toContain('EDNY Friedrichshafen → Allgäu')
    expect(text).toContain('Range 70 NM, reserve 25 NM')
    // Where each leg ends, as pilots enter it.
    for (const degrees of ['N 47° 40.20′ E 009° 30.60′', 'N 47° 29.10′ E 009° 33.60′', 'N 47° 29.10′ E 010° 36.00′'])
      expect(text).toContain(degrees)
    expect(text).toContain('Charger 3, Charger 6')
    expect(text).toContain('Not used:')
    expect(text).toContain('1 charger that lists no connectors or aircraft')
    expect(text).toContain('1 charger out of order')
    expect(text).toContain('not for navigation')
    // Like the times of the flight, and not by the clock of this computer.
    expect(text).toMatch(/Departure: \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(text).toMatch(/Data from \d{4}.\d\d.\d\d \d\d:\d\d UTC/)
    expect(await page.locator('.button:visible, .input:visible').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['EDNY Friedrichshafen → Allgäu'])
    expect(world.shown.complaints).toEqual([])
  })

  it('begins and ends at places of the person’s own, which come from a file', async () => {
    const own = { name: 'Home strip', lat: 47.67, lng: 9.51 }
    const { settings } = stateWith()
    const state = { settings: { ...settings, chargers: { ...settings.chargers, places: [own] } } }
    const page = await show({
      chargers: CHARGERS,
      state,
      answers: {
        'chargers.readWaypoints': {
          places: [
            { name: 'HOME STRIP', lat: 1, lng: 2 },
            { name: 'Süd', lat: 3, lng: 4 },
          ],
          leftOut: [],
        },
      },
    })
    await open(page, ROUTE)
    const from = page.getByRole('combobox', { name: 'From' })
    await from.fill('home STRIP')
    await from.press('Enter')
    await expect.poll(() => page.url()).toContain('from=47.67%2C9.51%2CHome+strip')
    await page.getByText('Own places', { exact: true }).click()
    const set = async () => (await world.shown.asked('settings.set')).at(-1)
    const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}` })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add from GPX or CUP…' }).click()
    await (await chooser).setFiles({ name: 'places.cup', mimeType: 'text/csv', buffer: Buffer.from('any') })
    await expect.poll(set).toMatchObject({ chargers: { places: [{ name: 'HOME STRIP', lat: 1 }, { name: 'Süd' }] } })
    // Further ones are added to those that are shown.
    await remove('Süd').waitFor()
    await remove('HOME STRIP').click()
    await expect.poll(set).toMatchObject({ chargers: { places: [{ name: 'Süd' }] } })
    await page.getByText('1 place was removed').waitFor()
    await remove('HOME STRIP').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(set).toMatchObject({ chargers: { places: [{ name: 'Süd' }, { name: 'HOME STRIP' }] } })
    expect(world.shown.complaints).toEqual([])
  })

  it('that breaks off says where, and what range would be enough, and the map shows the gap', async () => {
    const page = await show({ chargers: CHARGERS })
    await open(page, ROUTE.replace('range=70', 'range=60'))
    const answer = page.getByRole('region', { name: 'Routes' }).getByRole('status')
    await answer.getByText(/^No route: the longest gap is .* between LSZR Altenrhein and Allgäu/).waitFor()
    const text = (await answer.innerText()).replaceAll('\u00a0', ' ')
    const range = /A range of (\d+) NM would be enough, including the reserve of 25 NM\./.exec(text)?.[1]
    await page.locator('path.chargers-route-line.gap:not(.end):not([d="M0 0"])').waitFor({ state: 'attached' })
    await open(page, ROUTE.replace('range=70', `range=${range}`))
    await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Allgäu').waitFor()
    await expect.poll(() => page.locator('path.chargers-route-line.gap').count()).toBe(0)
    await open(page, `${ROUTE}&type=Nothing&unknown=0`)
    await answer.getByText(/^No route: no charger can be used/).waitFor()
    expect(world.shown.complaints).toEqual([])
  })

  it('is saved as a file with its stop', async () => {
    const page = await showRoute()
    await page.getByRole('region', { name: 'Routes' }).getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'GPX' }).click()
    const file = await download
    const name = file.suggestedFilename()
    expect(name).toMatch(/^sample-route-\d{4}-\d\d-\d\d\.gpx$/)
    await page.getByText(`The route was saved as ${name}.`).waitFor()
    const text = await readFile(await file.path(), 'utf8')
    expect(text.match(/<rtept /g)).toHaveLength(3)
    expect(text).toContain('<name>LSZR Altenrhein</name>')
  })

  it('that is saved has notices, which can be switched off, and a notice names and opens it', async () => {
    const { settings } = stateWith()
    const page = await showRoute()
    const section = page.locator('details', { hasText: 'Saved routes' })
    await section.getByText('Saved routes').click()
    const withRoutes = (...routes: SavedRoute[]) => ({
      settings: { ...settings, chargers: { ...DEFAULT_SETTINGS.chargers, routes } },
    })
    await world.shown.tell(
      withRoutes(SAVED, { ...SAVED, id: 'r2', name: 'Home', chargers: [], stops: [], notify: false }),
    )
    const notices = section.getByRole('checkbox', {
      name: 'Notify me when a charger of EDNY → Allgäu goes out of order',
    })
    expect(await notices.isChecked()).toBe(true)
    await section.getByText('Notices are about the chargers at LSZR Altenrhein').waitFor()
    await section.getByText('It has no stops').waitFor()
    expect(await axe(page)).toEqual([])
    await notices.uncheck()
    expect((await world.shown.asked('settings.set')).at(-1)).toMatchObject({
      chargers: { routes: [{ id: 'r1', notify: false }, { id: 'r2' }] },
    })
    await open(page, '#/settings/chargers')
    const words = { title: 'One of your chargers changed', body: 'LSZR: out of order (saved route: EDNY → Allgäu)' }
    const address = `#/chargers/route?${SAVED.query}`
    await world.shown.tell({}, [{ id: 'n1', kind: 'favourite', ...words, address }])
    await page.getByText(words.body).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Allgäu').waitFor()
  })
})

itWith(CHROMIUM)(
  'The places of a route are chosen in the menu of the map, by the keyboard too: any point, or the airfield of a marker',
  async () => {
    const page = await show({ chargers: CHARGERS })
    await markers(page).first().waitFor({ state: 'attached' })
    const field = (name: string) => page.getByRole('combobox', { name, exact: true })
    const focused = page.locator(':focus')
    const choose = async (name: string) => {
      await page.getByRole('menuitem', { name, exact: true }).waitFor()
      await page.getByRole('menuitem', { name, exact: true }).press('Enter')
    }
    await page.getByRole('button', { name: /^LSZR Altenrhein/ }).focus()
    await page.keyboard.press('Shift+F10')
    await expect.poll(() => focused.textContent()).toBe('Route to here')
    expect(await page.getByRole('menuitem', { name: 'Add a via point' }).count()).toBe(0)
    await choose('Route from here')
    await expect.poll(() => field('From').inputValue()).toBe('LSZR Altenrhein')
    await expect.poll(() => field('To').and(focused).count()).toBe(1)
    await page.locator('.chargers-leaflet').focus()
    await page.keyboard.press('Shift+F10')
    await choose('Route to here')
    await expect.poll(() => field('To').inputValue()).toMatch(/^N 47° \d\d\.\d\d′ E 0(09|10)° \d\d\.\d\d′$/)
    await page.locator('.chargers-leaflet').click({ button: 'right', position: { x: 60, y: 300 } })
    await choose('Add a via point')
    await expect.poll(() => field('Via 1').inputValue()).toMatch(/^N 47°/)
    // The focus stays in the form when a via point goes, and returns to the list with the planner.
    await page.getByRole('button', { name: /^Remove/ }).press('Enter')
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Add a via point')
    await field('From').fill('47.5 10.6')
    await page.keyboard.press('Escape')
    expect(await field('From').inputValue()).toBe('LSZR Altenrhein')
    await page.keyboard.press('Escape')
    await field('From').waitFor({ state: 'detached' })
    await expect.poll(() => focused.getAttribute('class')).toBe('chargers-list')
    expect(world.shown.complaints).toEqual([])
  },
)
