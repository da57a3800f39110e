import type { Locator, Page } from 'playwright-core'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import { freePort } from '../free-port.ts'
import type { AppWorld } from './app-world.ts'
import { place, settingsPage, visible } from './by-hand.ts'

/* What a person does with the chargers, by what they see and read. */

export const list = (page: Page) => page.getByRole('complementary', { name: 'Chargers' })
export const lines = (page: Page) => list(page).getByRole('listbox', { name: 'Chargers' }).getByRole('option')
export const searchField = (page: Page) => page.getByRole('combobox', { name: /^ICAO/ })
export const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Airfields' }).getByRole('option')
export const map = (page: Page) => page.getByRole('region', { name: 'Map' })
export const markers = (page: Page) => page.getByRole('group', { name: /^Markers on the map/ }).getByRole('button')
/** What lies over the list: a charger, or the chargers of an airfield. */
export const panel = (page: Page, name: string | RegExp) =>
  list(page).getByRole('region', { name, exact: typeof name === 'string' })

/** Something of the menu for what one seldom needs. */
export async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await (await visible(page.getByRole('menuitem', { name }))).click()
}

export async function openChargers(page: Page): Promise<void> {
  await place(page, 'Chargers').click()
  await visible(page.getByRole('heading', { level: 1, name: 'Chargers' }))
}

/** The part of Settings with the charger service. */
export async function chargerSettings(page: Page): Promise<Locator> {
  await settingsPage(page, 'Chargers')
  return visible(page.locator('#settings-chargers'))
}

/** Gives the address of a charger service and its token in Settings, and comes back to the chargers. */
async function useChargerService({ page }: AppWorld, address: string, token: string): Promise<void> {
  const settings = await chargerSettings(page)
  await settings.getByLabel('Address').fill(address)
  await settings.getByRole('button', { name: 'Use this address' }).click()
  await (await visible(settings.getByLabel('New token'))).fill(token)
  await settings.getByRole('button', { name: 'Set key' }).click()
  await visible(settings.getByRole('button', { name: 'Replace' }))
  await openChargers(page)
}

/** A charger service of the test's own; `again` stands for one that was away and is back at its address. */
export async function startChargerService(again?: PracticeServer): Promise<PracticeServer> {
  const same = again && { partnerToken: again.partnerToken }
  return startPractice({ port: again?.port ?? (await freePort()), ...same, ipRequestsPerMinute: 10_000 })
}

/** From now on the service answers every request for its list with this, if the token is right. */
export async function listOnly(service: PracticeServer, answer: object | string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await service.control({ type: 'clear-weather' })
  await service.control({
    type: 'add-weather',
    rules: [{ on: 'charge-points', fraction: 1, effect: { kind: 'answer', status: 200, headers, body: answer } }],
  })
}

/** Gives the charger service; nothing moves on the map by itself. */
export async function beginWithChargers(world: AppWorld, service: PracticeServer): Promise<void> {
  await world.page.emulateMedia({ reducedMotion: 'reduce' })
  await useChargerService(world, service.chargerBaseUrl, service.partnerToken)
}
