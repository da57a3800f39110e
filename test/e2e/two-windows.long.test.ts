import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { browseTo, button, dialog, place, skipWelcome, visible } from './by-hand.ts'
import { until } from '../until.ts'

let world: AppWorld
/** Two windows of the same Hangar. */
let one: Page
let other: Page

const told = (page: Page) => page.getByRole('alert').filter({ hasText: 'Another window changed this meanwhile' })
const decide = (page: Page, how: 'Take the other' | 'Keep mine') =>
  told(page).getByRole('button', { name: how }).click()
const inRecipe = (page: Page) => page.getByRole('dialog', { name: 'Edit recipe' })
const quality = (page: Page) => inRecipe(page).getByRole('slider', { name: 'Quality of WebP and AVIF' })
const save = (within: Locator) => within.getByRole('button', { name: 'Save' })

async function both(what: (page: Page) => Promise<unknown>): Promise<void> {
  await what(one)
  await what(other)
}

describeWith(WHOLE_APP)('two windows', () => {
  beforeAll(async () => {
    world = await openApp()
    one = world.page
    await skipWelcome(one)
    other = await world.context.newPage()
    await other.goto(new URL('/', world.served.url).href)
    await both((page) => place(page, 'Settings').click())
  })
  afterAll(() => world.close())

  test('show each other’s recipes, and neither replaces unseen what the other saved', async () => {
    await button(one, 'New recipe').click()
    await one.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Shop')
    await save(one.getByRole('dialog')).click()
    const row = (page: Page) => page.getByRole('button', { name: /^Shop/ })
    await visible(row(other))

    await both(async (page) => row(page).click())
    await quality(one).fill('70')
    await inRecipe(other).getByLabel('Name', { exact: true }).fill('Shop of mine')
    await save(inRecipe(one)).click()
    await visible(told(other).filter({ hasText: 'Quality of WebP and AVIF' }))
    expect(await save(inRecipe(other)).isDisabled()).toBe(true)
    await decide(other, 'Take the other')
    await expect.poll(() => quality(other).inputValue()).toBe('70')
    expect(await inRecipe(other).getByLabel('Name', { exact: true }).inputValue()).toBe('Shop')
    await button(other, 'Back to mine').click()
    await expect.poll(() => quality(other).inputValue()).toBe('80')
    await save(inRecipe(other)).click()
    await inRecipe(other).waitFor({ state: 'detached' })
    await visible(one.getByRole('button', { name: /^Shop of mine/ }))
  })

  test('tell that the recipe being edited was removed, and save it as a new one', async () => {
    const row = (page: Page) => page.getByRole('button', { name: /^Shop of mine/ })
    await row(other).click()
    await button(one, 'More for Shop of mine').click()
    await one.getByRole('menuitem', { name: 'Remove' }).click()
    await visible(inRecipe(other).getByText('Another window removed this recipe.'))
    await save(inRecipe(other)).click()
    await inRecipe(other).waitFor({ state: 'detached' })
    await visible(row(one))
  })

  test('offer each other’s caps, and store the one that a person chooses', async () => {
    const cap = (page: Page) => page.getByLabel('Per day', { exact: true })
    await cap(other).fill('70')
    await cap(one).fill('50')
    await cap(one).press('Enter')
    await visible(told(other).filter({ hasText: ': 50' }))
    // Leaving the field stores nothing before that.
    await cap(other).blur()
    await decide(other, 'Keep mine')
    expect(await cap(other).inputValue()).toBe('70')
    await cap(other).press('Enter')
    // A field with nothing typed into follows.
    await expect.poll(() => cap(one).inputValue()).toBe('70')
    expect(await told(one).count()).toBe(0)

    await cap(other).fill('8')
    await cap(one).fill('9')
    await cap(one).press('Enter')
    // Not of its own 70, which may come back while the 8 is typed.
    expect(await (await visible(told(other))).innerText()).toContain(': 9')
    await decide(other, 'Take the other')
    expect(await cap(other).inputValue()).toBe('9')
    expect(await cap(one).inputValue()).toBe('9')
  })

  test('keep an address that is being typed while the other sets one', async () => {
    const address = (page: Page) => page.locator('#settings-services').getByLabel('Address')
    await address(other).fill('https://mine.example/api/v1')
    await address(one).fill(world.service.imageBaseUrl)
    await address(one).press('Enter')
    await visible(told(other).filter({ hasText: world.service.imageBaseUrl }))
    expect(await address(other).inputValue()).toBe('https://mine.example/api/v1')
    await decide(other, 'Take the other')
    expect(await address(other).inputValue()).toBe(world.service.imageBaseUrl)
  })

  test('keep a key that is being typed while the other sets one, and say so', async () => {
    const key = (page: Page) => page.getByLabel('New key')
    await (await visible(key(other))).fill('typed here')
    await key(one).fill(world.service.apiKey)
    await key(one).press('Enter')
    await visible(other.getByText('Another window has set a key meanwhile. This one would replace it.'))
    expect(await key(other).inputValue()).toBe('typed here')
    await other.locator('.settings-key').getByRole('button', { name: 'Cancel' }).click()
    await visible(other.getByText(/In the keychain since/))
  })

  test('offer what the other set for a folder', async () => {
    await mkdir(join(world.pictures, 'field'))
    await both((page) => place(page, 'Folders').click())
    await button(one, 'Watch a folder').click()
    await browseTo(one, world.pictures)
    const watch = await visible(button(one, 'Watch this folder'))
    await until('the folder is understood', async () => (await watch.getAttribute('aria-disabled')) !== 'true')
    await watch.click()
    await dialog(one).waitFor({ state: 'detached' })
    await both(async (page) => (await visible(page.getByRole('link', { name: /^Pictures/ }))).click())
    const most = (page: Page) => dialog(page).getByLabel('Ask before sending more new pictures at once than')
    const ready = (page: Page) =>
      until('it can be saved', async () => (await save(dialog(page)).getAttribute('aria-disabled')) === 'false')
    await most(other).fill('9')
    await most(one).fill('7')
    await ready(one)
    await save(dialog(one)).click()
    await visible(told(other).filter({ hasText: 'Ask before sending more new pictures at once than' }))
    expect(await save(dialog(other)).getAttribute('aria-disabled')).toBe('true')
    await decide(other, 'Keep mine')
    await ready(other)
    await save(dialog(other)).click()
    await dialog(other).waitFor({ state: 'detached' })
    await (await visible(one.getByRole('link', { name: /^Pictures/ }))).click()
    await expect.poll(() => most(one).inputValue()).toBe('9')
  })
})
