import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { chargersWindow, lines, markers, NOW, SOME_CHARGERS, STATUS } from './chargers-window.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()
const { show, showAll } = chargersWindow(world)
const focused = (page: Page) => page.locator(':focus')

describeWith(CHROMIUM)('The chargers', () => {
  it('that are samples are said on the map to be not for navigation', async () => {
    const page = await showAll()
    await page.getByText('Samples, not for navigation').waitFor()
    expect(world.shown.complaints).toEqual([])
  })

  it('are filtered by their address, which a reload and Back bring back', async () => {
    const page = await showAll()
    const hash = () => new URL(page.url()).hash
    const free = page.getByRole('button', { name: /^Free now/ })
    const direct = page.getByRole('button', { name: /^DC/ })
    const isOn = (chip: typeof free, on: boolean) => expect.poll(() => chip.getAttribute('aria-pressed')).toBe(`${on}`)
    await free.click()
    await expect.poll(hash).toBe('#/chargers?show=free')
    await direct.click()
    await expect.poll(hash).toBe('#/chargers?show=free&current=DC')
    await page.getByRole('combobox').first().fill('edny')
    await expect.poll(hash).toBe('#/chargers?show=free&current=DC&search=edny')
    await page.reload()
    await isOn(direct, true)
    expect(await page.getByRole('combobox').first().inputValue()).toBe('edny')
    await page.goBack()
    await isOn(direct, false)
    await isOn(free, true)
    await page.goBack()
    await isOn(free, false)
    expect(hash()).toBe('#/chargers')
    await expect.poll(() => lines(page).count()).toBe(5)
  })

  it('whose live state is not of now are last known and not free, and say how old it is and why it does not count', async () => {
    const [one] = SOME_CHARGERS
    const at = (id: number, liveStateSyncedAt: string | null) => ({ ...one!, id, liveStateSyncedAt })
    const page = await showAll({
      chargers: [
        at(1, new Date(NOW - 3 * 3_600_000).toISOString()),
        at(2, '2099-05-01T10:00:00+02:00'),
        at(3, '2026-05-01T10:00:00'),
        at(4, null),
      ],
    })
    await page.getByText(/Last known: Available, 3 hr\.? ago/).waitFor()
    expect(await page.getByText('Last known: Available, time not known').count()).toBe(3)
    for (const [id, why] of [
      [1, 'more than an hour ago'],
      [2, 'does not say when the live state was synced'],
      [3, 'does not say when the live state was synced'],
      [4, 'does not say when the live state was synced'],
    ] as const) {
      await lines(page)
        .nth(id - 1)
        .click()
      await page.locator('.chargers-now').getByText(why).waitFor()
      await page.keyboard.press('Escape')
    }
    expect(world.shown.complaints).toEqual([])
  })

  it('show all that is known of one, and the focus goes there and back', async () => {
    const page = await showAll()
    await page.locator('.chargers-list').focus()
    for (const key of ['End', 'PageUp', 'ArrowUp', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 2, name: 'EDNY Friedrichshafen' }).waitFor()
    await expect.poll(() => focused(page).textContent()).toBe('EDNY Friedrichshafen')
    const panel = page.locator('.chargers-panel')
    // What a pilot asks first, in this order; the rest is folded.
    expect(await panel.locator('.chargers-panel-body').innerText()).toMatch(
      /^Error[^]*22 kW[^]*AC · Type 2[^]*Open all week[^]*Route to here[^]*More details\s+2 chargers at this airfield$/,
    )
    for (const fold of await panel.locator('summary').all()) await fold.click()
    for (const text of [
      'N 47° 40.20′ E 009° 30.60′',
      '47.67000, 9.51000',
      'Europe/Berlin',
      'reference point',
      'Software',
    ])
      await panel.getByText(text).first().waitFor()
    await page.getByRole('button', { name: 'Mark as favourite' }).click()
    expect(await world.shown.asked('chargers.favourites')).toEqual([{ ids: [2], favourite: true }])
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page).getAttribute('class')).toBe('chargers-list')
  })

  it('at one airfield are listed when its marker is chosen by the keyboard, and Escape goes back step by step', async () => {
    const page = await showAll()
    await page.getByRole('button', { name: /^EDNY/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 chargers here').waitFor()
    await page.locator('.chargers-site button').first().click()
    await page.getByRole('button', { name: 'Route to here' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 chargers here').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page).getAttribute('aria-label')).toMatch(/^EDNY Friedrichshafen/)
  })

  it('are found by their airfield with the keyboard alone, and the map goes there', async () => {
    const page = await showAll()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('auck')
    await page.getByRole('listbox', { name: 'Airfields' }).getByRole('option', { name: 'NZAA' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'NZAA Auckland <b>' }).waitFor()
    await page.getByRole('button', { name: /^NZAA Auckland/ }).waitFor({ state: 'attached' })
  })

  it('are told with their age, and what keeps them from being read', async () => {
    const problem = { code: 'key_refused', sentence: { raw: 'Unauthenticated' }, atMs: NOW } as const
    const page = await showAll({ status: { problem } })
    await page
      .getByRole('alert')
      .getByText(/refused the token/)
      .waitFor()
    // Minutes pass while the machine is busy.
    await page.getByText(/^old: as of \d+ min/).waitFor()
    const away = { ...STATUS, problem: { ...problem, code: 'service_unreachable' as const } }
    await world.shown.tell({ chargers: { status: away, favourites: [] } })
    await page.getByRole('alert').getByText('does not answer').waitFor()
    await page.getByText(/^What you see is from /).waitFor()
    expect(await lines(page).count()).toBe(5)
    await world.shown.tell({ chargers: { status: { ...away, problem }, favourites: [] } })
    await page.getByRole('button', { name: 'Set the token' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  })

  it('that were never read say so, and samples are read when they are shown', async () => {
    const none = { version: 0, atMs: null, count: 0, nextAtMs: null }
    const page = await show({ status: { ...none, sample: false } })
    await page.getByText('No chargers have been read yet.').waitFor()
    expect(await world.shown.asked('chargers.refresh')).toEqual([])
    await world.shown.tell({ chargers: { status: { ...STATUS, ...none, sample: true }, favourites: [] } })
    await expect.poll(() => world.shown.asked('chargers.refresh')).toEqual([{}])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Refresh' }).click()
    expect(await world.shown.asked('chargers.refresh')).toEqual([{}, {}])
  })

  it('of a service that is no longer used go, also while they are open', async () => {
    const page = await showAll()
    const none = { ...STATUS, version: 0, atMs: null, count: 0 }
    await world.shown.tell({ chargers: { status: none, favourites: [] } })
    await page.getByText('No chargers have been read yet.').waitFor()
    await expect.poll(() => markers(page).count()).toBe(0)
    expect(await lines(page).count()).toBe(0)
    expect(world.shown.complaints).toEqual([])
  })

  it('are saved as a file, as the filters show them', async () => {
    const page = await showAll()
    await page.getByRole('combobox', { name: 'ICAO' }).fill('altenrhein')
    await page.getByText('1 of 5 chargers').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'GeoJSON' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^sample-chargers-\d{4}-\d\d-\d\d\.geojson$/)
    const { features } = JSON.parse(await readFile(await file.path(), 'utf8')) as { features: { id: number }[] }
    expect(features.map(({ id }) => id)).toEqual([3])
  })

  it('show opening hours by the clock at the airfield', async () => {
    const availability = { ...SOME_CHARGERS[0]!.availability, monday: { open: true, from: '08:00', to: '18:00' } }
    const page = await showAll({ chargers: [{ ...SOME_CHARGERS[0]!, availability }] })
    await lines(page).first().click()
    await page.locator('.chargers-fold > summary').first().click()
    await page.getByRole('row', { name: 'Monday 08:00–18:00' }).waitFor()
  })

  it('make a route, planned by keyboard, that its address opens again and that can be saved', async () => {
    const second = { ...SOME_CHARGERS[2]!, id: 6, icao: 'LSZR', liveState: 'available', connectors: ['CCS2'] }
    const page = await showAll({ chargers: [...SOME_CHARGERS.slice(0, 3), second, SOME_CHARGERS[3]!] })
    const press = async (name: string, key = 'Enter') => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press(key)
    }
    await press('Route')
    for (const [end, text] of [
      ['From', 'edny'],
      ['To', '47.485,10.6'],
    ] as const) {
      await page.getByRole('combobox', { name: end, exact: true }).focus()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    const route = page.getByRole('region', { name: 'Routes' })
    await route.getByRole('button', { name: 'EDNY Friedrichshafen → 47.485,10.6' }).waitFor()
    await page.getByText('Figures', { exact: true }).click()
    await page.getByLabel('Range (NM)').fill('70')
    await route.getByText('EDNY Friedrichshafen → LSZR Altenrhein').waitFor()
    expect(await route.getByRole('button', { name: /→/ }).count()).toBe(2)
    await route.getByText('Only one charger here.').waitFor({ state: 'detached' })
    expect(await page.locator('.chargers-route-line').count()).toBeGreaterThanOrEqual(2)
    await page.reload()
    await route.getByText('EDNY Friedrichshafen → LSZR Altenrhein').waitFor()
    await page.getByText('Saved routes', { exact: true }).click()
    await press('Save route')
    await page.getByRole('checkbox', { name: /^Notify me when a charger of EDNY/ }).waitFor()
    expect((await world.shown.asked('settings.set')).at(-1)).toMatchObject({
      chargers: {
        routes: [{ name: 'EDNY Friedrichshafen → 47.485,10.6', service: null, chargers: [3, 6], notify: true }],
      },
    })
    await page.getByText('Notices are about the chargers at LSZR Altenrhein, its stops when it was saved.').waitFor()
    await press('Back to the list')
    await lines(page).first().waitFor()
    expect(new URL(page.url()).hash).toBe('#/chargers')
    expect(world.shown.complaints).toEqual([])
  })
})
