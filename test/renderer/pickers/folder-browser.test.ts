import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { say } from '../../../src/shared/sentences/sentence.ts'
import { stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const place = (path: string) => ({
  token: `token-of-${path}`.padEnd(16, '.'),
  name: path.split('/').at(-1) ?? '',
  path,
  kind: 'folder',
})
/** The same folder whatever is asked for: enough to see what is asked. */
const HOME = {
  here: place('/home/ada'),
  parent: place('/home').token,
  folders: ['Documents', 'Music', 'Pictures', 'Poems'].map((name) => place(`/home/ada/${name}`)),
  pictures: 3,
  cut: false,
}
const FORBIDDEN = { error: { code: 'unreadable', sentence: say('folder_forbidden') } }

const world = windowForEachTest()

async function browse(answers: Record<string, unknown> = {}): Promise<Page> {
  const { app } = stateWith()
  const state = { app: { ...app, capabilities: ['browse' as const] } }
  await world.show(state, { 'intake.preview': FORBIDDEN, 'places.browse': HOME, ...answers })
  await world.shown.page.keyboard.press('Control+2')
  await world.shown.page.getByRole('button', { name: 'Watch a folder' }).click()
  return world.shown.page
}

const asked = async () =>
  ((await world.shown.asked('places.browse')) as { folder: string | null }[]).map(({ folder }) => folder)

describeWith(CHROMIUM)('the folder browser', () => {
  it('begins at home and is walked through by keys', async () => {
    const page = await browse()
    await page.getByText('3 pictures in this folder.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(asked).toEqual([null, place('/home/ada/Music').token])
    await page.keyboard.press('Backspace')
    await expect.poll(asked).toHaveLength(3)
    expect((await asked()).at(-1)).toBe(HOME.parent)
    await page.keyboard.type('po')
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Poems'])
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await asked()).at(-1)).toBe(place('/home/ada/Poems').token)
  })

  it('hands over the folder that is shown, by Enter where there is none to open in it', async () => {
    const page = await browse({ 'places.browse': { ...HOME, folders: [] } })
    await page.getByText('No folders in here.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Watch “ada”' }).waitFor()
    await expect.poll(() => world.shown.asked('intake.preview')).toMatchObject([{ paths: [HOME.here.token] }])
  })

  it('says why a folder cannot be read, and can be left', async () => {
    const page = await browse({ 'places.browse': FORBIDDEN })
    await page.getByRole('alert').getByText('Hangar has no right to this folder.').waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(asked).toEqual([null, null])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Watch a folder')
  })

  it('keeps a name to be mended when a folder cannot be made, and Escape takes back only the naming', async () => {
    const error = { code: 'name_taken', sentence: say('folder_name_taken') }
    const page = await browse({ 'places.makeFolder': { error } })
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.keyboard.type(' Music ')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Something with this name exists already.').waitFor()
    expect(await world.shown.asked('places.makeFolder')).toEqual([{ parent: HOME.here.token, name: 'Music' }])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New folder' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })
})
