import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { NO_JOBS } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const world = windowForEachTest()
const rail = (page: Page, name: string) => page.locator('.rail-places').getByRole('link', { name })
const here = (page: Page, name: string) => page.locator('.rail-place[aria-current=page]', { hasText: name }).waitFor()
const address = (page: Page) => new URL(page.url()).hash

async function show(answers: Record<string, unknown> = {}): Promise<Page> {
  const { page } = await world.show({ counts: { ...NO_JOBS, failed: 2, done: 3 } }, answers)
  return page
}

describeWith(CHROMIUM)('The address bar', () => {
  it('says where one is, and Back, Forward and a reload lead there', async () => {
    const page = await show()
    await here(page, 'Pictures')
    await rail(page, 'Credits').click()
    await here(page, 'Credits')
    expect(address(page)).toBe('#/credits')
    await page.keyboard.press('Control+,')
    await here(page, 'Settings')
    await page.goBack()
    await here(page, 'Credits')
    await page.goBack()
    await here(page, 'Pictures')
    await page.goForward()
    await page.goForward()
    await here(page, 'Settings')
    await page.reload()
    await here(page, 'Settings')
    expect(address(page)).toBe('#/settings')
  })

  it('says so where it has a route that cannot be read', async () => {
    const page = await show()
    await page.evaluate("location.hash = '#/chargers/route?from=here&range=far'")
    await page.getByText('The route in this address cannot be read.').waitFor()
    expect(address(page)).toBe('#/chargers')
  })

  it('has the filter of the list, and Back takes it off', async () => {
    const page = await show()
    const chip = page.getByRole('button', { name: 'Needs you' })
    await chip.click()
    await expect.poll(() => address(page)).toBe('#/jobs?show=needs')
    await expect
      .poll(async () => (await world.shown.asked('jobs.index')).at(-1))
      .toMatchObject({ filter: { states: ['failed', 'unknown', 'held'] } })
    await page.reload()
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
    await page.goBack()
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false')
    // The list is found as it was left.
    await chip.click()
    await rail(page, 'Folders').click()
    await here(page, 'Folders')
    await rail(page, 'Pictures').click()
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
  })

  it('gets no entry for each letter of a search', async () => {
    const page = await show()
    await page.getByRole('searchbox').fill('beach')
    await expect.poll(() => address(page)).toBe('#/jobs?search=beach')
    await rail(page, 'Credits').click()
    await here(page, 'Credits')
    await page.goBack()
    await here(page, 'Pictures')
    expect(await page.getByRole('searchbox').inputValue()).toBe('beach')
  })

  it('stays under a dialog, which Back and Forward close instead', async () => {
    const page = await show()
    await rail(page, 'Credits').click()
    await here(page, 'Credits')
    await rail(page, 'Folders').click()
    await here(page, 'Folders')
    await page.goBack()
    await here(page, 'Credits')
    for (const go of ['back', 'forward']) {
      await page.keyboard.press('?')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.evaluate(`history.${go}()`)
      await dialog.waitFor({ state: 'detached' })
      await here(page, 'Credits')
      await expect.poll(() => address(page)).toBe('#/credits')
    }
    // The history is as it was before.
    await page.goBack()
    await here(page, 'Pictures')
    await page.goForward()
    await here(page, 'Credits')
    await page.goForward()
    await here(page, 'Folders')
    expect(address(page)).toBe('#/folders')
  })
})
