import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../free-port.ts'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { allAre, line, visible, watchFolder } from './by-hand.ts'

let world: AppWorld
let name: string

async function openField(page: Page): Promise<Locator> {
  // A page that is loaded again shows the picture again.
  if (!page.url().includes('#/jobs/')) await (await visible(line(page, name))).click()
  return visible(page.getByRole('textbox', { name: 'English' }))
}

const english = async () => {
  const text = await readFile(join(world.pictures, `${name}.alt.json`), 'utf8')
  const { translations } = JSON.parse(text) as { translations: { languageCode: string; seoAltText: string }[] }
  return translations.find(({ languageCode }) => languageCode === 'en')
}

describeWith(WHOLE_APP)('words typed into an alt text', () => {
  beforeAll(async () => {
    world = await openApp({ serveArgs: ['--port', String(await freePort())] })
    name = (await world.putSamples(1))[0]!
    await watchFolder(world)
    await allAre(world.page, [name], 'Done')
  })
  afterAll(() => world.close())

  test('are saved when the page is loaded again, and Escape gives back what was there', async () => {
    const field = await openField(world.page)
    await field.fill('A heron at dawn')
    await world.page.reload()
    const again = await openField(world.page)
    await expect.poll(() => again.inputValue()).toBe('A heron at dawn')
    await expect.poll(english).toMatchObject({ seoAltText: 'A heron at dawn', edited: true })
    await again.fill('A heron at noon')
    await again.press('Escape')
    expect(await again.inputValue()).toBe('A heron at dawn')
    await again.blur()
    await world.page.reload()
    expect(await (await openField(world.page)).inputValue()).toBe('A heron at dawn')
  })

  test('while Hangar is gone stay in the page, and are saved when it is back', async () => {
    const field = await openField(world.page)
    await world.served.kill()
    await visible(world.page.getByText('Connection to Hangar lost'))
    await field.fill('Typed while nobody listened')
    await visible(world.page.getByText('Your text stays here'))
    await field.press('Control+Enter')
    await world.page.getByRole('button', { name: 'Pause' }).click()
    const notConnected = world.page.getByText(/^The page is not connected to Hangar/)
    await visible(notConnected)
    // It goes by itself, so it is looked for from the beginning on.
    const isBack = visible(world.page.getByText(/^Connected again/))
    await world.startBehindPage()
    // The browser stays signed in over a restart, so the page finds its way back without a new link.
    await expect.poll(async () => (await english())?.seoAltText).toBe('Typed while nobody listened')
    // What is no longer true is no longer said.
    await notConnected.waitFor({ state: 'detached' })
    await isBack
  })
})
