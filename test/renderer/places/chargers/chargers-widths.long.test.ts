import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/shared/text/languages.ts'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { hours, weekOf } from '../../../shared/chargers/any-charger.ts'
import { aCharger } from './charger-samples.ts'
import { chargersWindow, NOW, open } from './chargers-window.ts'
import { cutOff } from '../../harness/cut-off.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

/* What lies over the list of chargers, at five widths, in every language, with names as long as services give them. */

const WIDTHS = [320, 360, 768, 1280, 2560]
const LONG = 'Sonderlandeplatz Donaueschingen-Villingen am Schwarzwald-Baar-Kreis'
const liveStateSyncedAt = new Date(NOW - 600_000).toISOString()

/** Whenever a flight arrives, it closes, or it opens, some hours later. */
const HOURS = weekOf(hours('00:00', '23:30'))
const CHARGERS = [
  aCharger({ id: 1, liveStateSyncedAt, connectors: ['CCS2', 'Type 2', 'GB/T Direct Current of the Factory'] }),
  aCharger({
    id: 123_456_789,
    icao: 'LSZR',
    airfield: LONG,
    location: { lat: 47.485, lng: 9.56, source: 'arp' },
    availability: HOURS,
  }),
  aCharger({ id: 7, icao: 'LSZB', connectors: [], location: { lat: 46.914, lng: 7.497, source: 'arp' } }),
]
const QUERY =
  'from=47.67,9.51,EDNY%20Friedrichshafen&to=47.485,10.6,Allg%C3%A4u&range=70&reserve=25&speed=90&energy=22&kw=60&connector=CCS2'
const ROUTE_STATE = {
  id: 'r1',
  name: `${LONG} → ${LONG}`.slice(0, 100),
  query: QUERY,
  service: null,
  chargers: [1],
  stops: [LONG],
  notify: true,
}
const world = windowForEachTest()
const { show } = chargersWindow(world)

/** How to come to each, and what is in it once it has its data. */
const VIEWS: readonly { hash: string; ready: string; more?: (page: Page) => Promise<void> }[] = [
  {
    hash: `#/chargers/route?${QUERY}`,
    ready: '.chargers-route-legs',
    more: async (page) => {
      await page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
      await page.locator('.chargers-saved-routes').waitFor()
    },
  },
  { hash: `#/chargers/route?${QUERY.replace('range=70', 'range=40')}`, ready: '.chargers-route-answer [role=status]' },
  { hash: '#/chargers/1', ready: '.chargers-plug' },
  { hash: '#/chargers/99', ready: '.chargers-panel-body' },
  { hash: '#/chargers', ready: '.chargers-line' },
]

/** Short names that a narrow column breaks into many lines, even within words. */
const manyLines = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('.chargers-route-choices b')]
      .filter((part) => part.getBoundingClientRect().height > 2.5 * parseFloat(getComputedStyle(part).lineHeight))
      .map((part) => 'many lines: ' + part.textContent)`)

describeWith(CHROMIUM)('what lies over the list of chargers', () => {
  it.each(LANGUAGES)('shows everything whole at every width (%s)', async (locale) => {
    const { settings } = stateWith()
    const state = { settings: { ...settings, chargers: { ...settings.chargers, routes: [ROUTE_STATE] } } }
    const page = await show({ chargers: CHARGERS, state, look: { locale } })
    await page.locator(`html[lang=${locale}]`).waitFor()
    const found: string[] = []
    const widths = locale === 'de' ? WIDTHS : WIDTHS.filter((width) => width === 320 || width === 768)
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
      for (const { hash, ready, more } of VIEWS) {
        await open(page, hash)
        await page.locator(ready).first().waitFor()
        await more?.(page)
        const cut = [...(await cutOff(page)), ...(await manyLines(page))]
        found.push(...cut.map((what) => `${width} ${hash.slice(0, 20)} ${ready}: ${what}`))
        await page.keyboard.press('Escape')
      }
    }
    expect(found).toEqual([])
  })
})
