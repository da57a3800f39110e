import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const RECIPES = [{ id: 'r1', recipe: { ...stateWith().settings.recipe, name: 'Alpha' } }]
const world = windowForEachTest()

const button = (page: Page) => page.getByLabel('More for Alpha', { exact: true })
/** Only the button of a loaded menu has an id, by which the menu is labelled. */
const loaded = (page: Page) => button(page).and(page.locator('[id]'))
const focused = (page: Page) => page.locator(':focus')

/** A button whose menu loads once `load` is called. */
async function show(): Promise<{ page: Page; load: () => Promise<void> }> {
  const { page } = await world.show({}, { 'recipes.list': { recipes: RECIPES } })
  const held: Route[] = []
  let isHeld = true
  await page.route('**/menu-behind-button-*.js', (route) => (isHeld ? held.push(route) : route.continue()))
  await page.evaluate("location.hash = '#/settings/recipes'")
  await button(page).waitFor()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  expect(await loaded(page).count()).toBe(0)
  const load = async () => {
    isHeld = false
    for (const route of held) await route.continue()
    await loaded(page).waitFor({ state: 'attached' })
  }
  return { page, load }
}

const byKey = (key: string) => ({
  down: async (page: Page) => {
    await button(page).focus()
    await page.keyboard.down(key)
  },
  up: (page: Page) => page.keyboard.up(key),
  isOpen: (page: Page) => page.getByRole('menuitem', { name: 'Edit' }).and(focused(page)),
})
const PRESSES = {
  Enter: byKey('Enter'),
  Space: byKey('Space'),
  ArrowDown: byKey('ArrowDown'),
  'the mouse': {
    down: async (page: Page) => {
      await button(page).hover()
      await page.mouse.down()
    },
    up: (page: Page) => page.mouse.up(),
    isOpen: (page: Page) => page.getByRole('menu').and(focused(page)),
  },
}

describeWith(CHROMIUM)('a menu that is still loading', () => {
  it.each(Object.entries(PRESSES))('opens once where it comes during a press with %s', async (_, press) => {
    const { page, load } = await show()
    await press.down(page)
    await load()
    await press.up(page)
    await press.isOpen(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await button(page).and(focused(page)).waitFor()
    expect(await button(page).getAttribute('aria-expanded')).toBe('false')
  })

  it('leaves the focus where it is, and opens for the next press', async () => {
    const { page, load } = await show()
    await button(page).focus()
    await load()
    await button(page).and(focused(page)).waitFor()
    expect(await page.getByRole('menu').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).and(focused(page)).waitFor()
  })
})
