import type { Page } from 'playwright-core'
import { NO_CHARGERS, type ChargerStatus } from '../../../../src/shared/chargers/charger-status.ts'
import type { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import type { UiState } from '../../../../src/shared/contract/stream.ts'
import { someChargers } from './charger-samples.ts'
import { servedChargers } from '../../../chargers/served-chargers.ts'
import type { windowForEachTest } from '../../harness/frame-page.ts'

export const NOW = Date.now()
export const SOME_CHARGERS = someChargers(NOW)
export const STATUS: ChargerStatus = {
  ...NO_CHARGERS,
  version: 7,
  atMs: NOW - 180_000,
  count: 5,
  sample: true,
}

interface Given {
  status?: Partial<ChargerStatus>
  state?: Partial<UiState>
  /** How the chargers were left. */
  left?: object
  answers?: Record<string, unknown>
  chargers?: readonly ChargePoint[]
}

/** As an address that was opened does. */
export const open = (page: Page, hash: string) =>
  page.evaluate((to) => {
    ;(globalThis as unknown as { location: { hash: string } }).location.hash = to
  }, hash)

export const lines = (page: Page) => page.locator('.chargers-list').getByRole('option')
export const markers = (page: Page) => page.getByRole('group', { name: /Markers|Markierungen/ }).getByRole('button')

/** The window at its chargers; `showAll` waits until they are in the list and on the map. */
export function chargersWindow(world: ReturnType<typeof windowForEachTest>) {
  const show = async (given: Given = {}): Promise<Page> => {
    const { status = {}, state = {}, left, answers = {}, chargers = SOME_CHARGERS } = given
    const told = { ...state, chargers: { status: { ...STATUS, ...status }, favourites: [3] } }
    const { page } = await world.show(told, answers, left === undefined ? {} : { chargers: left })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const body = await servedChargers(chargers)
    await page.route('**/chargers.json*', (route) => route.fulfill({ contentType: 'application/json', body }))
    await page.keyboard.press('Control+4')
    await page.locator('.chargers > .place-head').getByRole('heading', { level: 1 }).waitFor()
    return page
  }
  const showAll = async (given: Given = {}): Promise<Page> => {
    const page = await show(given)
    await lines(page).first().waitFor()
    await markers(page).first().waitFor({ state: 'attached' })
    return page
  }
  return { show, showAll }
}
