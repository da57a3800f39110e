import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { makePicture } from '../engine/engine-harness.ts'
import { browseTo, button, dialog, dragOver, visible } from './by-hand.ts'

let world: AppWorld

const drop = async (page: Page, names: readonly string[], bytes?: Buffer) =>
  page.dispatchEvent('.drop', 'drop', { dataTransfer: await dragOver(page, names, bytes) })

// One page, in this order: the first test chooses where uploads go.
describeWith(WHOLE_APP)('files that are uploaded', () => {
  beforeAll(async () => {
    world = await openApp()
    await mkdir(join(world.home, 'inbox'))
    await writeFile(join(world.home, 'inbox', 'mine.jpg'), 'mine')
  })
  afterAll(() => world.close())

  const names = ['one.jpg', 'two.jpg']
  const inbox = async () => (await readdir(join(world.home, 'inbox'))).sort()
  const offered = () => visible(world.page.getByRole('dialog', { name: 'Process 2 files' }))

  test('that are no pictures are listed one by one, each with why it was not taken', async () => {
    const { page } = world
    const others = ['minutes.txt', 'budget.ods', 'members.csv']
    await drop(page, others)
    await (await visible(button(page, 'Choose a folder…'))).click()
    await browseTo(page, join(world.home, 'inbox'))
    await visible(page.getByRole('dialog', { name: '3 files were not uploaded' }))
    for (const name of others) await visible(dialog(page).getByRole('listitem').filter({ hasText: name }))
    const told = await dialog(page).getByRole('listitem').locator('.secondary').allInnerTexts()
    expect(told).toHaveLength(others.length)
    expect(told.every((text) => text.length > 10)).toBe(true)
    expect(await page.locator('.toast').count()).toBe(0)
    await dialog(page).getByRole('button', { name: 'Close' }).last().click()
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('go when a person cancels, however, and are called the same when chosen again', async () => {
    const { page } = world
    const picture = await makePicture(1, 'jpeg')
    await drop(page, names, picture)
    await offered()
    expect(await inbox()).toEqual(['mine.jpg', ...names])
    await button(page, 'Close').click()
    await expect.poll(inbox).toEqual(['mine.jpg'])

    await drop(page, [...names, 'notes.txt'], picture)
    await offered()
    await visible(dialog(page).getByText('1 cannot be used'))
    expect(await inbox()).toEqual(['mine.jpg', ...names])
    await page.keyboard.press('Escape')
    await expect.poll(inbox).toEqual(['mine.jpg'])
  })

  test('whose progress is hidden are shown over the content, and offered until a person looks', async () => {
    const { page } = world
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/upload?*', async (route) => {
      await promise
      await route.continue()
    })
    await drop(page, names, await makePicture(1, 'jpeg'))
    await (await visible(button(page, 'Hide'))).click()
    await visible(page.getByText('Uploading: 0 of 2 files'))
    await button(page, 'Show').click()
    await (await visible(button(page, 'Hide'))).click()
    release()
    await visible(page.getByText('2 files uploaded'))
    await page.getByText('Uploading:').waitFor({ state: 'detached' })
    await button(page, 'Review').click()
    await offered()
  })
})
