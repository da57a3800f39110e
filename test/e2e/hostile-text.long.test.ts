import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import type { Folder } from '../../src/shared/contract/folders.ts'
import type { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import { straightText } from '../../src/shared/text/safe-characters.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { ATTACKS } from './attacks.ts'
import { until } from '../until.ts'
import { button, dialog, place, settingsPage, useService, visible } from './by-hand.ts'
import { changeSettings, inJournal, untilState } from './journal.ts'
import { Strikes } from './strikes.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'fi', 'da']
const RECIPE: Recipe = { ...DEFAULT_RECIPE, name: ATTACKS[0]!, operation: 'analyze', languages: LANGUAGES }
const FOLDER_NAME = '<img src=x onerror=struck()> $t(common:close) {{name}}'
const MAX_NAME_BYTES = 200

/** What a file can be called: no separator, and not too long. */
function fileName(attack: string): string {
  const name = attack.replaceAll('/', '\u2215')
  let end = name.length
  while (Buffer.byteLength(name.slice(0, end).toWellFormed()) > MAX_NAME_BYTES) end -= 1
  return `${name.slice(0, end).toWellFormed()}.png`
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** As the page writes what a service said on one line: no controls, nothing that turns it round, at most 500 characters. */
function said(attack: string): string {
  return attack
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500)
}

const NAMES = ATTACKS.map(fileName)
const CHUNKS = Array.from({ length: Math.ceil(ATTACKS.length / LANGUAGES.length) }, (_, n) =>
  ATTACKS.slice(n * LANGUAGES.length, (n + 1) * LANGUAGES.length),
)

/** Small pictures, no two of the same content. */
async function putPicture(folder: string, name: string): Promise<void> {
  const [r, g, b] = createHash('sha256').update(name).digest()
  const background = { r: r!, g: g!, b: b! }
  await writeFile(
    join(folder, name),
    await sharp({ create: { width: 48, height: 32, channels: 3, background } })
      .png()
      .toBuffer(),
  )
}

/** A finished job whose texts, one a language, are these. */
function finished(texts: readonly string[]): object {
  const translations = texts.map((text, n) => ({ language_code: LANGUAGES[n], seo_filename: text, seo_alt_text: text }))
  const image = {
    id: '{job}',
    status: 'completed',
    original_filename: texts[0],
    converted_format: texts[0],
    translations,
  }
  return { data: { job_id: '{job}', status: 'completed', image } }
}

const rule = <On extends string, When extends 'before-work' | 'after-work'>(
  on: On,
  status: number,
  body: unknown,
  when: When,
) => ({ on, times: 1, effect: { kind: 'answer', status, body, when } }) as const

let world: AppWorld
let strikes: Strikes

/** Every attack is a file's name, the reason of a failure, and a text. */
async function suffer(): Promise<void> {
  const folder = join(world.pictures, FOLDER_NAME)
  await mkdir(folder)
  await world.served.stop()
  inJournal(world, (documents) => {
    changeSettings(documents, { recipe: RECIPE, requestsPerMinute: 600 })
    const watched: Folder = {
      id: 'folder',
      path: folder,
      recipe: RECIPE,
      include: [],
      exclude: [],
      alsoTakes: [],
      paused: false,
      askAbove: 100,
      addedAtMs: Date.now(),
    }
    documents.put('folder', watched.id, watched)
  })
  await world.service.control({ type: 'set-limits', requestsPerMinute: 10_000, ipRequestsPerMinute: 10_000 })
  // Not ten alike in a row, which would hold the rest.
  const refusals = ATTACKS.map((text, n) =>
    rule('dispatch', n % 2 === 0 ? 422 : 413, { message: text, errors: { image: [text] } }, 'before-work'),
  )
  await world.service.control({ type: 'add-weather', rules: refusals })
  for (const name of NAMES) await putPicture(folder, name)
  await world.start()
  await untilState(world, 'failed', NAMES)
  const answers = CHUNKS.map((texts) => rule('job', 200, finished(texts), 'after-work'))
  await world.service.control({ type: 'add-weather', rules: answers })
  const described = CHUNKS.map((_, n) => `described-${n}.png`)
  for (const name of described) await putPicture(folder, name)
  await untilState(world, 'done', described)
  await plant(folder)
  await untilState(world, 'skipped', PLANTED_NAMES)
}

/** As a person who sends pictures might: every field of the file, and the words beside it, are an attack. */
const PLANTED = [...CHUNKS, ['W'.repeat(10_000), 'turned \u202e\u2067 round']]
const PLANTED_NAMES = PLANTED.map((_, n) => `planted-${n}.jpg`)
const FIELDS = ['IFD0:Artist', 'IFD0:ImageDescription', 'IFD0:Copyright', 'XMP-dc:Title', 'XMP-dc:Description'].concat(
  'XMP-iptcCore:AltTextAccessibility',
  'IPTC:Headline',
  'IPTC:Caption-Abstract',
  'IPTC:Keywords',
  'IPTC:By-line',
)

async function plant(folder: string): Promise<void> {
  for (const [n, texts] of PLANTED.entries()) {
    const name = PLANTED_NAMES[n]!
    const picture = join(world.dir, name)
    const background = { r: n, g: 200, b: 100 }
    await sharp({ create: { width: 48, height: 32, channels: 3, background } })
      .jpeg()
      .toFile(picture)
    const fields = FIELDS.map((field) => `-${field}=${texts.join(' ')}`)
    execFileSync('exiftool', ['-q', '-q', '-m', '-overwrite_original', ...fields, picture])
    const bytes = await readFile(picture)
    const sidecar: Sidecar = {
      hangar: 1,
      source: {
        name,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        sizeBytes: bytes.length,
      },
      service: { id: new URL(world.service.imageBaseUrl).origin, jobId: texts[0]!.slice(0, 200), imageId: null },
      recipe: {
        operation: 'analyze',
        sent: 'analyze',
        languages: LANGUAGES,
        format: RECIPE.format,
        naming: RECIPE.naming,
        metadata: RECIPE.metadata,
        minSavingPercent: RECIPE.minSavingPercent,
      },
      translations: texts.map((text, at) => ({
        languageCode: LANGUAGES[at]!,
        seoFilename: text.slice(0, 200),
        seoAltText: text,
      })),
      outputs: [],
      notes: [],
      madeAt: '2026-01-01T00:00:00.000Z',
    }
    await writeFile(join(folder, `${name}.alt.json`), JSON.stringify(sidecar))
    await copyFile(picture, join(folder, name))
  }
}

interface Seen {
  label: string
  text: string
  values: string[]
}

interface Box {
  tagName: string
  scrollWidth: number
  clientWidth: number
  ownerDocument: { documentElement: Box }
}

/** What is wider than its box, and would push everything else out of sight. */
const overflowing = (pane: Locator): Promise<string[]> =>
  pane.evaluate((box: Box) =>
    [box, box.ownerDocument.documentElement]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ tagName, scrollWidth, clientWidth }) => `${tagName}: ${scrollWidth} in ${clientWidth}`),
  )

const valuesOf = (fields: Locator): Promise<string[]> =>
  fields.evaluateAll((all: { value: string }[]) => all.map(({ value }) => value))

/** What the stage shows of each job, from the newest to the oldest. */
async function walkPictures(page: Page): Promise<Seen[]> {
  await page.locator('.jobs-line').first().click()
  const pane = page.locator('.stage')
  const seen: Seen[] = []
  const previous = button(page, 'Previous picture')
  const next = button(page, 'Next picture')
  while (!(await previous.isDisabled())) await previous.click()
  for (;;) {
    const history = pane.getByRole('heading', { name: 'History' })
    await button(page, 'Files and history').click()
    await visible(history)
    const info = await pane.innerText()
    await button(page, 'Files and history').click()
    await history.waitFor({ state: 'detached' })
    seen.push({
      label: (await pane.getAttribute('aria-label')) ?? '',
      text: [info, await pane.innerText(), ...(await valuesOf(pane.locator('.alt-text-name input')))].join('\n'),
      values: await valuesOf(pane.locator('textarea')),
    })
    expect(await overflowing(pane), seen.at(-1)!.label).toEqual([])
    if (await next.isDisabled()) return seen
    await next.click()
    await until('the next job is shown', async () => (await pane.getAttribute('aria-label')) !== seen.at(-1)!.label)
  }
}

/** Selects all jobs and has them exported as a page; resolves to its path. */
async function exportPage(page: Page): Promise<string> {
  await page.locator('.jobs-grid').focus()
  await page.keyboard.press('Control+a')
  const download = page.waitForEvent('download')
  await (await visible(button(page, /^Export/))).click()
  await (await visible(page.getByRole('menuitem', { name: 'HTML with alt texts' }))).click()
  const path = join(world.dir, 'export.html')
  await (await download).saveAs(path)
  return path
}

describeWith(WHOLE_APP, programs('exiftool'))('a hostile text is shown and does nothing', () => {
  beforeAll(async () => {
    world = await openApp({ browser: 'light', practice: { jobTime: { kind: 'fixed', ms: 50 }, credits: 100_000 } })
    await useService(world)
    strikes = await Strikes.watch(world.context, (address) =>
      [new URL(world.served.url).origin, pathToFileURL(world.dir).href].some((ours) => address.startsWith(ours)),
    )
    await suffer()
  })
  afterAll(() => world.close())
  afterEach(async () => {
    expect(strikes.take()).toEqual([])
    await world.page.goto(new URL('/', world.page.url()).href)
  })

  test('and a strike would be noticed', async () => {
    const page = await world.context.newPage()
    await page.setContent(
      '<img src=x onerror=struck()><img src="http://attack.invalid/x"><a id=a target=_blank href="/">x</a>',
    )
    const found: string[] = []
    await until('all is noticed', () => {
      found.push(...strikes.take())
      return found.some((what) => what.startsWith('ran')) && found.some((what) => what.startsWith('asked'))
    })
    await page.close()
  })

  test('as the name of a file, as the words of a refusal, as an alt text, and in what lies beside a picture and in it', async () => {
    const { page } = world
    await visible(page.locator('.jobs-line'))
    const seen = await walkPictures(page)
    const labels = new Set(seen.map(({ label }) => label))
    for (const name of [...NAMES, ...PLANTED_NAMES]) expect(labels).toContain(straightText(name))
    const shown = seen.map(({ text }) => text.replaceAll(/\s+/g, ' ')).join('\n')
    for (const attack of ATTACKS) expect(shown).toContain(said(attack))
    const values = new Set(seen.flatMap(({ values }) => values))
    for (const attack of ATTACKS) expect(values).toContain(attack)
  })

  test('in an exported page, and in any page that its markup is pasted into', async () => {
    const { page } = world
    const path = await exportPage(page)
    const shown = await world.context.newPage()
    await shown.goto(pathToFileURL(path).href)
    for (const name of NAMES) await shown.getByRole('heading', { name, exact: true }).first().waitFor()
    const snippets = await shown.locator('pre').allTextContents()
    expect(snippets.length).toBeGreaterThanOrEqual(ATTACKS.length)
    await shown.setContent(`<!doctype html><body>${snippets.join('\n')}</body>`)
    await shown.mouse.move(100, 100)
    const alts = await shown.locator('img').evaluateAll((all: { alt: string }[]) => all.map(({ alt }) => alt))
    for (const attack of ATTACKS) expect(alts).toContain(onOneLine(attack))
    expect(await shown.locator('body *:not(img)').count()).toBe(0)
    await shown.close()
  })

  test('as the name of a language', async () => {
    const { service } = world
    await world.served.stop()
    // The service's list is kept for a day.
    inJournal(world, (documents, db) => {
      db.prepare("DELETE FROM documents WHERE kind = 'languages'").run()
      // One with room for more languages.
      changeSettings(documents, { recipe: { ...RECIPE, languages: ['en'] } })
    })
    const codes = ATTACKS.map((_, n) => `${'qxvj'[Math.floor(n / 26)]}${String.fromCharCode(97 + (n % 26))}`)
    const data = ATTACKS.map((text, n) => ({ code: codes[n], name: text, native_name: `${text} ` }))
    await service.control({
      type: 'add-weather',
      rules: [{ ...rule('languages', 200, { data }, 'before-work'), times: 20 }],
    })
    await world.start()
    await settingsPage(world.page, 'Recipes')
    await (await visible(button(world.page, 'New recipe'))).click()
    await (await visible(dialog(world.page).getByRole('button', { name: /^Languages/ }))).click()
    const listed = world.page.locator('.languages li')
    await expect.poll(() => listed.count()).toBeGreaterThan(codes.length)
    const options = (await listed.allInnerTexts()).join('\n').replaceAll(/\s+/g, ' ')
    const unknown = ATTACKS.filter(
      (_, n) => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(codes[n]!) === undefined,
    )
    expect(unknown.length).toBeGreaterThan(40)
    // A name longer than any language's is left out.
    for (const attack of unknown.filter(({ length }) => length <= 200)) expect(options).toContain(onOneLine(attack))
    await service.control({ type: 'clear-weather' })
  })

  test('as the words of a failure', async () => {
    const { page, service } = world
    await place(page, 'Credits').click()
    for (const attack of ATTACKS) {
      const weather = { ...rule('balance', 422, { message: attack }, 'before-work'), times: 10 }
      await service.control({ type: 'add-weather', rules: [weather] })
      await (await visible(button(page, 'Refresh balance'))).click()
      await visible(page.getByRole('status').getByText(said(attack).slice(0, 40), { exact: false }))
      await service.control({ type: 'clear-weather' })
    }
  })
})
