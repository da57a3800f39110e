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
    await visible(shown.getByText('Files that are not pictures with texts here (1): nowhere.jpg'))
    await visible(shown.getByText('Codes that are not languages, whose texts are left out (1): jp'))
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
})
