import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { until } from '../until.ts'
import { button, visible } from './by-hand.ts'
import { pageOf, record } from './charger-records.ts'
import {
  beginWithChargers,
  chargerSettings,
  fromMenu,
  lines,
  list,
  listOnly,
  openChargers,
  panel,
  startChargerService,
} from './chargers-by-hand.ts'

const RECORDS = ['EDKB', 'EDKA', 'EDLE', 'EDFE', 'EDNY', 'EDMO', 'EDMA'].map((icao, n) =>
  record({ id: n + 1, icao, airfield: 'Field', lat: 50 - n / 10, lng: 7 }),
)

let world: AppWorld
let service: PracticeServer

const count = (page: Page, text: string) => visible(list(page).getByRole('status').getByText(text, { exact: true }))
const problem = (page: Page, text: RegExp) => visible(page.getByRole('alert').getByText(text))

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
  afterEach(async ({ task }) => {
    // What a failed story looked like at its end.
    const folder = process.env['HANGAR_E2E_PICTURES']
    if (task.result?.state === 'fail' && folder !== undefined)
      await world.page.screenshot({ path: join(folder, `${task.name.replaceAll(/\W+/g, '-')}.png`) })
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
    await visible(panel(again, 'EDKB Field'))
    await again.keyboard.press('Escape')

    service = await startChargerService(service)
    await listOnly(service, pageOf(RECORDS.slice(0, 6)))
    await fromMenu(again, 'Refresh')
    await count(again, '6 chargers')
    await visible(again.locator('.chargers-age > :not(.stale)'))
    expect(await again.getByRole('alert').count()).toBe(0)
  })
})
