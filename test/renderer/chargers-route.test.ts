import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { DEFAULT_SETTINGS, type SavedRoute } from '../../src/shared/settings.ts'
import { axe } from '../e2e/axe.ts'
import { aCharger } from './charger-samples.ts'
import { chargersWindow, NOW, SOME_CHARGERS } from './chargers-window.ts'
import { stateWith } from './fake-bridge.ts'
import { windowForEachTest } from './frame-page.ts'

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

async function showRoute(hash = ROUTE): Promise<Page> {
  const page = await show({ chargers: CHARGERS })
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Allgäu').waitFor()
  return page
}

describeWith(CHROMIUM)('A route', () => {
  it('on paper has everything that the flight needs, and nothing of the window', async () => {
    const page = await showRoute()
    await page.emulateMedia({ media: 'print' })
    const sheet = page.locator('.chargers-route-sheet')
    await sheet.waitFor()
    const text = (await sheet.innerText()).replaceAll('\u00a0', ' ')
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
    expect(await sheet.getByRole('button').count()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['EDNY Friedrichshafen → Allgäu'])
    expect(world.shown.complaints).toEqual([])
  })

  it('is saved as GPX, GeoJSON and CSV, each with its stop', async () => {
    const page = await showRoute()
    const save = async (format: string) => {
      await page.getByRole('region', { name: 'Routes' }).getByRole('button', { name: 'Export' }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: format }).click()
      const file = await download
      const name = file.suggestedFilename()
      await page.getByText(`The route was saved as ${name}.`).waitFor()
      return { name, text: await readFile(await file.path(), 'utf8') }
    }
    const gpx = await save('GPX')
    expect(gpx.name).toMatch(/^sample-route-\d{4}-\d\d-\d\d\.gpx$/)
    expect(gpx.text.match(/<rtept /g)).toHaveLength(3)
    expect(gpx.text).toContain('<name>LSZR Altenrhein</name>')
    const geojson = await save('GeoJSON')
    expect(geojson.name).toMatch(/\.geojson$/)
    const { features } = JSON.parse(geojson.text) as { features: { geometry: { type: string }; properties: object }[] }
    expect(features.map(({ geometry }) => geometry.type)).toEqual(['LineString', 'LineString', 'Point'])
    expect(features.at(-1)?.properties).toMatchObject({ name: 'LSZR Altenrhein', charger_ids: [3, 6] })
    const csv = await save('CSV')
    expect(csv.name).toMatch(/\.csv$/)
    expect(csv.text.split('\r\n').filter((line) => line !== '')).toHaveLength(3)
    expect(csv.text).toMatch(/^\uFEFFleg,from,to/)
  })
  it('that is saved has its notices in Settings too, and a notice names and opens it', async () => {
    const one: SavedRoute = {
      id: 'r1',
      name: 'EDNY → Allgäu',
      query: ROUTE.split('?')[1]!,
      service: null,
      chargers: [3, 6],
      stops: ['LSZR Altenrhein'],
      notify: true,
    }
    const { settings } = stateWith()
    const page = await show({ chargers: CHARGERS })
    await page.evaluate("location.hash = '#/settings/chargers'")
    const section = page
      .getByRole('region', { name: 'Chargers' })
      .getByRole('group', { name: 'Notices about saved routes' })
    await section.getByText('No route is saved.').waitFor()
    const withRoutes = (...routes: SavedRoute[]) => ({
      settings: { ...settings, chargers: { ...DEFAULT_SETTINGS.chargers, routes } },
    })
    await world.shown.tell(withRoutes(one, { ...one, id: 'r2', name: 'Home', chargers: [], stops: [], notify: false }))
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
    const change = { id: 3, icao: 'LSZR', airfield: 'Altenrhein', kind: 'broken', from: 'available', to: 'error' }
    await world.shown.tell({}, [
      { id: 'n1', kind: 'favourite', changes: [change], routes: [{ id: 'r1', name: one.name }] },
    ])
    await page.getByText('LSZR Altenrhein: out of order (saved route: EDNY → Allgäu)').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Allgäu').waitFor()
    expect(world.shown.complaints).toEqual([])
  })

  it('is copied as a link, which a field of any window takes, also of the desktop', async () => {
    const page = await showRoute()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('The link was copied. Paste it into From or To').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toBe(page.url())
    await page.evaluate("location.hash = '#/chargers'")
    await page.getByRole('button', { name: 'Route', exact: true }).click()
    const from = page.getByRole('combobox', { name: 'From', exact: true })
    await from.fill(`hangar://app/${new URL(link).hash.replace('Allg%C3%A4u', 'Ulm')}\n`)
    await page.getByRole('region', { name: 'Routes' }).getByText('LSZR Altenrhein → Ulm').waitFor()
    expect(await from.inputValue()).toBe('EDNY Friedrichshafen')
    await from.fill('#/chargers/route?speed=90')
    await from.press('Enter')
    await page.getByRole('alert').getByText('No airfield with chargers matches.').waitFor()
    expect(world.shown.complaints).toEqual([])
  })
})
