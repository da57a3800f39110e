import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { makePicture } from '../engine/engine-harness.ts'
import { browseTo, button, dialog, visible } from './by-hand.ts'

let world: AppWorld

async function drop(page: Page, names: readonly string[], bytes: Buffer = Buffer.from('no picture')): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (character) => character.charCodeAt(0))
    const names = ${JSON.stringify(names)}
    names.forEach((name, n) => transfer.items.add(new File([bytes, String(n)], name)))
    return transfer
  })()`)
  for (const type of ['dragenter', 'dragover'])
    await page.locator('body').dispatchEvent(type, { dataTransfer: transfer })
  await (await visible(page.locator('.drop'))).dispatchEvent('drop', { dataTransfer: transfer })
}

describeWith(WHOLE_APP)('files that are no pictures', () => {
  beforeAll(async () => {
    world = await openApp()
    await mkdir(join(world.home, 'inbox'))
  })
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

describeWith(WHOLE_APP)('pictures that are uploaded', () => {
  beforeAll(async () => {
    world = await openApp()
    await mkdir(join(world.home, 'inbox'))
    await writeFile(join(world.home, 'inbox', 'mine.jpg'), 'mine')
  })
  afterAll(() => world.close())

  const names = ['one.jpg', 'two.jpg']
  const inbox = async () => (await readdir(join(world.home, 'inbox'))).sort()
  const offered = () => visible(world.page.getByRole('dialog', { name: 'Process 2 files' }))

  test('go when a person cancels, however, and are called the same when chosen again', async () => {
    const { page } = world
    const picture = await makePicture(1, 'jpeg')
    await drop(page, names, picture)
    await (await visible(button(page, 'Choose a folder…'))).click()
    await browseTo(page, join(world.home, 'inbox'))
    await offered()
    expect(await inbox()).toEqual(['mine.jpg', ...names])
    await button(page, 'Close').click()
    await expect.poll(inbox).toEqual(['mine.jpg'])

    await drop(page, names, picture)
    await offered()
    expect(await inbox()).toEqual(['mine.jpg', ...names])
    await page.keyboard.press('Escape')
    await expect.poll(inbox).toEqual(['mine.jpg'])
  })
})
