import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { straightText } from '../../src/shared/text/safe-characters.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { ATTACKS } from './attacks.ts'
import { until } from '../until.ts'
import { button, visible } from './by-hand.ts'
import {
  lines,
  list,
  listOnly,
  map,
  markers,
  openChargers,
  openFilters,
  panel,
  searchField,
  startChargerService,
  suggestions,
  useChargerService,
} from './chargers-by-hand.ts'
import { AT_ONE_AIRFIELD, hostileSet } from './hostile-chargers.ts'
import { Strikes } from './strikes.ts'

const SET = hostileSet()
/** With the one that has no name. */
const TOTAL = SET.names.length + 1

let world: AppWorld
let service: PracticeServer
let strikes: Strikes

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
/** By which of the names it goes: "Attack 003" or "Odd 017". */
const nameOf = (text: string) => /(?:Attack|Odd) (?:id )?-?\d+/.exec(text)?.[0] ?? text
const NAMES = SET.names.map(nameOf)
/** The name that its airfield goes by: that of the first charger there. */
const airfieldOf = (n: number) => NAMES[n < AT_ONE_AIRFIELD ? 0 : n]!
const count = (page: Page, text: string) => visible(list(page).getByRole('status').getByText(text, { exact: true }))

type Line = { ariaPosInSet: string; innerText: string }

/**
 * The lines that are drawn, with their places in the list, in order. Read in one go: a line that React has taken out since it was
 * looked up gives its text without the spaces between its parts.
 */
async function readLines(page: Page): Promise<[number, string][]> {
  const drawn = await list(page)
    .getByRole('listbox', { name: 'Chargers' })
    .evaluate((box: { querySelectorAll: (selector: string) => Iterable<Line> }) =>
      [...box.querySelectorAll('[role=option]')].map((line): [number, string] => [
        Number(line.ariaPosInSet),
        line.innerText,
      ]),
    )
  return drawn.map(([place, text]): [number, string] => [place, tidy(text)]).sort(([one], [other]) => one - other)
}

/** Goes down the whole list by the keyboard; resolves to what its lines say, in order. */
async function readAll(page: Page): Promise<string[]> {
  const box = list(page).getByRole('listbox', { name: 'Chargers' })
  const read = new Map<number, string>()
  await box.focus()
  await page.keyboard.press('Home')
  for (let last = ''; ; await page.keyboard.press('PageDown')) {
    await until('the line is there', async () => (await box.getAttribute('aria-activedescendant')) !== null)
    const active = (await box.getAttribute('aria-activedescendant')) ?? ''
    if (active === last) return [...read].sort(([one], [other]) => one - other).map(([, text]) => text)
    last = active
    await page.locator(`#${active}`).waitFor()
    for (const [position, text] of await readLines(page)) read.set(position, text)
  }
}

/** Has all chargers exported; resolves to the file. */
async function exportAs(page: Page, item: string, name: string): Promise<string> {
  await button(page, 'More').click()
  const download = page.waitForEvent('download')
  await (await visible(page.getByRole('menuitem', { name: new RegExp(`^Export: ${item}`) }))).click()
  const path = join(world.dir, name)
  await (await download).saveAs(path)
  return path
}

/** Opens one after the other by the keyboard; resolves to what each shows. */
async function walkDetails(page: Page): Promise<string[]> {
  const details = list(page)
    .getByRole('region')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
  const told: string[] = []
  await list(page).getByRole('listbox', { name: 'Chargers' }).focus()
  await page.keyboard.press('Home')
  for (let n = 0; n < TOTAL; n += 1) {
    await page.keyboard.press('Enter')
    await page.evaluate(`document.querySelectorAll('.chargers-panel details').forEach((fold) => (fold.open = true))`)
    told.push(tidy(await details.innerText()))
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
  }
  return told
}

/**
 * By name: the order by distance changes while the map moves to its place. Lines stay until their order has changed, and by
 * distance those of one airfield may come first, so more lines than those are looked at.
 */
async function sortByAirfield(page: Page): Promise<void> {
  await list(page).getByLabel('Sort by').selectOption({ label: 'Airfield' })
  await until('the lines are in the order of their names', async () => {
    const names = (await readLines(page)).map(([, text]) => nameOf(text))
    return names.length > AT_ONE_AIRFIELD && names.every((name, n) => name === NAMES[n])
  })
}

async function clearSearch(page: Page): Promise<void> {
  await searchField(page).fill('')
  await count(page, `${TOTAL} chargers`)
}

describeWith(WHOLE_APP)('chargers of a hostile service', () => {
  beforeAll(async () => {
    service = await startChargerService()
    await listOnly(service, SET.body)
    world = await openApp({ browser: 'light' })
    await useChargerService(world, service.chargerBaseUrl, service.partnerToken)
    strikes = await Strikes.watch(world.context, (address) =>
      [new URL(world.served.url).origin, pathToFileURL(world.dir).href].some((ours) => address.startsWith(ours)),
    )
    await world.page.close()
    world.page = await world.context.newPage()
    await world.page.goto(new URL(world.served.url).origin)
    await world.page.emulateMedia({ reducedMotion: 'reduce' })
    await openChargers(world.page)
    await count(world.page, `${TOTAL} chargers`)
  })
  afterAll(async () => {
    await world?.close()
    await service?.close()
  })
  afterEach(async ({ task }) => {
    const folder = process.env['HANGAR_E2E_PICTURES']
    if (task.result?.state === 'fail' && folder !== undefined)
      await world.page.screenshot({ path: join(folder, `${task.name.replaceAll(/\W+/g, '-')}.png`) })
    expect(strikes.take()).toEqual([])
  })

  test('are all in the list, and what could not be read is counted', async () => {
    const { page } = world
    await sortByAirfield(page)
    const read = await readAll(page)
    expect(read).toHaveLength(TOTAL)
    expect(read.map(nameOf).sort()).toEqual([...NAMES, expect.stringContaining('Unnamed airfield')].sort())
    expect(read.join()).not.toContain('Never shown')
    await visible(page.getByText(`${SET.unusable} records of the service could not be read and are left out.`))
  })

  test('are found by a search, and what is typed does nothing', async () => {
    const { page } = world
    for (const [n, attack] of ATTACKS.entries()) {
      await searchField(page).fill(attack)
      await searchField(page).fill(NAMES[n]!)
      await visible(suggestions(page).filter({ hasText: airfieldOf(n) }))
    }
    for (const name of NAMES.slice(ATTACKS.length).filter((_, n) => n % 6 === 0)) {
      await searchField(page).fill(name)
      await visible(lines(page).filter({ hasText: name }))
    }
    await clearSearch(page)
  })

  test('say all they have in their details, as text that turns nothing round', async () => {
    const { page } = world
    // From where all of them are in sight: the map need not move.
    await button(page, 'Whole world').click()
    await sortByAirfield(page)
    const told = await walkDetails(page)
    expect(told.map(nameOf).sort()).toEqual([...NAMES, expect.stringContaining('Unnamed airfield')].sort())
    for (const [n, text] of SET.texts.entries()) {
      const words = tidy(straightText(text)).slice(0, 200)
      const own = told.find((details) => nameOf(details) === NAMES[n])!
      // Code, airfield, type, connectors, aircraft, payment, manufacturer, software, source of the position.
      if (/\w/.test(words)) expect(own.split(words).length - 1, words).toBeGreaterThanOrEqual(9)
      expect(own).toBe(straightText(own))
    }
  })

  test('at one airfield are listed together, and can be filtered by what they say', async () => {
    const { page } = world
    await searchField(page).fill('attack 002')
    await (await visible(suggestions(page).filter({ hasText: airfieldOf(1) }))).click()
    await visible(list(page).getByText('6 chargers here'))
    for (const name of NAMES.slice(0, 6)) await visible(list(page).getByRole('listitem').filter({ hasText: name }))
    await page.keyboard.press('Escape')
    for (const name of ['Connector', 'Payment']) {
      const filters = await openFilters(page)
      await filters.getByText(name, { exact: true }).click()
      await (await visible(filters.getByRole('checkbox', { name: '__proto__' }).last())).check()
      await page.keyboard.press('Escape')
    }
    await (await visible(list(page).getByRole('button', { name: 'Clear filters' }).first())).click()
    await count(page, `${TOTAL} chargers`)
  })

  test('lie on the map where they are, at the edge of the world too', async () => {
    const { page } = world
    const box = (await map(page).boundingBox())!
    for (const name of SET.placed) {
      await searchField(page).fill(name)
      await (await visible(suggestions(page).filter({ hasText: name }))).click()
      await visible(panel(page, new RegExp(name)))
      const marker = markers(page).and(page.getByRole('button', { name: new RegExp(`${name}: Free`) }))
      await marker.first().waitFor({ state: 'attached' })
      const { x, y, width, height } = (await marker.first().boundingBox())!
      expect(x > box.x && x + width < box.x + box.width, name).toBe(true)
      expect(y + height > box.y && y < box.y + box.height, name).toBe(true)
      await page.keyboard.press('Escape')
    }
    await button(page, 'Whole world').click()
    await until('the markers of the world are named', async () =>
      (await markers(page).evaluateAll((all: { ariaLabel: string }[]) => all.map(({ ariaLabel }) => ariaLabel))).some(
        (name) => /^\d+ chargers at \d+ airfields/.test(name),
      ),
    )
  })

  test('are exported whole, in files that hold text only', async () => {
    const { page } = world
    const csv = await readFile(await exportAs(page, 'CSV', 'all.csv'), 'utf8')
    for (const name of NAMES) expect(csv).toContain(name)
    expect(csv.split(/[,\n\r]/).filter((cell) => /^"?[=+@]/.test(cell))).toEqual([])
    const { features } = JSON.parse(await readFile(await exportAs(page, 'GeoJSON', 'all.geojson'), 'utf8')) as {
      features: unknown[]
    }
    expect(features).toHaveLength(TOTAL - SET.unplaced)
    const blank = await world.context.newPage()
    for (const [item, element] of [['GPX', 'wpt']] as const) {
      const text = await readFile(await exportAs(page, item, `all.${item}`), 'utf8')
      const counts = await blank.evaluate(`(() => {
        const file = new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml')
        return [file.querySelectorAll('parsererror, script, img').length, file.querySelectorAll('${element}').length]
      })()`)
      expect(counts, item).toEqual([0, TOTAL - SET.unplaced])
    }
    await blank.close()
  })
})
