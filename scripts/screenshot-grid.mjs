/** Views of the window in sizes, looks and languages, to be looked at one by one. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { visible } from '../test/e2e/by-hand.ts'
import { isDrawn } from './screenshot-views.mjs'

/** Each place in each width, look and language at least once; not each with each. */
const OF_PLACES = [
  [360, 'light', 'de'],
  [360, 'forced', 'en'],
  [768, 'dark', 'it'],
  [1280, 'light', 'de'],
  [1280, 'forced', 'it'],
  [2560, 'dark', 'en'],
]
const OF_DIALOGS = [
  [360, 'light', 'it'],
  [768, 'forced', 'de'],
  [1280, 'dark', 'de'],
  [2560, 'light', 'en'],
]
const HEIGHTS = { 360: 740, 768: 900, 1280: 800, 2560: 1300 }
const PLACES = ['jobs', 'jobs-list', 'job-detail', 'folders', 'credits', 'chargers', 'chargers-route', 'settings']
const DIALOGS = ['jobs-selected', 'chargers-airfield', 'intake', 'add-folder', 'recipe', 'palette']

/** Whether the grid has this view. */
export const isInGrid = ({ name }) => PLACES.includes(name) || DIALOGS.includes(name)

/** Takes the pictures of a view into `dir`, which stays open meanwhile: a second window changes the language. */
export async function takeGrid(page, { name, open }, dir) {
  await mkdir(dir, { recursive: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  const settings = await page.context().newPage()
  await settings.goto(new URL('/#/settings/appearance', page.url()).href)
  for (const [width, look, language] of PLACES.includes(name) ? OF_PLACES : OF_DIALOGS) {
    await (await visible(settings.locator('select:has(option[value=it])'))).selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor()
    await page.setViewportSize({ width, height: HEIGHTS[width] })
    const isForced = look === 'forced'
    await page.emulateMedia({ colorScheme: isForced ? 'light' : look, forcedColors: isForced ? 'active' : 'none' })
    await isDrawn(page)
    const picture = await page.screenshot({ animations: 'disabled' })
    await writeFile(path.join(dir, `${name}-${width}-${look}-${language}.png`), picture)
  }
  await settings.locator('select:has(option[value=it])').selectOption('system')
  await page.locator('html[lang=en]').waitFor()
  await settings.close()
  await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] })
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
}
