import type { Page } from 'playwright-core'

/* What a person finds among the chargers, by what they see and read. */

export const list = (page: Page) => page.getByRole('complementary', { name: 'Chargers' })
export const searchField = (page: Page) => page.getByRole('combobox', { name: /^ICAO/ })
export const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Airfields' }).getByRole('option')
export const markers = (page: Page) => page.getByRole('group', { name: /^Markers on the map/ }).getByRole('button')
/** What lies over the list: a charger, or the chargers of an airfield. */
export const panel = (page: Page, name: string | RegExp) =>
  list(page).getByRole('region', { name, exact: typeof name === 'string' })
