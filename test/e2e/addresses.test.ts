import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { openApp, WHOLE_APP, type AppWorld } from './app-world.ts'
import { openFilters } from './chargers-by-hand.ts'
import { allAre, button, dialog, line, place, useService, visible, watchFolder } from './by-hand.ts'

let world: AppWorld
let names: string[]
const at = (page: Page) => new URL(page.url()).hash

describeWith(WHOLE_APP)('An address', () => {
  beforeAll(async () => {
    world = await openApp()
    await useService(world)
    names = await world.putSamples(2)
    await watchFolder(world)
    await allAre(world.page, names, 'Done')
  })
  afterAll(() => world?.close())

  /** As from a bookmark, in a tab of its own. */
  async function opened(hash: string): Promise<Page> {
    const page = await world.context.newPage()
    await page.goto(new URL(`/${hash}`, world.page.url()).href)
    return page
  }

  test('of every place, a picture, a filter and a section opens it in another tab, as from a bookmark', async () => {
    const { page } = world
    const bookmarks: [string, (page: Page) => Promise<unknown>][] = []
    const visit = async (go: () => Promise<unknown>, shows: (page: Page) => Promise<unknown>, looks: RegExp) => {
      await go()
      await shows(page)
      await expect.poll(() => at(page)).toMatch(looks)
      bookmarks.push([at(page), shows])
    }
    const detail = (one: Page) => visible(one.getByRole('heading', { name: names[0]!, level: 1 }))
    await visit(() => line(page, names[0]!).click(), detail, /^#\/jobs\/[0-9A-Z]{26}$/)
    await page.keyboard.press('Escape')
    const isPressed = async (one: Page) =>
      expect.poll(() => button(one, /^Done/).getAttribute('aria-pressed')).toBe('true')
    const showDone = async () => {
      await button(page, 'By state').click()
      await (await visible(page.getByRole('menuitem', { name: /^Done/ }))).click()
    }
    await visit(showDone, isPressed, /^#\/jobs\?show=done$/)
    for (const name of ['Folders', 'Credits', 'Chargers', 'Settings'])
      await visit(
        () => place(page, name).click(),
        (one) => visible(one.getByRole('heading', { name, level: 1 })),
        new RegExp(`^#/${name.toLowerCase()}`),
      )
    const isShown = async (one: Page) => visible(one.getByRole('heading', { name: 'Spending' }))
    await visit(
      () => page.locator('.settings-nav').getByRole('link', { name: 'Account' }).click(),
      isShown,
      /services$/,
    )

    for (const [hash, shows] of bookmarks) {
      const tab = await opened(hash)
      await shows(tab)
      expect(at(tab)).toBe(hash)
      await tab.close()
    }
  })

  test('is behind each link: a middle click opens it in another tab and leaves this one', async () => {
    const { page } = world
    await place(page, 'Pictures').click()
    for (const [link, looks] of [
      [place(page, 'Credits'), /^#\/credits$/],
      [line(page, names[0]!).getByRole('link').first(), /^#\/jobs\/[0-9A-Z]{26}/],
    ] as const) {
      const before = at(page)
      const [tab] = await Promise.all([world.context.waitForEvent('page'), link.click({ button: 'middle' })])
      await expect.poll(() => at(tab)).toMatch(looks)
      expect(at(page)).toBe(before)
      await tab.close()
    }
  })

  test('of a picture that is gone says so instead of showing nothing', async () => {
    const tab = await opened('#/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV')
    await visible(tab.getByText('This picture is not in the list any more.'))
    await tab.close()
  })

  test('that names what every object has, or is far too long, still opens the place', async () => {
    const tab = await opened('#/jobs?show=constructor')
    const open = async (hash: string) => {
      await tab.goto('about:blank')
      await tab.goto(new URL(`/${hash}`, world.page.url()).href)
    }
    await allAre(tab, names, 'Done')
    await open(`#/jobs?search=${'W'.repeat(3000)}&folder=${'W'.repeat(3000)}`)
    await visible(tab.getByText('No picture matches'))
    await open('#/chargers?plug=__proto__&plug=CCS2')
    const filters = await openFilters(tab)
    await visible(filters.getByRole('checkbox', { name: 'CCS2', checked: true }))
    await tab.close()
  })

  test('is where Back and Forward lead after the palette', async () => {
    const { page } = world
    await place(page, 'Pictures').click()
    await page.keyboard.press('Control+k')
    await (await visible(dialog(page).getByRole('combobox'))).fill('credits')
    await page.keyboard.press('Enter')
    await expect.poll(() => at(page)).toBe('#/credits')
    await page.goBack()
    await expect.poll(() => at(page)).toMatch(/^#\/jobs/)
    await page.goForward()
    await expect.poll(() => at(page)).toBe('#/credits')
  })
})
