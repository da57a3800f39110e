import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld, type WorldOptions } from './app-world.ts'
import {
  allAre,
  browseTo,
  button,
  dialog,
  dropFiles,
  line,
  place,
  useService,
  visible,
  watchFolder,
} from './by-hand.ts'

const SAMPLES = resolve(import.meta.dirname, '../../resources/samples')

let world: AppWorld | null = null

async function open(options: WorldOptions = {}): Promise<AppWorld> {
  world = await openApp({ browser: 'light', ...options })
  return world
}

afterEach(async () => {
  await world?.close()
  world = null
})

describeWith(WHOLE_APP)('a person with the window', () => {
  test('drops pictures on the window, sees the price, and gets results beside the uploads', async () => {
    const app = await open({ browser: 'whole' })
    const { page, home } = app
    await mkdir(join(home, 'inbox'))
    await useService(app)
    const names = ['red-hangar.jpg', 'club-badge.png']
    await dropFiles(
      page,
      names.map((name) => join(SAMPLES, name)),
    )
    await (await visible(button(page, 'Choose a folder…'))).click()
    await browseTo(page, join(home, 'inbox'))
    await visible(dialog(page).getByText(/\d+ credits/))
    const start = await visible(button(page, /^Process 2 pictures/))
    expect(app.service.ledger().charges).toHaveLength(0)
    await start.click()
    await allAre(page, names, 'Done')
    const written = await readdir(join(home, 'inbox'))
    expect(written).toEqual(expect.arrayContaining([...names, 'red-hangar-optimized.jpg', 'red-hangar.webp']))
    expect(app.service.ledger().totals.charges).toBe(2)
  })

  test('runs out of credits, tops up, and what waited is done', async () => {
    const app = await open({ practice: { credits: 0 } })
    const { page, service } = app
    await useService(app)
    await watchFolder(app)
    const names = await app.putSamples(2)
    await allAre(page, names, 'Held')
    await visible(page.getByText('Not enough credits'))
    expect(service.ledger().charges).toHaveLength(0)
    await place(page, 'Credits').click()
    await visible(page.locator('.credits-large', { hasText: /^0$/ }))
    await service.control({ type: 'top-up', credits: 100 })
    await button(page, 'Refresh balance').click()
    // One truth: the new balance stands there, and nothing says any more that it does not suffice.
    // On a busy machine what waited may have spent some of it by the time the page is drawn.
    await visible(page.locator('.credits-large', { hasText: /^(100|9\d)$/ }))
    await page.getByText('Not enough credits').waitFor({ state: 'detached' })
    await page.getByText(/does not cover/).waitFor({ state: 'detached' })
    await place(page, 'Pictures').click()
    await allAre(page, names, 'Done')
    expect(service.ledger().totals.charges).toBe(2)
  })

  test('decides about a picture whose answer was lost; it is not sent again before', async () => {
    const app = await open()
    const { page, service } = app
    await useService(app)
    await service.control({
      type: 'add-weather',
      rules: [{ on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } }],
    })
    await watchFolder(app)
    const [name] = await app.putSamples(1)
    await allAre(page, [name!], 'Unknown')
    expect(service.ledger().totals.charges).toBe(1)
    await line(page, name!).first().click()
    await (await visible(button(page, /^Send again/))).click()
    await (await visible(dialog(page).getByRole('button', { name: 'Send again' }))).click()
    await button(page, 'Back to the list').click()
    await allAre(page, [name!], 'Done')
    expect(service.ledger().totals.charges).toBe(2)
  })
})
