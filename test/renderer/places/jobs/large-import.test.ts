import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { MAX_IMPORT_BYTES } from '../../../../src/shared/recipes/limits.ts'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest, type WithShell } from '../../harness/frame-page.ts'

const world = windowForEachTest()

/** Without pictures there is no menu. */
const counts = { ...stateWith().counts, done: 1 }
const NOTHING = {
  changes: [],
  unchanged: 2,
  unread: [],
  unknown: [],
  otherContent: [],
  noLanguages: [],
  tooLong: [],
  contradictory: [],
}

async function choose(page: Page, content: number | Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Texts from a file…' }).click()
  const buffer = typeof content === 'number' ? Buffer.alloc(content, 'x') : content
  await (await asked).setFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer })
}

/** Keeps an answer back until the function that this resolves to is called; later ones come at once. */
async function heldFor(page: Page, channel: string, value: object): Promise<() => Promise<void>> {
  await page.evaluate(
    ([name, given]) => {
      const { answers } = (globalThis as WithShell).shell
      const { promise, resolve } = Promise.withResolvers<object>()
      answers[name] = promise
      Object.assign(globalThis, { release: () => resolve(given) })
    },
    [channel, value] as const,
  )
  return () => page.evaluate(() => (globalThis as unknown as { release: () => void }).release())
}

describeWith(CHROMIUM)('a file of texts', () => {
  it('that is larger than a message is named by its token where the window knows files', async () => {
    const { page, ...shown } = await world.show({ counts }, { 'jobs.matchTexts': NOTHING })
    await choose(page, MAX_IMPORT_BYTES + 1)
    await page.getByRole('dialog').waitFor()
    expect(await shown.asked('jobs.matchTexts')).toEqual([{ format: 'csv', file: 'place-of-a-file-0' }])
  })

  it('that is larger than a message goes into one compressed in a browser', async () => {
    const app = { ...stateWith().app, capabilities: ['upload' as const] }
    const { page, ...shown } = await world.show({ app, counts }, { 'jobs.matchTexts': NOTHING })
    await choose(page, MAX_IMPORT_BYTES + 1)
    await page.getByRole('dialog').waitFor()
    const [request] = (await shown.asked('jobs.matchTexts')) as { data: string }[]
    expect(request).toMatchObject({ format: 'csv', isPacked: true })
    expect(gunzipSync(Buffer.from(request!.data, 'base64'))).toEqual(Buffer.alloc(MAX_IMPORT_BYTES + 1, 'x'))
    await page.keyboard.press('Escape')
    await choose(page, 3)
    await page.getByRole('dialog').waitFor()
    expect((await shown.asked('jobs.matchTexts'))[1]).toEqual({ format: 'csv', data: 'eHh4' })
  })

  it('is said to be read while that takes long, and changes nothing once that was left', async () => {
    const { page, ...shown } = await world.show({ counts })
    const answer = await heldFor(page, 'jobs.matchTexts', NOTHING)
    await choose(page, 3)
    const dialog = page.getByRole('dialog', { name: 'Texts from a file' })
    await dialog.getByRole('status').getByText('Reading texts.csv…').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await answer()
    await choose(page, 3)
    await dialog.getByText('2 already match.').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await shown.asked('jobs.editTexts')).toEqual([])
  })

  it('says what it would change and what is left out, and is taken in until it is stopped; that much is undone at once', async () => {
    const changes = Array.from({ length: 1200 }, (_, n) => ({
      id: `j${n}`,
      path: `/home/ada/${n}.jpg`,
      languageCode: 'en',
      altText: { seen: 'A red hangar', to: 'A blue hangar' },
      seoFilename: null,
    }))
    const leftOut = { unknown: ['nowhere.jpg'], noLanguages: ['jp'] }
    const { page, ...shown } = await world.show({ counts }, { 'jobs.matchTexts': { ...NOTHING, ...leftOut, changes } })
    const changed = Array.from({ length: 500 }, (_, n) => n)
    const answer = await heldFor(page, 'jobs.editTexts', { changed, unwritten: 0, why: null })
    await choose(page, 3)
    await page.getByText('A blue hangar').first().waitFor()
    await page.getByText('Files that are not pictures with texts here (1): nowhere.jpg').waitFor()
    await page.getByText('Codes that are not languages, whose texts are left out (1): jp').waitFor()
    await page.getByRole('button', { name: 'Change 1,200 texts' }).click()
    await page.getByRole('status').getByText('0 of 1,200 changed').waitFor()
    const stop = page.getByRole('button', { name: 'Stop' })
    await stop.click()
    await expect.poll(() => stop.isDisabled()).toBe(true)
    await answer()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByText('500 texts were changed.').waitFor()
    expect(await shown.asked('jobs.editTexts')).toHaveLength(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await shown.asked('jobs.editTexts')).length).toBe(2)
    const [, undone] = (await shown.asked('jobs.editTexts')) as { edits: { id: string; altText: object }[] }[]
    expect(undone!.edits.map(({ id }) => id)).toEqual(changed.map((n) => `j${n}`))
    expect(undone!.edits[0]!.altText).toEqual({ seen: 'A blue hangar', to: 'A red hangar' })
  })

  it('that cannot be compressed into a message is refused in a browser, with what to do', async () => {
    const app = { ...stateWith().app, capabilities: ['upload' as const] }
    const { page, ...shown } = await world.show({ app, counts }, { 'jobs.matchTexts': NOTHING })
    await choose(page, randomBytes(MAX_IMPORT_BYTES + 1))
    await page.getByText(/texts\.csv: The file is larger than 5 MB\./).waitFor()
    expect(await shown.asked('jobs.matchTexts')).toEqual([])
  })
})
