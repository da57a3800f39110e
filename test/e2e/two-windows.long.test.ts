import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, settingsPage, visible } from './by-hand.ts'

let world: AppWorld
/** Two windows of the same Hangar. */
let one: Page
let other: Page

const inRecipe = (page: Page) => page.getByRole('dialog', { name: 'Edit recipe' })
const quality = (page: Page) => inRecipe(page).getByRole('slider', { name: 'Quality of WebP and AVIF' })
const save = (within: Locator) => within.getByRole('button', { name: 'Save' })
const row = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

async function both(what: (page: Page) => Promise<unknown>): Promise<void> {
  await what(one)
  await what(other)
}

describeWith(WHOLE_APP)('two windows', () => {
  beforeAll(async () => {
    world = await openApp()
    one = world.page
    other = await world.context.newPage()
    await other.goto(new URL('/', world.served.url).href)
    await both((page) => settingsPage(page, 'Recipes'))
  })
  afterAll(() => world.close())

  test('show each other’s recipes, and the last one saved counts', async () => {
    await button(one, 'New recipe').click()
    await one.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Shop')
    await save(one.getByRole('dialog')).click()
    await visible(row(other, 'Shop'))
    await both(async (page) => row(page, 'Shop').click())
    await inRecipe(one).locator('.more > summary').click()
    await quality(one).fill('70')
    await inRecipe(other).getByLabel('Name', { exact: true }).fill('Shop of mine')
    await save(inRecipe(one)).click()
    await inRecipe(one).waitFor({ state: 'detached' })
    await save(inRecipe(other)).click()
    await inRecipe(other).waitFor({ state: 'detached' })
    await visible(row(one, 'Shop of mine'))
  })

  test('save a recipe that the other removed while it was edited', async () => {
    await row(other, 'Shop of mine').click()
    await inRecipe(other).getByLabel('Name', { exact: true }).fill('Shop again')
    await button(one, 'More for Shop of mine').click()
    await one.getByRole('menuitem', { name: 'Remove' }).click()
    await row(one, 'Shop of mine').waitFor({ state: 'detached' })
    await save(inRecipe(other)).click()
    await inRecipe(other).waitFor({ state: 'detached' })
    await visible(row(one, 'Shop again'))
  })

  test('follow each other’s caps, and keep what is being typed', async () => {
    await both((page) => settingsPage(page, 'Account'))
    const cap = (page: Page) => page.getByLabel('Per day', { exact: true })
    await cap(other).fill('70')
    await cap(one).fill('50')
    await cap(one).press('Enter')
    expect(await cap(other).inputValue()).toBe('70')
    await cap(other).press('Enter')
    await expect.poll(() => cap(one).inputValue()).toBe('70')
  })
})
