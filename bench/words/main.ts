/**
 * How much there is to read and to press on each screen, at 1200 × 800, and how many clicks lead to what people come for.
 * Run: node bench/words/main.ts [--screens DIR], which also keeps a picture of each screen and what was counted. Needs a build, a
 * browser and a keychain.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { VIEWS } from '../../scripts/screenshot-views.mjs'
import { openApp } from '../../test/e2e/app-world.ts'
import { browseTo, button, dialog, line, place, settingsPage, useService, visible } from '../../test/e2e/by-hand.ts'
import { putPictures } from '../../test/e2e/scene-pictures.ts'

interface Count {
  words: string[]
  controls: string[]
}

const { values } = parseArgs({ options: { screens: { type: 'string' } } })
const rows: string[][] = []
const world = await openApp({ practice: { credits: 2000, seed: 1 }, viewport: { width: 1200, height: 800 } })
const { page, pictures } = world
try {
  await page.addInitScript({ path: join(import.meta.dirname, 'count-screen.js') })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await beforeAnAccount()
  await useService(world)
  await withAnAccount()
  await ofManyPictures()
} finally {
  await world.close()
}
print(['Screen', 'Words', 'Should be', 'Controls', 'Should be'], rows)

async function beforeAnAccount(): Promise<void> {
  const samples = await visible(button(page, 'Try samples'))
  await screen('Pictures, empty', 30, 9)
  const clicksBefore = await clicks()
  await samples.click()
  await visible(page.getByRole('slider'))
  await visible(page.getByRole('textbox', { name: 'English' }))
  const clicked = (await clicks()) - clicksBefore
  rows.push(['Clicks from the start to a finished sample', `${clicked}`, '1', '', ''])
  await page.keyboard.press('Escape')
  await visible(page.getByText(/^8 pictures · −/))
  await screen('Pictures, samples', 80, 20)
  await line(page, 'red-hangar.jpg').click()
  await visible(page.locator('.compare-box img.there'))
  await screen('Pictures with a result open', 90, 20)
  await page.keyboard.press('Escape')
}

async function withAnAccount(): Promise<void> {
  await putPictures(join(pictures, 'Holiday'), ['IMG_2041.jpg', 'IMG_2042.jpg', 'IMG_2043.jpg', 'IMG_2044.jpg'])
  await putPictures(join(pictures, 'One'), ['IMG_2045.png'])
  await preview('One')
  await screen('Preview, 1 picture', 30, 6)
  await page.keyboard.press('Escape')
  await view('recipe', 'Recipe editor', 60, 12)
  await view('add-folder', 'Watch a folder', 50, 6)
  await place(page, 'Credits').click()
  await visible(page.getByRole('heading', { level: 1, name: 'Credits' }))
  await screen('Credits, first day', 40, 8)
  await view('chargers', 'Chargers, markers included', 120, 40)
  await view('chargers-route', 'Route, markers included', 80, 45)
  for (const name of ['General', 'Account', 'Recipes', 'Chargers', 'Advanced']) {
    await settingsPage(page, name)
    await screen(`Settings, ${name}`, 80, 18)
  }
}

/** While they are being processed: a person who looks has some that are done and more that wait. */
async function ofManyPictures(): Promise<void> {
  const harbour = join(pictures, 'harbour')
  await mkdir(harbour)
  for (let n = 1; n <= 200; n += 1) {
    const colour = { r: n, g: 120, b: 255 - n }
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background: colour } })
    await picture.jpeg().toFile(join(harbour, `img_${n}.jpg`))
  }
  await place(page, 'Pictures').click()
  await preview('harbour')
  await screen('Preview, 200 pictures', 30, 6)
  await button(page, /^Process 200/).click()
  await dialog(page).waitFor({ state: 'detached' })
  await visible(line(page, 'img_').filter({ hasText: '%' }))
  await screen('Pictures, 200 under way', 90, 20)
}

/** Of a folder among the pictures. */
async function preview(name: string): Promise<void> {
  await button(page, 'Add').click()
  await (await visible(page.getByRole('menuitem', { name: 'Choose a folder' }))).click()
  await (await visible(dialog(page).getByRole('option', { name: 'Pictures' }))).dblclick()
  await browseTo(page, name)
  await visible(dialog(page).getByText(/credits/))
}

async function view(name: string, title: string, words: number, controls: number): Promise<void> {
  await VIEWS.find((one) => one.name === name)!.open(page)
  await screen(title, words, controls)
  if ((await dialog(page).count()) === 0) return
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
}

async function screen(title: string, words: number, controls: number): Promise<void> {
  await page.mouse.move(0, 0)
  const [seen, whole] = (await page.evaluate('[countScreen(false), countScreen(true)]')) as [Count, Count]
  const both = (what: keyof Count) => {
    const [here, inAll] = [seen[what].length, whole[what].length]
    return inAll > here ? `${here} (${inAll})` : `${here}`
  }
  rows.push([title, both('words'), `${words}`, both('controls'), `${controls}`])
  if (values.screens === undefined) return
  await mkdir(values.screens, { recursive: true })
  const name = join(values.screens, title.replaceAll(/[^\w]+/g, '-'))
  await page.screenshot({ path: `${name}.png` })
  await writeFile(`${name}.txt`, `${seen.words.join(' ')}\n\n${seen.controls.join('\n')}\n`)
}

/** Whatever was clicked, by whatever a person would use. */
async function clicks(): Promise<number> {
  return (await page.evaluate(
    `globalThis.clicks ??= (addEventListener('click', () => (clicks += 1), true), 0)`,
  )) as number
}

function print(head: string[], lines: string[][]): void {
  const widths = head.map((_, n) => Math.max(...[head, ...lines].map((line) => line[n]!.length)))
  const text = (line: string[]) => `| ${line.map((cell, n) => cell.padEnd(widths[n]!)).join(' | ')} |`
  const table = [head, widths.map((width) => '-'.repeat(width)), ...lines].map(text)
  process.stdout.write(`${table.join('\n')}\n`)
}
