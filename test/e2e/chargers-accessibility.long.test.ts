import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { findings } from './axe.ts'
import { until } from '../until.ts'
import { button, visible } from './by-hand.ts'
import {
  chip,
  lines,
  list,
  markers,
  openChargers,
  openFilters,
  panel,
  searchField,
  suggestions,
} from './chargers-by-hand.ts'

let world: AppWorld

async function findAirfield(page: Page, code: string): Promise<void> {
  await searchField(page).fill(code)
  await visible(suggestions(page).filter({ hasText: code }))
  await searchField(page).press('Enter')
  await visible(panel(page, new RegExp(`^${code}`)))
}

/** How to come to each view from the list of all chargers. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the world, where most airfields are in clusters': async (page) => {
    await button(page, 'Whole world').click()
    await until(
      'there are clusters',
      async () =>
        (await markers(page)
          .and(page.getByRole('button', { name: /airfields/ }))
          .count()) > 1,
    )
  },
  'one charger, chosen on the map and in the list': (page) => findAirfield(page, 'EDAZ'),
  'several chargers at one airfield': (page) => findAirfield(page, 'EDKA'),
  'airfields that a search suggests': async (page) => {
    await searchField(page).fill('ED')
    await visible(suggestions(page))
    await searchField(page).press('ArrowDown')
  },
  'the sheet of filters, one by values': async (page) => {
    const filters = await openFilters(page)
    await filters.getByText('Payment', { exact: true }).click()
    await visible(filters.getByRole('list').getByRole('checkbox'))
  },
  'filters that chips show': async (page) => {
    for (const name of ['DC', 'Free now']) await chip(page, name).click()
    await visible(page.getByRole('button', { name: 'Clear filters' }))
  },
  'filters that leave nothing': async (page) => {
    await searchField(page).fill('no such airfield')
    await visible(page.getByText('No charger matches this search.'))
  },
  'the menu': async (page) => {
    await button(page, 'More').click()
    await visible(page.getByRole('menu'))
  },
  'a route from charger to charger': async (page) => {
    await button(page, 'Route').click()
    for (const [end, code] of [
      ['From', 'EDAZ'],
      ['To', 'EDNY'],
    ] as const) {
      const field = page.getByRole('combobox', { name: end, exact: true })
      await field.fill(code)
      await field.press('Enter')
    }
    await page.getByText('Figures', { exact: true }).click()
    await page.getByLabel('Range (NM)').fill('320')
    await page.getByText('Options', { exact: true }).click()
    await visible(page.getByRole('radiogroup', { name: 'Route', exact: true }).getByRole('radio'))
  },
}

/** Back to the list of all chargers. What is pressed may go by itself meanwhile, as its answer comes. */
async function goBack(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  const isBack = async () =>
    (await page.locator('[role=dialog], [role=menu]').count()) === 0 &&
    (await list(page).getByRole('heading', { level: 2 }).count()) === 0 &&
    (await list(page).getByText('111 chargers', { exact: true }).isVisible())
  await until('all chargers are listed and nothing else is open', async () => {
    await page.keyboard.press('Escape')
    for (const name of ['Clear filters', 'Back to the list'])
      if (await button(page, name).first().isVisible())
        await button(page, name)
          .first()
          .click({ timeout: 1000 })
          .catch(() => undefined)
    return isBack()
  })
}

describeWith(WHOLE_APP)('axe finds nothing wrong with the chargers', () => {
  beforeAll(async () => {
    world = await openApp({ browser: 'light' })
    await openChargers(world.page)
    await visible(lines(world.page))
  })
  afterAll(() => world?.close())
  afterEach(() => goBack(world.page))

  for (const [name, comeTo] of Object.entries(VIEWS))
    test(`when they show ${name}`, async () => {
      await comeTo(world.page)
      expect(await findings(world.page)).toEqual([])
    })
})
