import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dragOver, dropFiles } from '../../e2e/by-hand.ts'
import { CHROMIUM, describeWith, itWith } from '../../needs.ts'
import { folderForTest } from '../../temp-folder.ts'
import type { UiSettings } from '../../../src/shared/contract/settings.ts'
import type { UiState } from '../../../src/shared/contract/stream.ts'
import { NO_JOBS, stateWith } from '../harness/fake-bridge.ts'
import { jobRow, previewOf } from '../harness/job-row.ts'
import { windowForEachTest, type WithShell } from '../harness/frame-page.ts'
import { raw, say } from '../../../src/shared/sentences/sentence.ts'

const SAVED = { id: 'r1', recipe: { ...stateWith().settings.recipe, name: 'Print shop', operation: 'optimize' } }
const PREVIEW = previewOf()
const REFUSED = { code: 'key_refused', sentence: say('service_key_refused') }
const ANSWERS = {
  'recipes.list': { recipes: [SAVED] },
  'intake.preview': PREVIEW,
  'intake.add': { batchId: 'b1' },
  'batches.price': { required: 1200, balance: 1240, shortfall: 0, atMost: false, images: 240 },
}
const HELD = {
  ...({ batchId: 'b1', kind: 'run', folderId: null, held: 240, confirmable: true } as const),
  detail: say('burst', { pictures: 240, limit: 100 }),
}
const settingsWith = (changes: Partial<UiSettings>) => ({ ...stateWith().settings, ...changes })

const world = windowForEachTest()

const show = async (state: Partial<UiState> = {}, answers: Record<string, unknown> = {}): Promise<Page> =>
  (await world.show(state, { ...ANSWERS, ...answers })).page

/** An element as far as it is used here: this file is not compiled for a page. */
interface Dropped {
  dispatchEvent(event: object): void
  ownerDocument: { defaultView: { DragEvent: new (name: string, options: object) => object } }
}

/** Drags files over the window as a file manager does, and lets them go over `target`. */
async function drop(page: Page, names: readonly string[], target: string): Promise<void> {
  const transfer = await dragOver(page, names)
  // In one go: a person may let go before the page is drawn again.
  await page.locator(target).evaluate((on, dataTransfer) => {
    const element = on as Dropped
    const { DragEvent } = element.ownerDocument.defaultView
    for (const name of ['dragenter', 'drop'])
      element.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
  }, transfer)
}

describeWith(CHROMIUM)('the frame', () => {
  it('pauses and resumes', async () => {
    const page = await show()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Paused – resume' }).click()
    expect([await world.shown.asked('queue.pause'), await world.shown.asked('queue.resume')]).toEqual([[{}], [{}]])
  })

  it('previews files that were handed over before its first drawing', async () => {
    const page = await show({})
    await page.addInitScript(() => {
      const { hangar, shell } = globalThis as WithShell & { hangar: { onMessage: (listener: unknown) => unknown } }
      const { onMessage } = hangar
      const places = [{ token: 'place-1', name: 'a.jpg', path: '/home/ada/a.jpg', kind: 'file' }]
      hangar.onMessage = (listener) => {
        const stop = onMessage(listener)
        queueMicrotask(() => shell.tell({}, [{ kind: 'offer', places, missing: [] }]))
        return stop
      }
    })
    await page.reload()
    await page.getByText('10 credits').waitFor()
  })

  it('adds what is handed over or dropped while a preview is open to it', async () => {
    const page = await show()
    const offer = async (...names: string[]) => {
      const places = names.map((name) => ({ token: `of ${name}`, name, path: `/home/ada/${name}`, kind: 'file' }))
      await world.shown.tell({}, [{ id: names.join(), kind: 'offer', places, missing: [] }] as never)
    }
    await offer('a.jpg')
    await page.getByText('10 credits').waitFor()
    await offer('b.jpg', 'c.jpg')
    await page.getByRole('dialog', { name: 'Process 3 files' }).waitFor()
    await drop(page, ['d.jpg'], '.drop')
    await page.getByRole('dialog', { name: 'Process 4 files' }).waitFor()
    const previewed = (await world.shown.asked('intake.preview')) as { paths: string[] }[]
    expect(previewed.at(-1)!.paths).toHaveLength(4)
  })

  it('previews what is dropped over a dialog, which stays with what is typed in it', async () => {
    const page = await show()
    await page.evaluate("location.hash = '#/settings/recipes'")
    await page.getByRole('button', { name: 'New recipe' }).click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Shop')
    await drop(page, ['a.jpg'], '.drop')
    await page.getByText('10 credits').waitFor()
    await page.getByRole('button', { name: 'Process 2 pictures' }).click()
    await page.getByText('10 credits').waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('Shop')
    expect(await world.shown.asked('intake.add')).toHaveLength(1)
  })

  it('says that a batch is done without taking the focus', async () => {
    const page = await show()
    await page.locator('.rail-place').nth(2).focus()
    await page.keyboard.press('Enter')
    const done = { title: '18 pictures done', body: '41 MB saved', address: '#/jobs?states=done' }
    await world.shown.tell({}, [{ id: 'n', kind: 'batch_done', ...done }])
    await page.getByText('18 pictures done · 41 MB saved').waitFor()
    expect(await page.locator(':focus').getAttribute('class')).toContain('rail-place')
  })

  it('never leaves a blank window when a part of it breaks', async () => {
    const page = await show()
    await world.shown.tell({ counts: null } as unknown as Partial<UiState>)
    await page.getByRole('alert').getByRole('button', { name: 'Reload the window' }).waitFor()
  })
})

describeWith(CHROMIUM)('files that come in', () => {
  it('are shown with their price before anything is sent, and Enter agrees to it', async () => {
    const page = await show()
    await drop(page, ['a.jpg', 'b.jpg', 'c.jpg'], '.drop')
    await page.getByText('10 credits').waitFor()
    expect(await world.shown.asked('intake.add')).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    const paths = [0, 1, 2].map((n) => `place-of-a-file-${n}`)
    expect(await world.shown.asked('intake.add')).toMatchObject([
      { paths, recipe: { name: 'Web default' }, confirmed: true },
    ])
  })

  it('get other texts than usual in two clicks, and other results, for this time only', async () => {
    const page = await show()
    await drop(page, ['a.jpg'], '.drop')
    await page.getByRole('button', { name: 'Languages: English' }).click()
    await page.getByRole('checkbox', { name: 'German' }).check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Languages: English.*German/ }).waitFor()
    await page.getByRole('button', { name: 'Format: Web' }).click()
    await page.getByRole('button', { name: /^Alt text only/ }).click()
    await page.getByRole('button', { name: 'Format: Alt text only' }).waitFor()
    await page.getByRole('button', { name: 'Process 2 pictures · 10 credits' }).click()
    const recipe = { operation: 'analyze', languages: ['en', 'de'] }
    await expect.poll(() => world.shown.asked('intake.add')).toMatchObject([{ recipe }])
    expect(await world.shown.asked('settings.set')).toEqual([])
  })

  it('lead to their results when they are done already, and can be processed and paid for again', async () => {
    const done = { ...PREVIEW, toSend: 0, refused: 0, done: 3, price: null }
    const page = await show({}, { 'intake.preview': done })
    await drop(page, ['a.jpg'], '.drop')
    await page.getByText('3 done already').waitFor()
    expect((await world.shown.asked('intake.preview')).at(-1)).toMatchObject({ force: true })
    await page.getByRole('button', { name: 'Process again' }).waitFor()
    await page.getByRole('button', { name: 'Show results' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await page.getByRole('searchbox').inputValue()).not.toBe('')
    expect(await world.shown.asked('intake.add')).toEqual([])
  })

  it('wait in the queue, not agreed to, when the service does not answer, and say that nothing was sent', async () => {
    const page = await show({}, { 'intake.preview': { ...PREVIEW, price: null, away: true } })
    await drop(page, ['a.jpg'], '.drop')
    await page.getByText(/is not answering\. Nothing has been sent\./).waitFor()
    await page.getByRole('button', { name: 'Queue 2 pictures' }).click()
    await expect.poll(() => world.shown.asked('intake.add')).toMatchObject([{ confirmed: false }])
  })

  it('take the recipe that they are dropped on', async () => {
    const page = await show()
    await drop(page, ['a.jpg'], '.drop .card:has-text("Print shop")')
    await page.getByText('10 credits').waitFor()
    expect(await world.shown.asked('intake.preview')).toMatchObject([{ recipe: { name: 'Print shop' } }])
  })

  it('cannot be started while none of them can be taken', async () => {
    const page = await show({}, { 'intake.preview': { ...PREVIEW, toSend: 0, free: 0, nothingToDo: 2, refused: 3 } })
    await drop(page, ['a.jpg'], '.drop')
    const button = page.getByRole('button', { name: 'Nothing to process' })
    await button.waitFor()
    await page.getByText('Nothing to do').waitFor()
    await page.keyboard.press('Enter')
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await world.shown.asked('intake.add')).toEqual([])
  })

  it('are found in a dropped folder and below it, where a browser has to upload them', async () => {
    const dir = folderForTest()
    await mkdir(join(dir, 'trip', 'day 2', '.cache'), { recursive: true })
    const names = ['a.jpg', 'notes.txt', '.hidden.png', 'day 2/B.PNG', 'day 2/.cache/c.jpg']
    for (const name of names) await writeFile(join(dir, 'trip', name), 'x')
    const app = { ...stateWith().app, capabilities: ['upload' as const] }
    const page = await show({ app, settings: settingsWith({ inboxDir: '/srv/inbox' }) })
    await dropFiles(page, [join(dir, 'trip')])
    await expect.poll(() => world.shown.asked('placesOf')).toHaveLength(1)
    const [paths] = (await world.shown.asked('placesOf')) as string[][]
    expect(paths?.toSorted()).toEqual(['trip/a.jpg', 'trip/day 2/B.PNG'])
  })
})

itWith(CHROMIUM)(
  'a batch that waits for a drive is named over the content until the drive is back, and can be given up',
  async () => {
    const away = [
      { batchId: 'b1', paths: ['/media/card/DCIM'], count: 1 },
      { batchId: 'b2', paths: ['/media/card/a.jpg'], count: 3 },
    ]
    const page = await show({ away })
    await page.getByText('Waiting for a drive: /media/card/DCIM is not there.').waitFor()
    await page.getByText('And one more batch.').waitFor()
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await expect.poll(() => world.shown.asked('batches.stopWaiting')).toEqual([{ id: 'b1' }])
    await world.shown.tell({ away: away.slice(1) })
    await page.getByText('/media/card/a.jpg and others that you added, 3 in all').waitFor()
    await world.shown.tell({ away: [] })
    await page.getByText('Waiting for a drive').waitFor({ state: 'detached' })
  },
)

describeWith(CHROMIUM)('work that waits for its price', () => {
  it('is named over the content, and sent when a person agrees', async () => {
    const page = await show({ confirmations: [HELD] })
    await page.getByText('240 pictures wait. Credits: about 1,200.').waitFor()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('of 1,240 in the account, leaves 40').waitFor()
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await world.shown.asked('batches.confirm')).toEqual([{ id: 'b1' }])
  })

  it('has no price until the service names one for as many as wait now, and is asked about until it does', async () => {
    const error = {
      code: 'service_unreachable',
      sentence: say('service_no_answer', { why: raw('timeout') }),
    }
    const price = { required: 1200, balance: 1240, shortfall: 0, atMost: false, images: 240 }
    const page = await show({}, { 'batches.price': { error } })
    await page.clock.install()
    await world.shown.tell({ confirmations: [HELD] })
    await page.clock.runFor(1600)
    await expect.poll(() => world.shown.asked('batches.price')).toHaveLength(1)
    await page.getByText('240 pictures need your OK before they are sent.').waitFor()
    await world.shown.answer({ 'batches.price': price })
    await page.clock.runFor(15_000)
    await page.getByText('240 pictures wait. Credits: about 1,200.').waitFor()
    // The page's clock runs on by itself, and with the next price these words would go.
    await world.shown.answer({ 'batches.price': { never: true } })
    await world.shown.tell({ confirmations: [{ ...HELD, held: 250 }] })
    await page.clock.runFor(1000)
    await page.getByText('250 pictures need your OK before they are sent.').waitFor()
  })

  it('is agreed to at the price of as many as wait, also when more come while a person reads', async () => {
    const page = await show({ confirmations: [HELD] })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('of 1,240 in the account, leaves 40').waitFor()
    const answer = (price: object) => world.shown.answer({ 'batches.price': price })
    await answer({ never: true })
    await world.shown.tell({ confirmations: [{ ...HELD, held: 245 }] })
    await page.getByRole('dialog').getByText('Asking the service what this costs').waitFor()
    expect(await page.getByText('leaves 40').count()).toBe(0)
    await answer({ required: 1230, balance: 1240, shortfall: 0, atMost: false, images: 246 })
    await world.shown.tell({ confirmations: [{ ...HELD, held: 246 }] })
    await page.getByText('of 1,240 in the account, leaves 10').waitFor()
  })

  it('is not sent by a second press of Enter on Review', async () => {
    const page = await show({ confirmations: [HELD] })
    await page.getByRole('button', { name: 'Review' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await world.shown.asked('batches.confirm')).toEqual([])
  })

  it('leads to the settings when a cap holds it, with no button to agree', async () => {
    const detail = say('cap_per_day', { spent: 5, limit: 5 })
    const page = await show({ confirmations: [{ ...HELD, confirmable: false, detail }] })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('The cap per day is used up.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve and send' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Change the cap' }).click()
    await page.locator('.rail-place[aria-current=page]', { hasText: 'Settings' }).waitFor()
  })

  it('closes by itself once nothing is held any more', async () => {
    const page = await show({ confirmations: [HELD] })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').waitFor()
    await world.shown.tell({ confirmations: [] })
    await page.locator('dialog').waitFor({ state: 'detached' })
  })
})

itWith(CHROMIUM)(
  'pictures that wait for credits are named over the content with what they need, and tried again when a person wants',
  async () => {
    const service = { ...stateWith().service!, hold: { code: 'credits_short' as const, detail: null } }
    const price = { required: 543, balance: 0, shortfall: 543, atMost: false, images: 181 }
    const held = { service, counts: { ...NO_JOBS, held: 181 } }
    const page = await show(held, { 'batches.price': price, 'queue.resume': {} })
    await page.getByText('181 pictures are waiting. Credits needed: 543; you have 0.').waitFor()
    expect(await world.shown.asked('batches.price')).toEqual([{ id: null }])
    await page.locator('.frame-bar').getByRole('button', { name: 'Retry' }).click()
    expect(await world.shown.asked('queue.resume')).toEqual([{}])
    await page.locator('.frame-bar').getByRole('button', { name: 'Credits' }).click()
    await page.locator('.rail-place[aria-current=page]', { hasText: 'Credits' }).waitFor()
  },
)

itWith(CHROMIUM)('the first start leads to the account, unless one is in use already', async () => {
  const page = await show()
  await page.getByRole('button', { name: 'Connect your account' }).click()
  await page.getByRole('heading', { name: 'Image service' }).waitFor()
  await page.keyboard.press('Control+1')
  await page.getByRole('button', { name: 'Connect your account' }).waitFor()
  const service = { ...stateWith().service!, practice: false, baseUrl: 'https://images.example/api/v1' }
  await world.shown.tell({ service })
  await page.getByRole('button', { name: 'Connect your account' }).waitFor({ state: 'detached' })
})

itWith(CHROMIUM)('a key that is refused stays to be corrected, and is kept only on request', async () => {
  const origin = 'https://images.example'
  const settings = settingsWith({ imageBaseUrl: `${origin}/api/v1` })
  const none = { name: 'image', origin, present: false, place: 'memory', because: 'locked', setAtMs: null }
  const page = await show({ settings }, { 'keys.status': none, 'keys.set': { error: REFUSED } })
  await page.evaluate("location.hash = '#/settings/services'")
  await page.getByText(/gone when Hangar ends\. The keychain is locked/).waitFor()
  await page.getByLabel('New key').fill('k-123')
  await page.getByRole('button', { name: 'Set key' }).click()
  await page.getByRole('alert').getByText('The service refused the key, so it was not stored.').waitFor()
  await page.getByRole('button', { name: 'Keep it anyway' }).waitFor()
  await page.getByLabel('New key').fill('k-1234')
  await page.getByRole('button', { name: 'Keep it anyway' }).waitFor({ state: 'detached' })
  const problem = { code: 'service_unreachable', sentence: raw('timeout') }
  await world.shown.answer({ 'keys.set': { ...none, present: true, check: 'unchecked', problem } })
  await page.getByRole('button', { name: 'Set key' }).click()
  await page.getByText('The key could not be checked.', { exact: true }).waitFor()
  // Nothing answers at the address, so that is told there, and not at the key.
  const address = page.locator('#settings-services').getByLabel('Address')
  await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
  await address.fill('https://other.example')
  expect(await address.getAttribute('aria-invalid')).toBe('false')
  expect(await page.getByText('k-1234').count()).toBe(0)
  expect(await world.shown.asked('keys.set')).toMatchObject([
    { key: 'k-123', keepRefused: false },
    { key: 'k-1234', keepRefused: false },
  ])
})

describeWith(CHROMIUM)('the palette', () => {
  it('finds a setting by what people call it', async () => {
    const page = await show()
    for (const [typed, name, section] of [
      ['cap', 'Caps', 'spending'],
      ['per day', 'Per day', 'spending'],
      ['key', 'Key Image', 'services'],
      ['requests', 'Requests a minute', 'queue'],
      ['TEÁM', 'Team', 'team'],
    ] as const) {
      await page.keyboard.press('Control+1')
      await page.locator('.rail-place[aria-current=page]', { hasText: 'Pictures' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(typed)
      const option = page.getByRole('option', { name: new RegExp(`^${name}`) })
      await option.first().click()
      await page.locator(`#settings-${section}-title:focus`).waitFor()
    }
  })

  it('exports what the list shows', async () => {
    const sections = [{ key: '', title: null, folderId: null, atMs: null, ids: ['j1', 'j2'] }]
    const page = await show({ counts: { ...NO_JOBS, done: 2 } }, { 'jobs.index': { sections } })
    await expect.poll(() => world.shown.asked('jobs.rows')).not.toEqual([])
    await page.keyboard.press('Control+k')
    await page.locator('.palette-input').fill('export')
    await page.getByRole('option', { name: 'Export 2 pictures as CSV' }).click()
    await expect.poll(() => world.shown.asked('jobs.export')).toEqual([{ ids: ['j1', 'j2'], format: 'csv' }])
  })

  it('selects a picture when it finds nothing else, else a command, and has its own order once nothing is typed', async () => {
    const page = await show(
      {},
      {
        'jobs.index': { sections: [{ key: '', title: null, folderId: null, atMs: null, ids: ['j1'] }] },
        'jobs.rows': { rows: [jobRow('j1', { name: 'sea.jpg' })] },
      },
    )
    await page.keyboard.press('Control+k')
    const options = page.locator('.palette').getByRole('option')
    const selected = page.locator('.palette').getByRole('option', { selected: true })
    await options.first().waitFor()
    const atFirst = await options.allInnerTexts()
    const input = page.getByRole('combobox')
    await input.fill('sea.')
    await selected.filter({ hasText: 'sea.jpg' }).waitFor()
    expect(await world.shown.asked('jobs.index')).toContainEqual({ filter: { search: 'sea.' } })
    await input.fill('cre')
    await selected.filter({ hasText: 'Credits' }).waitFor()
    expect(await options.last().innerText()).toContain('sea.jpg')
    await input.fill('')
    await expect.poll(() => options.allInnerTexts()).toEqual(atFirst)
    await input.fill('dar')
    await options.filter({ hasText: 'sea.jpg' }).waitFor()
    await page.keyboard.press('k')
    await selected.filter({ hasText: 'Theme: Dark' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
  })
})

itWith(CHROMIUM)('the services in use are named each for itself', async () => {
  const practice = stateWith().service
  const real = { ...practice!, serviceId: 'r', baseUrl: 'https://images.example/api/v1', practice: false }
  const CHARGERS = 'https://chargers.example'
  const page = await show()
  const rail = page.locator('.rail-service')
  for (const [service, chargerBaseUrl, badge, said] of [
    [practice, null, 'Practice', /^Practice\s.*stay on this computer.*Chargers are samples/s],
    [
      practice,
      CHARGERS,
      'Practice (pictures)',
      /^Practice \(pictures\)\s.*they stay on this computer.*Chargers come from chargers\.example/s,
    ],
    [real, null, 'images.example', /sent to images\.example\..*Chargers are samples/s],
    [real, CHARGERS, 'images.example', /sent to images\.example\..*come from chargers\.example/s],
  ] as const) {
    await world.shown.tell({ service, settings: settingsWith({ chargerBaseUrl }) })
    await rail.getByText(badge, { exact: true }).waitFor()
    const text = async () => (await rail.innerText()).replaceAll(/\s+/g, ' ')
    await expect.poll(text).toMatch(said)
    expect(await text()).not.toContain('nothing leaves')
  }
})

itWith(CHROMIUM)(
  'a key that the service in use refuses is named in the rail, and leads to where it is set',
  async () => {
    const hold = { code: 'key_refused' as const, detail: null }
    const page = await show({ service: { ...stateWith().service!, practice: false, hold } })
    await page.locator('.rail-service').getByText('Key refused').click()
    await page.getByRole('heading', { name: 'Image service' }).waitFor()
  },
)

itWith(CHROMIUM)('tooltips follow the keyboard too, describe what they belong to, and go with Escape', async () => {
  const page = await show()
  const tip = page.getByRole('tooltip')
  const folders = page.locator('.rail-place', { hasText: 'Folders' })
  const focused = page.locator('.rail-place:focus', { hasText: 'Folders' })
  for (let presses = 0; presses < 9 && (await focused.count()) === 0; presses++) await page.keyboard.press('Tab')
  await tip.filter({ hasText: 'Folders · ' }).waitFor()
  expect(await folders.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'))
  const [rail, said] = [await folders.boundingBox(), await tip.boundingBox()]
  expect(said!.x).toBeGreaterThanOrEqual(rail!.x + rail!.width)
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
  expect(await folders.getAttribute('aria-describedby')).toBeNull()
})

itWith(CHROMIUM)(
  'the list of shortcuts opens by its sign as keyboards type it, wherever nothing is typed into',
  async () => {
    const page = await show()
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const opensBy = async (keys: string) => {
      await page.keyboard.press(keys)
      await list.waitFor()
      await page.keyboard.press('Escape')
      await list.waitFor({ state: 'detached' })
    }
    for (const keys of ['?', 'Shift+?', 'Shift+Slash', 'F1']) await opensBy(keys)
    for (const key of ['2', '3', '4', ',']) {
      await page.keyboard.press(`Control+${key}`)
      await opensBy('?')
    }
  },
)
