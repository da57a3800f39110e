import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, dialog, sidecarOf, visible } from './by-hand.ts'

let world: AppWorld
let exported: string

/** Shows the preview of this file, chosen by the Add menu. */
async function choose(path: string) {
  const { page } = world
  await (await visible(button(page, 'Add'))).click()
  const asked = page.waitForEvent('filechooser')
  await (await visible(page.getByRole('menuitem', { name: 'Texts from a file…' }))).click()
  await (await asked).setFiles(path)
}

async function openExport() {
  const { page } = world
  await page.locator('.jobs-grid').focus()
  await page.keyboard.press('Control+a')
  await (await visible(button(page, /^Export/))).click()
  await (await visible(page.getByRole('menuitem', { name: 'Export texts for translators and shops…' }))).click()
  return visible(dialog(page))
}

/** What the page offers for download after this, in a file of this name. */
async function downloaded(act: () => Promise<void>, name: string): Promise<string> {
  const download = world.page.waitForEvent('download')
  await act()
  const file = join(world.dir, name)
  await (await download).saveAs(file)
  return file
}

async function screenshot(name: string): Promise<void> {
  const folder = process.env['HANGAR_E2E_PICTURES']
  if (folder !== undefined) await world.page.screenshot({ path: join(folder, `${name}.png`) })
}

describeWith(WHOLE_APP)('texts out and in', () => {
  beforeAll(async () => {
    world = await openApp({ browser: 'light' })
    const { page } = world
    await (await visible(button(page, 'Try samples'))).click()
    await visible(page.getByText(/^8 pictures · −/))
    await visible(page.locator('.stage'))
    await page.keyboard.press('Escape')
    await page.locator('.jobs-grid').focus()
    await page.keyboard.press('Control+a')
    await (await visible(button(page, /^Export/))).click()
    exported = await downloaded(
      async () => (await visible(page.getByRole('menuitem', { name: /CSV/ }))).click(),
      'export.csv',
    )
  })
  afterAll(() => world?.close())

  test('that a translator sent back are shown, taken into the pictures and their sidecars, and taken back with one undo', async () => {
    const { page, dir } = world
    const [head, first, ...rest] = (await readFile(exported, 'utf8')).split('\r\n')
    const [name, folder] = first!.split(',')
    const path = join(folder!, name!)
    const before = (await sidecarOf(path)).translations[0]!
    const lines = [
      'file,folder,alt_en,alt_sv,alt_jp',
      `${name},${folder},A heron before a hangar,En häger,Aosagi`,
      `nowhere.jpg,${folder},Nothing,,`,
    ]
    const given = join(dir, 'translated.csv')
    await writeFile(given, `${lines.join('\n')}\n`)
    expect(head).toContain('alt_en')
    expect(rest.length).toBeGreaterThan(7)
    await choose(given)
    const shown = await visible(dialog(page))
    await visible(shown.getByText('2 texts would change.'))
    await visible(shown.getByText('1 file is no picture with texts here: nowhere.jpg'))
    await visible(shown.getByText('1 code in the file is not a language, and its texts are left out: jp'))
    await visible(shown.getByText('En häger'))
    await visible(shown.getByText('A heron before a hangar'))
    await screenshot('import')
    await button(page, 'Change 2 texts').click()
    await dialog(page).waitFor({ state: 'detached' })
    const words = async () => (await sidecarOf(path)).translations[0]!.seoAltText
    await until('the sidecar has it', async () => (await words()) === 'A heron before a hangar')
    const codes = async () => (await sidecarOf(path)).translations.map(({ languageCode }) => languageCode)
    expect(await codes()).toContain('sv')
    await page.locator('.jobs-line').filter({ hasText: name! }).first().dblclick()
    await (await visible(page.getByLabel('Swedish', { exact: true }))).scrollIntoViewIfNeeded()
    await visible(page.getByText('Written here: the service has no text in this language.'))
    await screenshot('further-language')
    await (await visible(button(page, 'Undo'))).click()
    await until('the sidecar has the earlier one', async () => (await words()) === before.seoAltText)
    expect(await codes()).not.toContain('sv')
    await page.keyboard.press('Escape')
    await page.locator('.stage').waitFor({ state: 'detached' })
  })

  test('in a language that the service has none in are taken away where they stand, and come back with an undo', async () => {
    const { page, dir } = world
    const [, line] = (await readFile(exported, 'utf8')).split('\r\n')
    const [name, folder] = line!.split(',')
    const given = join(dir, 'finnish.csv')
    await writeFile(given, `file,folder,alt_fi\n${name},${folder},Haikara kiitoradalla\n`)
    await choose(given)
    await button(page, 'Change 1 text').click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.locator('.jobs-line').filter({ hasText: name! }).first().click()
    const field = page.getByLabel('Finnish', { exact: true })
    await visible(field)
    const said = async () =>
      (await sidecarOf(join(folder!, name!))).translations.find(({ languageCode }) => languageCode === 'fi')?.seoAltText
    await until('the sidecar has it', async () => (await said()) === 'Haikara kiitoradalla')
    await button(page, /^Take this text away/).click()
    await field.waitFor({ state: 'detached' })
    await until('the sidecar has it no more', async () => (await said()) === undefined)
    const away = page.locator('.toast').filter({ hasText: 'The text was taken away.' })
    await screenshot('taken-away')
    await away.getByRole('button', { name: 'Undo' }).click()
    await until('the sidecar has it again', async () => (await said()) === 'Haikara kiitoradalla')
    await visible(field)
    await expect.poll(() => field.inputValue()).toBe('Haikara kiitoradalla')
    await page.keyboard.press('Escape')
    await page.locator('.stage').waitFor({ state: 'detached' })
  })

  test('that change nothing, or are none, are said to be so', async () => {
    const { page, dir } = world
    await choose(exported)
    await visible(dialog(page).getByText('0 texts would change.'))
    await screenshot('import-nothing')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    const other = join(dir, 'letter.csv')
    await writeFile(other, 'Dear Sir,\n')
    await choose(other)
    await visible(page.getByText(/letter\.csv: There are no texts in this file/))
  })

  test('go to a translator as XLIFF, and come back', async () => {
    const { page, dir } = world
    const shown = await openExport()
    await expect.poll(() => shown.getByRole('button', { name: 'Export' }).isEnabled()).toBe(true)
    await screenshot('export-xliff')
    const given = await downloaded(() => shown.getByRole('button', { name: 'Export' }).click(), 'texts.xlf')
    const document = await readFile(given, 'utf8')
    expect(document).toContain('srcLang="en"')
    const translated = document
      .replace('srcLang="en"', 'srcLang="en" trgLang="en"')
      .replace('</source></segment>', '</source><target>A stork on a runway</target></segment>')
    await writeFile(join(dir, 'back.xlf'), translated)
    await choose(join(dir, 'back.xlf'))
    await visible(dialog(page).getByText('1 text would change.'))
    await visible(dialog(page).getByText('A stork on a runway'))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('go to a translator into a language that no picture has, also one that the service does not know', async () => {
    const { page } = world
    const shown = await openExport()
    const into = shown.getByLabel('Into')
    await expect.poll(() => into.locator('option').count()).toBeGreaterThan(4)
    await into.selectOption('Another language…')
    await shown.getByLabel('Code of the language').fill('jp')
    await visible(shown.getByText('"jp" is not the code of a language'))
    expect(await shown.getByRole('button', { name: 'Export' }).isEnabled()).toBe(false)
    await screenshot('export-other-language')
    await shown.getByLabel('Code of the language').fill('pt-BR')
    const given = await downloaded(() => shown.getByRole('button', { name: 'Export' }).click(), 'brazilian.xlf')
    expect(await readFile(given, 'utf8')).toContain('trgLang="pt-br"')
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('go to a shop as a table with the addresses of the pictures', async () => {
    const shown = await openExport()
    await shown.getByLabel('For').selectOption('Shopify')
    const address = shown.getByLabel('Web address of the folder')
    await address.fill('cdn.example')
    expect(await shown.getByRole('button', { name: 'Export' }).isEnabled()).toBe(false)
    await address.fill('https://cdn.example/shop')
    await screenshot('export-shop')
    const table = await downloaded(() => shown.getByRole('button', { name: 'Export' }).click(), 'shop.csv')
    const [head, ...lines] = (await readFile(table, 'utf8')).split('\r\n')
    expect(head).toBe('\ufeffHandle,Image Src,Image Alt Text')
    expect(lines.splice(8)).toEqual([''])
    for (const line of lines) expect(line).toMatch(/^[^,]+,https:\/\/cdn\.example\/shop\/[^,]+,./)
  })
})
