import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import type { FolderRow } from '../../../../src/shared/contract/folders.ts'
import type { UiState } from '../../../../src/shared/contract/stream.ts'
import { NO_JOBS, stateWith } from '../../harness/fake-bridge.ts'
import { folderRow } from '../../harness/folder-row.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'
import { previewOf } from '../../harness/job-row.ts'

const RECIPE = stateWith().settings.recipe
const PLACE = { token: 'token-of-pictures', name: 'Pictures', path: '/home/ada/Pictures', kind: 'folder' }
const PREVIEW = previewOf({
  pictures: 250,
  totalBytes: 4_200_000_000,
  toSend: 240,
  free: 9,
  price: { required: 1500, balance: 1240, shortfall: 260, atMost: false },
})
const ANSWERS = {
  'recipes.example': { outputs: ['a-optimized.jpg', 'a.webp', 'a.jpg.alt.json'] },
  'languages.list': { languages: [{ code: 'en', name: 'English', nativeName: 'English' }] },
  'credits.afford': { canAfford: true, required: 3, balance: 1240, shortfall: 0 },
  'places.pick': { places: [PLACE] },
  'intake.preview': PREVIEW,
  'folders.add': { id: 'f9' },
}

const folder = (id: string, path: string, changes: Partial<FolderRow> = {}) =>
  folderRow(id, { path, recipe: RECIPE, ...changes })

const world = windowForEachTest()

async function show(state: Partial<UiState> = {}, answers: Record<string, unknown> = {}): Promise<Page> {
  await world.show(state, { ...ANSWERS, ...answers })
  const { page } = world.shown
  await page.keyboard.press('Control+2')
  await page.getByRole('heading', { name: 'Folders', level: 1 }).waitFor()
  return page
}

/** The dialog for another folder, once it says what watching that would mean. */
async function watchDialog(): Promise<Locator> {
  const page = await show()
  await page.getByRole('button', { name: 'Watch a folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Watch “Pictures”' })
  await dialog.getByText('a-optimized.jpg').waitFor({ state: 'attached' })
  return dialog
}

describeWith(CHROMIUM)('the folders', () => {
  it('shows what watching a folder would mean before anything is added', async () => {
    const dialog = await watchDialog()
    for (const text of ['240', '260 credits are missing', 'more than 100', 'scan.gif'])
      expect(await dialog.textContent()).toContain(text)
    expect(await world.shown.asked('folders.add')).toEqual([])

    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Exclude').fill('drafts/\n\n *.gif ')
    await dialog.getByLabel('AVIF').check()
    await dialog.getByRole('button', { name: 'Watch this folder' }).click()
    await dialog.waitFor({ state: 'detached' })
    const order = {
      path: PLACE.token,
      recipe: RECIPE,
      include: [],
      exclude: ['drafts/', '*.gif'],
      alsoTakes: ['avif'],
      askAbove: 100,
    }
    expect(await world.shown.asked('folders.add')).toEqual([order])
    expect(world.shown.complaints).toEqual([])
  })

  it('is watched for pictures from now on only, with what that means said before', async () => {
    const dialog = await watchDialog()
    await dialog.getByLabel('Only pictures from now on').check()
    await dialog.getByText('Pictures that come from now on are processed.').waitFor()
    expect(await dialog.textContent()).not.toContain('260 credits')
    await dialog.getByRole('button', { name: 'Watch this folder' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await world.shown.asked('folders.add')).toMatchObject([{ path: PLACE.token, existing: 'leave' }])
  })

  it('that is missing is located where it has moved to', async () => {
    const missing = folder('f1', '/media/card', { state: 'missing', because: { code: 'not_there', values: {} } })
    const page = await show({ folders: [missing] }, { 'folders.locate': {} })
    await page.getByRole('button', { name: 'Locate…' }).click()
    await expect.poll(() => world.shown.asked('folders.locate')).toEqual([{ id: 'f1', path: PLACE.token }])
  })

  it('asks again as patterns change, and not for patterns that mean nothing', async () => {
    const dialog = await watchDialog()
    await dialog.getByText('More', { exact: true }).click()
    await dialog.getByLabel('Only these').fill('/etc/*.jpg')
    await dialog.getByRole('alert').getByText('The pattern "/etc/*.jpg" leads out of the folder.').waitFor()
    // Said while nothing is asked.
    await dialog.getByText('Fix the patterns to see the preview.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Watch this folder' }).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Only these').fill('*.jpg')
    await expect
      .poll(async () => (await world.shown.asked('intake.preview')).at(-1))
      .toMatchObject({ include: ['*.jpg'] })
    for (const request of (await world.shown.asked('intake.preview')) as { include: string[] }[])
      expect(request.include).not.toContain('/etc/*.jpg')
  })

  it('changes a folder for new pictures only, unless a person wants what is there done too', async () => {
    const page = await show({ folders: [folder('f1', '/home/ada/Pictures')] })
    const open = () => page.getByRole('button', { name: 'Edit Pictures' }).click()
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await open()
    await page.getByText('Changes count for new pictures.').waitFor()
    await save.click()
    await open()
    await page.getByLabel('Also process existing pictures').check()
    await page.getByText('260 credits are missing').waitFor()
    await save.click()
    const orders = (await world.shown.asked('folders.update')) as { reprocess: boolean }[]
    expect(orders.map(({ reprocess }) => reprocess)).toEqual([false, true])
  })

  it('shows a folder that is watched already instead of adding it twice', async () => {
    const page = await show({ folders: [folder('f1', PLACE.path)] })
    await page.getByRole('button', { name: 'Watch a folder' }).click()
    await page.getByRole('dialog', { name: 'Watched folder “Pictures”' }).waitFor()
  })

  it('takes the focus along when a folder leaves the list, and puts the folder back', async () => {
    const folders = [folder('f1', '/a/one'), folder('f2', '/a/two'), folder('f3', '/a/three')]
    const page = await show({ folders })
    await page.getByRole('link', { name: /^one/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await world.shown.asked('folders.remove')).toEqual([{ id: 'f2' }])
    await world.shown.tell({ folders: [folders[0]!, folders[2]!] })
    await expect.poll(() => page.locator(':focus').textContent()).toContain('three')
    await world.shown.tell({ folders: [] })
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Watch a folder')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.shown.asked('folders.putBack')).toEqual([{ id: 'f2' }])
  })

  it('gives the focus back to the button of a menu from which a dialog was opened', async () => {
    const page = await show({ folders: [folder('f1', '/a/one')] })
    const more = page.getByRole('button', { name: 'More for one' })
    await more.press('Enter')
    const item = (name: string) => page.getByRole('menuitem', { name }).and(page.locator(':focus'))
    await item('Open pictures').press('ArrowDown')
    await item('Edit').press('Enter')
    await page.getByRole('dialog').press('Escape')
    await more.and(page.locator(':focus')).waitFor()
  })

  it('says what is the matter with a missing folder, and leads from a figure to its pictures', async () => {
    const missing = folder('f1', '/media/card', {
      state: 'missing',
      because: { code: 'not_there', values: {} },
      counts: { ...NO_JOBS, done: 40, failed: 2, unknown: 1, held: 5 },
    })
    const page = await show({ folders: [missing] })
    await page.getByText('Nothing is treated as deleted').waitFor()
    await page.getByRole('link', { name: 'Held: 5' }).waitFor()
    await page.getByRole('link', { name: 'Unknown: 1' }).waitFor()
    expect(
      await page
        .locator('.folders-count')
        .evaluateAll((links: { textContent: string }[]) => links.map((link) => link.textContent)),
    ).toEqual(['40', '5', '2', '1'])
    await page.getByRole('link', { name: 'Failed: 2' }).click()
    await page.locator('.rail-place[aria-current=page]', { hasText: 'Pictures' }).waitFor()
  })

  it('does not call a folder missing that it may not read', async () => {
    const locked = folder('f1', '/a/locked', {
      state: 'missing',
      because: { code: 'no_permission', values: {} },
    })
    const page = await show({ folders: [locked] })
    await page.getByText('Not readable', { exact: true }).waitFor()
    await page.getByText('once it can read the folder').waitFor()
    expect(await page.getByText(/Missing|moved/).count()).toBe(0)
    await page.getByText('1 folder cannot be watched').waitFor({ state: 'attached' })
  })

  it('has all that can be done with a folder in a menu by a right click, and gives the focus back', async () => {
    const page = await show({ folders: [folder('f1', '/a/one')] })
    const link = page.getByRole('link', { name: /^one/ })
    await link.focus()
    await link.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open pictures' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.folders-open:focus').waitFor()
    await link.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await expect.poll(() => world.shown.asked('folders.update')).toEqual([{ id: 'f1', changes: { paused: true } }])
  })

  it('asks before changed settings of a folder are lost, also with Back, and not where there are none', async () => {
    const page = await show({ folders: [folder('f1', '/a/one')] })
    await page.getByRole('button', { name: 'Edit one' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Ask before sending more new pictures at once than')
    const question = dialog.getByText('Discard the changes?')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit one' }).click()
    await dialog.getByText('More', { exact: true }).click()
    await field.fill('7')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
      () => page.evaluate('history.back()'),
    ]) {
      await leave()
      await question.waitFor()
      await dialog.getByRole('button', { name: 'Go on editing' }).click()
      await question.waitFor({ state: 'detached' })
    }
    expect(await field.inputValue()).toBe('7')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await world.shown.asked('folders.update')).toEqual([])
    const here = (place: string) => page.locator('.rail-place[aria-current=page]', { hasText: place }).waitFor()
    await here('Folders')
    await page.getByRole('button', { name: 'Edit one' }).click()
    await dialog.getByText('More', { exact: true }).click()
    await field.fill('7')
    await page.evaluate("location.hash = '#/credits'")
    await question.waitFor()
    await dialog.getByRole('button', { name: 'Discard' }).click()
    await here('Credits')
  })
})
