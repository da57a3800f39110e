import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
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
  expectNothingPaidTwice,
  line,
  place,
  settingsPage,
  giveKey,
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

afterEach(async ({ task }) => {
  // What a failed story looked like at its end.
  const picture = process.env['HANGAR_E2E_PICTURES']
  if (task.result?.state === 'fail' && picture !== undefined)
    await world?.page.screenshot({ path: join(picture, `${task.name.replaceAll(/\W+/g, '-')}.png`) })
  await world?.close()
  world = null
})

/** Contents of all files of a folder, to see that none changed. */
async function contents(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => /\.(?:jpg|png|gif|webp)$/.test(name))
  const hashes = names.map(async (name) => {
    const { mtimeMs } = await stat(join(folder, name))
    return [
      name,
      `${mtimeMs} ${createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex')}`,
    ] as const
  })
  return new Map(await Promise.all(hashes))
}

describeWith(WHOLE_APP)('a person with the window', () => {
  test('drops pictures on the window, sees the price, and gets results beside the uploads', async () => {
    const app = await open({ browser: 'whole' })
    const { page, home } = app
    await mkdir(join(home, 'inbox'))
    await useService(app)
    const names = ['red-hangar.jpg', 'club-badge.png']
    await dropFiles(
      app,
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

  test('watches a folder: pictures that come are processed once, originals stay as they are', async () => {
    const app = await open()
    const { page, pictures } = app
    await useService(app)
    await watchFolder(app)
    const names = await app.putSamples(3)
    const before = await contents(pictures)
    await allAre(page, names, 'Done')
    for (const [name, content] of before) expect((await contents(pictures)).get(name), name).toBe(content)
    expect(app.service.ledger().totals.charges).toBe(3)
    expectNothingPaidTwice(app)
    await place(page, 'Folders').click()
    await visible(page.getByText('Watching'))
  })

  test('gives a wrong key, sees why, gives the right one, and the work continues by itself', async () => {
    const app = await open()
    const { page, service } = app
    await giveKey(app, 'not-the-right-key')
    await visible(page.getByText(/refused the key/))
    await button(page, 'Keep it anyway').click()
    await watchFolder(app)
    const names = await app.putSamples(2)
    await visible(page.getByText('Key refused'))
    await allAre(page, names, 'Held')
    expect(service.ledger().charges).toHaveLength(0)
    await settingsPage(page, 'Account')
    await (await visible(button(page, 'Replace'))).click()
    await page.getByLabel('New key').fill(service.apiKey)
    await button(page, 'Set key').click()
    await visible(page.getByText('The service accepts the key.'))
    await place(page, 'Pictures').click()
    await allAre(page, names, 'Done')
    expect(await page.content()).not.toContain(service.apiKey)
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
    expectNothingPaidTwice(app)
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

  test('loses the program in the middle of a batch; after a restart it goes on and nothing is paid twice', async () => {
    const app = await open({ practice: { jobTime: { kind: 'fixed', ms: 20_000 } } })
    await useService(app)
    await watchFolder(app)
    const names = await app.putSamples(5)
    // None is on its way at the kill, or it would rightly wait for a person's decision.
    await allAre(app.page, names, 'Processing')
    await app.served.kill()
    await app.start()
    await allAre(app.page, names, 'Done')
    expect(app.service.ledger().totals.charges).toBe(5)
    expectNothingPaidTwice(app)
  })
})
