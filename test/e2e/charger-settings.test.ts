import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, dialog, visible } from './by-hand.ts'
import { pageOf, record } from './charger-records.ts'
import {
  beginWithChargers,
  chargerSettings,
  fromMenu,
  lines,
  list,
  listOnly,
  openChargers,
  startChargerService,
} from './chargers-by-hand.ts'

const FRIEDRICHSHAFEN = { id: 1, icao: 'EDNY', airfield: 'Friedrichshafen', lat: 47.6713, lng: 9.5115 }
const of = (live_state: string) => pageOf([record(FRIEDRICHSHAFEN, { live_state })])

let world: AppWorld
let service: PracticeServer

describeWith(WHOLE_APP)('a pilot with a favourite charger', () => {
  beforeAll(async () => {
    service = await startChargerService()
    await listOnly(service, of('busy'))
    world = await openApp()
    await beginWithChargers(world, service)
  })
  afterAll(async () => {
    await world?.close()
    await service?.close()
  })

  /** What the next refresh brings, and that refresh. */
  const refreshTo = async (state: string) => {
    await listOnly(service, of(state))
    await fromMenu(world.page, 'Refresh')
  }

  test('turns its notices on in Settings, and is notified in the window when it becomes free', async () => {
    const { page } = world
    await visible(lines(page).first())
    await lines(page).first().click()
    await button(page, 'Mark as favourite').click()
    const settings = await chargerSettings(page)
    const notices = settings.getByRole('checkbox', { name: 'Notify me when a favourite changes' })
    expect(await notices.isChecked()).toBe(false)
    // Still off: nothing is told.
    await openChargers(page)
    await refreshTo('error')
    await visible(list(page).getByText('Error').first())
    expect(await page.getByText('EDNY Friedrichshafen: out of order').count()).toBe(0)
    await chargerSettings(page)
    await notices.click()
    await expect.poll(() => notices.isChecked()).toBe(true)
    await openChargers(page)
    await refreshTo('available')
    await visible(page.getByText('EDNY Friedrichshafen: free now'))
  })

  test('chooses how often to refresh in Settings and from the palette', async () => {
    const { page } = world
    const settings = await chargerSettings(page)
    const five = settings.getByRole('radio', { name: /^5/ })
    await five.click()
    await expect.poll(() => five.isChecked()).toBe(true)
    await page.keyboard.press('Control+k')
    await dialog(page).getByRole('combobox').fill('refresh the chargers every 1 m')
    await visible(page.getByRole('option', { name: /^Refresh the chargers every 1 min/ }))
    await page.keyboard.press('Enter')
    await chargerSettings(page)
    await expect.poll(() => settings.getByRole('radio', { name: /^1\b/ }).isChecked()).toBe(true)
  })
})
