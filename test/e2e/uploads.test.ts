import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, openApp, type AppWorld } from './app-world.ts'
import { browseTo, button, dialog, skipWelcome, visible } from './by-hand.ts'

const without = MISSING.length > 0 ? ` (skipped: no ${MISSING.join(', ')})` : ''

let world: AppWorld

async function drop(page: Page, names: readonly string[]): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (const name of ${JSON.stringify(names)}) transfer.items.add(new File(['no picture'], name))
    return transfer
  })()`)
  for (const type of ['dragenter', 'dragover'])
    await page.locator('body').dispatchEvent(type, { dataTransfer: transfer })
  await (await visible(page.locator('.drop'))).dispatchEvent('drop', { dataTransfer: transfer })
}

describe.skipIf(MISSING.length > 0)(`files that are no pictures${without}`, { timeout: 60_000 }, () => {
  beforeAll(async () => {
    world = await openApp()
    await mkdir(join(world.home, 'inbox'))
    await skipWelcome(world.page)
  }, 60_000)
  afterAll(() => world.close())

  test('are listed one by one, each with why it was not taken', async () => {
    const { page } = world
    const names = ['minutes.txt', 'budget.ods', 'members.csv']
    await drop(page, names)
    await (await visible(button(page, 'Choose a folder…'))).click()
    await browseTo(page, join(world.home, 'inbox'))
    await visible(page.getByRole('dialog', { name: '3 files were not uploaded' }))
    for (const name of names) await visible(dialog(page).getByRole('listitem').filter({ hasText: name }))
    const told = await dialog(page).getByRole('listitem').locator('.secondary').allInnerTexts()
    expect(told).toHaveLength(names.length)
    expect(told.every((text) => text.length > 10)).toBe(true)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await dialog(page).waitFor({ state: 'detached' })
  })
})
