import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { itWith } from '../needs.ts'
import { startPractice } from '../practice/faulty-practice.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { until } from '../until.ts'
import { button, place, settingsPage, visible } from './by-hand.ts'
import { list } from './chargers-by-hand.ts'

const CHARGERS = 7
const WRONG = 'not-the-right-token-91'

/** Everything that the window holds or the program wrote, in which no token may be. */
async function whatIsKept({ page, dataDir }: AppWorld): Promise<string> {
  const inPage = await page.evaluate(`[
    location.href, document.documentElement.outerHTML, JSON.stringify({ ...localStorage, ...sessionStorage }),
    ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    ...performance.getEntriesByType('resource').map(({ name }) => name),
  ].join('\\n')`)
  let files: { name: string; text: string }[] = []
  await until('nothing is half written', async () => {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const found = entries.filter((entry) => entry.isFile())
    const texts = found.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
    files = (await Promise.all(texts)).map((text, n) => ({ name: found[n]!.name, text }))
    return !files.some(({ name }) => name.endsWith('.part'))
  })
  expect(files.filter(({ name }) => name.endsWith('.log'))).not.toEqual([])
  return [inPage, ...files.map(({ text }) => text)].join('\n')
}

itWith(WHOLE_APP)(
  'a pilot is told that a token is missing or wrong, and gets from there to giving the right one',
  async () => {
    const service = await startPractice({ chargers: CHARGERS })
    onTestFinished(() => service.close())
    const world = await openApp()
    onTestFinished(() => world.close())
    const { page } = world
    const settings = page.locator('#settings-chargers')
    const shows = async (problem: RegExp) => {
      await place(page, 'Chargers').click()
      await visible(page.getByRole('alert').getByText(problem))
      await visible(list(page).getByText('No chargers have been read yet.'))
    }
    await settingsPage(page, 'Chargers')
    await (await visible(settings.getByLabel('Address'))).fill(service.chargerBaseUrl)
    await settings.getByRole('button', { name: 'Use this address' }).click()
    // It is in use once it has no token yet.
    await visible(settings.getByLabel('New token'))
    await shows(/needs a token/)

    await button(page, 'Set the token').click()
    await (await visible(settings.getByLabel('New token'))).fill(WRONG)
    await settings.getByRole('button', { name: 'Set key' }).click()
    await visible(settings.getByText(/refused the key, so it was not stored/))
    await settings.getByRole('button', { name: 'Keep it anyway' }).click()
    await visible(settings.getByRole('status').getByText(/refused/))
    expect(await whatIsKept(world)).not.toContain(WRONG)
    await shows(/refused the token/)
    expect(await list(page).getByRole('listbox', { name: 'Chargers' }).getByRole('option').count()).toBe(0)

    await button(page, 'Set the token').click()
    await (await visible(settings.getByRole('button', { name: 'Replace' }))).click()
    await settings.getByLabel('New token').fill(service.partnerToken)
    await settings.getByRole('button', { name: 'Set key' }).click()
    await visible(settings.getByRole('status').getByText(/accepts/))
    await place(page, 'Chargers').click()
    await visible(list(page).getByRole('status').getByText(`${CHARGERS} chargers`, { exact: true }))
    expect(await page.getByRole('alert').count()).toBe(0)
    const kept = await whatIsKept(world)
    for (const token of [WRONG, service.partnerToken]) expect(kept).not.toContain(token)
  },
)
