import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { NO_CHARGERS } from '../../../src/shared/chargers/charger-status.ts'
import { axe } from '../../e2e/axe.ts'
import { folderRow } from '../harness/folder-row.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const world = windowForEachTest()

const bar = (page: Page) => page.locator('.frame-bar')
const SCAN = { task: 'folder_scan', subject: 'f1', code: 'disk_full', sinceMs: 1 } as const
const BALANCE = { task: 'balance', subject: null, code: 'internal', sinceMs: 2 } as const
const WITH_CHARGERS = { chargers: { status: { ...NO_CHARGERS, version: 3, count: 2, atMs: 1 }, favourites: [] } }

describeWith(CHROMIUM)('what has stopped in the background', () => {
  it('is said with the folder, the reason and what comes next, and goes away when it works again', async () => {
    const { page } = await world.show({ folders: [folderRow('f1', { path: '/home/ada/Pictures/Holiday' })] })
    expect(await bar(page).count()).toBe(0)
    await world.shown.tell({ stopped: [SCAN, BALANCE] })
    await page
      .getByText('“Holiday” could not be scanned: the disk is full. Hangar retries by itself. And one more.')
      .waitFor()
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Where the log is' }).click()
    await page.locator('.rail-place[aria-current=page]', { hasText: 'Settings' }).waitFor()
    await world.shown.tell({ stopped: [] })
    // Settings ask for things that nobody answers here, which is said in a bar of its own.
    await bar(page).filter({ hasText: 'Holiday' }).waitFor({ state: 'detached' })
  })

  it('can be hidden, and shows again at the next failure', async () => {
    const { page } = await world.show({ stopped: [BALANCE] })
    await bar(page).getByRole('button', { name: 'Dismiss' }).click()
    await bar(page).waitFor({ state: 'detached' })
    await world.shown.tell({ stopped: [{ ...BALANCE, sinceMs: 3 }] })
    await bar(page).waitFor()
  })
})

describeWith(CHROMIUM)('a page that is older than what serves it', () => {
  it('says so when the map of the world is gone, and a reload brings it back', async () => {
    const { page } = await world.show(WITH_CHARGERS)
    const gone = /\/assets\/base-map-/
    await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.keyboard.press('Control+4')
    await page.getByText('A part of this page could not be loaded or has crashed.', { exact: false }).first().waitFor()
    expect(await axe(page)).toEqual([])
    await page.unroute(gone)
    await bar(page).getByRole('button', { name: 'Reload the window' }).click()
    await page.locator('.rail-place').first().waitFor()
    await page.keyboard.press('Control+4')
    await page.locator('.chargers-side').waitFor()
    await bar(page).waitFor({ state: 'detached' })
  })

  it.each([
    ['a place', /folders-place-.*\.js/, 'Control+2'],
    ['an overlay', /palette-.*\.js/, 'Control+k'],
  ])('says so when %s cannot be loaded, and what was there stays in sight', async (_what, file, keys) => {
    const { page } = await world.show()
    await page.route(file, (route) => route.fulfill({ status: 404, body: 'gone' }))
    await page.keyboard.press(keys)
    await bar(page).getByText('A part of this page could not be loaded or has crashed.', { exact: false }).waitFor()
    await page.keyboard.press('Control+,')
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor()
    expect(await page.getByText('Hangar cannot be shown').count()).toBe(0)
  })

  it('says when something it started failed, rather than nothing', async () => {
    const { page } = await world.show()
    await page.evaluate(() => {
      const { calls } = (globalThis as unknown as { hangar: { calls: object } }).hangar
      Object.assign((globalThis as unknown as { hangar: object }).hangar, {
        calls: new Proxy(calls, {
          get: (target, name: string) =>
            name === 'queue.pause'
              ? () => Promise.reject(new Error('no handler'))
              : (Reflect.get(target, name) as unknown),
        }),
      })
    })
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Something went wrong in this page.', { exact: false }).waitFor()
  })
})
