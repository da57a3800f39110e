import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { MAX_IMPORT_BYTES, MAX_TEXTS_BYTES } from '../../../../src/shared/recipes/limits.ts'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()

/** Without pictures there is no menu. */
const counts = { ...stateWith().counts, done: 1 }
const NOTHING = { changes: [], unchanged: 2, unknown: [], noLanguages: [], tooLong: [], contradictory: [] }

async function choose(page: Page, content: number | Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const asked = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Texts from a file…' }).click()
  const buffer = typeof content === 'number' ? Buffer.alloc(content, 'x') : content
  await (await asked).setFiles({ name: 'texts.csv', mimeType: 'text/csv', buffer })
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

  it.each([
    ['has more than 50 MB', Buffer.alloc(MAX_TEXTS_BYTES + 1, 'x'), /texts\.csv: The file is larger than 50 MB\./],
    [
      'cannot be compressed into a message',
      randomBytes(MAX_IMPORT_BYTES + 1),
      /texts\.csv: The file is larger than 5 MB\./,
    ],
  ])('that %s is refused in a browser, with what to do', async (_, buffer, said) => {
    const app = { ...stateWith().app, capabilities: ['upload' as const] }
    const { page, ...shown } = await world.show({ app, counts }, { 'jobs.matchTexts': NOTHING })
    await choose(page, buffer)
    await page.getByText(said).waitFor()
    expect(await shown.asked('jobs.matchTexts')).toEqual([])
  })
})
