import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { findings } from './axe.ts'
import { button, place, skipWelcome, visible } from './by-hand.ts'

let world: AppWorld

describeWith(WHOLE_APP)('signed-in browsers', () => {
  beforeAll(async () => {
    world = await openApp()
    await skipWelcome(world.page)
  })
  afterAll(() => world.close())

  test('are listed in the settings, and one that is signed out stands before its sign-in page at once', async () => {
    const { page } = world
    await place(page, 'Settings').click()
    const rows = page.getByRole('list', { name: 'Signed-in browsers' }).getByRole('listitem')
    await visible(rows.filter({ hasText: 'Chrome on Linux (this one)' }))
    expect(await rows.count()).toBe(1)
    expect(await button(page, 'Sign out all').count()).toBe(0)

    await button(page, 'Sign out: Chrome on Linux').click()
    await visible(page.getByRole('heading', { name: 'Sign in this browser' }))
    expect(await findings(page)).toEqual([])
    const command = await page.getByText(/serve --approve/).innerText()
    expect(command).toMatch(/^hangar serve --approve \S{4}-\S{4} --data-dir \//)
    expect(await page.locator('.signed-out-code').innerText()).toBe(/--approve (\S+)/.exec(command)?.[1])
    await page.setViewportSize({ width: 360, height: 700 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })
})
