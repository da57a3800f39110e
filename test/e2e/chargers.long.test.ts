import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { until } from '../until.ts'
import { button, visible } from './by-hand.ts'
import { CLOSED, everyDay, hoursAroundNow, pageOf, record } from './charger-records.ts'
import {
  beginWithChargers,
  chargerSettings,
  chip,
  fromMenu,
  lines,
  list,
  listOnly,
  map,
  openChargers,
  openFilters,
  panel,
  searchField,
  startChargerService,
  suggestions,
} from './chargers-by-hand.ts'

const HANGELAR = { icao: 'EDKB', airfield: 'Bonn-Hangelar', lat: 50.7689, lng: 7.1637 }
const AROUND_NOW = hoursAroundNow('Europe/Berlin', 5)
/** Around Bonn, from near to far. One is wrong in one way each; two at Friedrichshafen and one in Munich are right. */
const RECORDS = [
  record({ id: 1, ...HANGELAR }, { type: 'AC', kw: '22', connectors: ['Type 2'] }),
  record(
    { id: 2, icao: 'EDKA', airfield: 'Aachen-Merzbrück', lat: 50.8231, lng: 6.1864 },
    { live_state: 'busy-charging', available: false },
  ),
  record(
    { id: 3, icao: 'EDLE', airfield: 'Essen/Mülheim', lat: 51.4023, lng: 6.9373 },
    { availability: everyDay(CLOSED) },
  ),
  record({ id: 4, icao: 'EDFE', airfield: 'Frankfurt-Egelsbach', lat: 49.9598, lng: 8.6437 }, { kw: '19,2' }),
  record(
    { id: 5, icao: 'EDNY', airfield: 'Friedrichshafen', lat: 47.6713, lng: 9.5115 },
    { kw: '65.0', availability: everyDay(AROUND_NOW) },
  ),
  record(
    { id: 6, icao: 'EDNY', airfield: 'Friedrichshafen', lat: 47.6722, lng: 9.5129 },
    { kw: null, live_state: 'error', available: false },
  ),
  record(
    { id: 7, icao: 'EDMO', airfield: 'Oberpfaffenhofen', lat: 48.0814, lng: 11.2831 },
    { kw: '2x150', live_state: null, live_state_synced_at: null },
  ),
]

let world: AppWorld
let service: PracticeServer

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const codes = async (page: Page) => (await lines(page).allInnerTexts()).map((text) => text.slice(0, 4))
/** The lines come after their count: until then those of the question before stay. */
const expectCodes = (page: Page) => expect.poll(() => codes(page))
const count = (page: Page, text: string) => visible(list(page).getByRole('status').getByText(text, { exact: true }))
const problem = (page: Page, text: RegExp) => visible(page.getByRole('alert').getByText(text))

/** All chargers on the whole world, nothing chosen. */
async function startOver(page: Page): Promise<void> {
  await openChargers(page)
  const ways = ['Back to the chargers here', 'Back to the list', 'Clear filters']
  for (const name of ways) {
    const way = list(page).getByRole('button', { name })
    // It may go by itself: opening the place closes what is chosen, a little later.
    await until(`there is no ${name}`, async () => {
      if (!(await way.isVisible())) return true
      await way.click({ timeout: 1000 }).catch(() => undefined)
      return false
    })
  }
  await map(page).getByRole('button', { name: 'Whole world' }).click()
  await count(page, '7 chargers')
}

/** Everything that the window holds or the program wrote, in which no token may be. */
async function whatIsKept({ page, dataDir }: AppWorld): Promise<string> {
  const inPage = await page.evaluate(`[
    location.href, document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage }),
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ...performance.getEntriesByType('resource').map(({ name }) => name),
  ].join('\\n')`)
  let files: { name: string; text: string }[] = []
  await until('nothing is half written', async () => {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const found = entries.filter((entry) => entry.isFile())
    const texts = found.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
    files = (await Promise.all(texts)).map((text, n) => ({ name: found[n]!.name, text }))
    return !files.some(({ name }) => name.endsWith('.part'))
  })
  expect(files.filter(({ name }) => name.endsWith('.log'))).not.toEqual([])
  return [inPage, ...files.map(({ text }) => text)].join('\n')
}

describeWith(WHOLE_APP)('a pilot with the charger map', () => {
  beforeAll(async () => {
    service = await startChargerService()
    await listOnly(service, pageOf(RECORDS))
    world = await openApp()
    await beginWithChargers(world, service)
  })
  afterAll(async () => {
    await world?.close()
    await service?.close()
  })
  beforeEach(() => startOver(world.page))
  afterEach(async ({ task }) => {
    // What a failed story looked like at its end.
    const folder = process.env['HANGAR_E2E_PICTURES']
    if (task.result?.state === 'fail' && folder !== undefined)
      await world.page.screenshot({ path: join(folder, `${task.name.replaceAll(/\W+/g, '-')}.png`) })
  })

  test('finds the nearest free DC charger over 20 kW that is open now, and reads all about it', async () => {
    const { page } = world
    await searchField(page).fill('edkb')
    await (await visible(suggestions(page).filter({ hasText: 'EDKB Bonn-Hangelar' }))).click()
    await visible(panel(page, 'EDKB Bonn-Hangelar'))
    await page.keyboard.press('Escape')
    await until(
      'the list is sorted by distance from there',
      async () => (await codes(page)).join() === 'EDKB,EDKA,EDLE,EDFE,EDNY,EDNY,EDMO',
    )

    await chip(page, /^DC/).click()
    await count(page, '6 of 7 chargers')
    await chip(page, /^Free now/).click()
    await count(page, '4 of 7 chargers')
    const filters = await openFilters(page)
    await filters.getByLabel('Open now').check()
    await count(page, '3 of 7 chargers')
    await filters.getByLabel('Power').selectOption('≥ 22 kW')
    await count(page, '2 of 7 chargers')
    await page.keyboard.press('Escape')
    await expectCodes(page).toEqual(['EDNY', 'EDMO'])

    await lines(page).first().click()
    await visible(panel(page, 'EDNY Friedrichshafen'))
    const read = async () => tidy(await panel(page, 'EDNY Friedrichshafen').innerText())
    const told = await read()
    expect(told).toMatch(/Available synced \d+ min ago 65 kW .*CCS2 Open/)
    expect(told).toMatch(new RegExp(`Open until ${AROUND_NOW.to}|Open · closes tomorrow ${AROUND_NOW.to}`))
    await panel(page, 'EDNY Friedrichshafen').getByText('More details', { exact: true }).click()
    await expect.poll(read).toMatch(/N 47° 40.28′ E 009° 30.69′.*20\d NM from the middle of the map/)
    await visible(page.locator('.chargers-age').filter({ hasText: /now|ago/ }))
    await list(page).getByRole('button', { name: '2 chargers at this airfield' }).click()
    await visible(list(page).getByText('1 more is left out by the filters.'))
    for (const name of ['DC', 'Free now']) await chip(page, name).click()
    await openFilters(page)
    await filters.getByLabel('Open now').uncheck()
    await filters.getByLabel('Power').selectOption('Any power')
    await page.keyboard.press('Escape')
    await list(page).getByRole('listitem').filter({ hasText: 'Error' }).getByRole('button').click()
    // The panel with all that are there has the same name.
    await visible(panel(page, 'EDNY Friedrichshafen').getByRole('button', { name: 'Route to here' }))
    expect(await read()).toMatch(/Error synced.*Power not known/)
  })

  test('is told that a token is missing or wrong, and gets from there to giving the right one', async () => {
    const { page } = world
    const wrong = 'not-the-right-token-91'
    const settings = await chargerSettings(page)
    await settings.getByLabel('Address').fill(service.chargerBaseUrl.replace('127.0.0.1', 'localhost'))
    await settings.getByRole('button', { name: 'Use this address' }).click()
    // It is in use once it has no token yet.
    await visible(settings.getByLabel('New token'))
    await openChargers(page)
    await problem(page, /needs a token/)
    await visible(list(page).getByText('No chargers have been read yet.'))

    await button(page, 'Set the token').click()
    await (await visible(settings.getByLabel('New token'))).fill(wrong)
    await settings.getByRole('button', { name: 'Set key' }).click()
    await visible(settings.getByText(/refused the key, so it was not stored/))
    await settings.getByRole('button', { name: 'Keep it anyway' }).click()
    await visible(settings.getByRole('status').getByText(/refused/))
    expect(await whatIsKept(world)).not.toContain(wrong)
    await openChargers(page)
    await problem(page, /refused the token/)
    await visible(list(page).getByText('No chargers have been read yet.'))
    expect(await lines(page).count()).toBe(0)

    await button(page, 'Set the token').click()
    await (await visible(settings.getByRole('button', { name: 'Replace' }))).click()
    await settings.getByLabel('New token').fill(service.partnerToken)
    await settings.getByRole('button', { name: 'Set key' }).click()
    await visible(settings.getByRole('status').getByText(/accepts/))
    await openChargers(page)
    await count(page, '7 chargers')
    expect(await page.getByRole('alert').count()).toBe(0)
    const kept = await whatIsKept(world)
    for (const token of [wrong, service.partnerToken]) expect(kept).not.toContain(token)
  })

  test('keeps the last chargers with their age while the service is away, over a restart too', async () => {
    const { page } = world
    await service.close()
    await fromMenu(page, 'Refresh')
    await problem(page, /does not answer/)
    await visible(page.getByText(/^What you see is from /))
    await visible(page.getByText(/^old: as of /))
    await count(page, '7 chargers')

    expect(await world.served.stop()).toBe(0)
    await world.start()
    const again = world.page
    await openChargers(again)
    await count(again, '7 chargers')
    await visible(again.locator('.chargers-age').filter({ hasText: /ago/ }))
    await fromMenu(again, 'Refresh')
    await problem(again, /does not answer/)
    await visible(again.getByText(/^old: as of /))
    await lines(again).filter({ hasText: 'EDKB' }).click()
    await visible(panel(again, 'EDKB Bonn-Hangelar'))
    await again.keyboard.press('Escape')

    service = await startChargerService(service)
    await listOnly(service, pageOf(RECORDS.slice(0, 6)))
    await fromMenu(again, 'Refresh')
    await count(again, '6 chargers')
    await visible(again.locator('.chargers-age > :not(.stale)'))
    expect(await again.getByRole('alert').count()).toBe(0)
  })
})
