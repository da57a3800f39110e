/** The views that pictures are taken of, and how a person comes to each from Pictures. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { browseTo, button, dialog, line, place, settingsPage, visible } from '../test/e2e/by-hand.ts'
import { markers, panel, searchField, suggestions } from '../test/e2e/chargers-by-hand.ts'
import { until } from '../test/until.ts'
import { root } from './project.mjs'

const SHOWN = 'DSC_4833.jpg'
/** Several chargers, and other airfields around it. */
const AIRFIELD = 'LSGE'
/** Comes on the map with the whole world. */
const FAR_AWAY = /^FAGM/

/** Pictures as the window opens it. */
export async function comeBack(page) {
  await page.goto(new URL('/', page.url()).href)
  await visible(line(page, 'DSC_4830.jpg'))
  await page.mouse.move(0, 0)
}

/** Every picture in sight is drawn, and the map: a canvas is 300 pixels wide before. */
export async function isDrawn(page) {
  const undrawn = `[...document.images].some(({ complete }) => !complete) ||
    document.querySelector('.leaflet-base-pane canvas')?.width === 300`
  await until('all is drawn', async () => !(await page.evaluate(undrawn)))
}

export const FIRST_VIEW = { name: 'first-start', open: (page) => visible(button(page, 'Connect your account')) }

export const VIEWS = [
  { name: 'jobs', open: allThumbs },
  { name: 'jobs-list', open: showAsList },
  { name: 'jobs-narrow', size: { width: 760, height: 520 }, open: allThumbs },
  { name: 'job-detail', open: openPicture },
  { name: 'jobs-selected', open: selectSome },
  { name: 'drop', open: dragOver },
  { name: 'intake', open: openIntake },
  { name: 'folders', open: (page) => goTo(page, 'Folders', 'Club magazine') },
  { name: 'add-folder', open: addFolder },
  { name: 'recipe', open: editRecipe },
  { name: 'credits', open: (page) => goTo(page, 'Credits', /pictures left/) },
  { name: 'chargers', open: openChargers },
  { name: 'chargers-world', open: openWorld },
  { name: 'chargers-airfield', open: openAirfield },
  { name: 'chargers-route', open: openRoute },
  { name: 'settings', open: openAccount },
  { name: 'palette', open: openPalette },
]

/** Every line in sight has its picture, and the pointer is on none. */
async function allThumbs(page) {
  await page.mouse.move(0, 0)
  const lacks = `[...document.querySelectorAll('.jobs-thumb')].filter(
    (thumb) => thumb.querySelector('img, svg') === null || [...thumb.querySelectorAll('img')].some(({ complete }) => !complete),
  ).length`
  await until('all pictures are there', async () => (await page.evaluate(lacks)) === 0)
}

async function showAsList(page) {
  await button(page, 'Show as list').click()
  await allThumbs(page)
  await page.evaluate("localStorage.removeItem('hangar.jobs.look')")
}

async function openAccount(page) {
  await settingsPage(page, 'Account')
  await visible(page.getByText(/In the keychain since/))
}

async function goTo(page, name, text) {
  await place(page, name).click()
  await visible(page.locator('main').getByText(text))
  await page.mouse.move(0, 0)
}

async function openPicture(page) {
  await line(page, SHOWN).click()
  await visible(page.getByRole('textbox', { name: 'English' }))
  const there = "document.querySelectorAll('.compare-box img.there').length"
  await until('both pictures are there', async () => (await page.evaluate(there)) === 2)
  await page.mouse.move(0, 0)
}

async function selectSome(page) {
  await line(page, 'fly-in-03.jpg').click()
  await page.keyboard.press('Escape')
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('Shift+ArrowRight')
  await allThumbs(page)
}

async function dragOver(page) {
  const base64 = (await readFile(path.join(root, 'resources/samples/club-badge.png'))).toString('base64')
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (let n = 0; n < 12; n += 1)
      transfer.items.add(new File([Uint8Array.fromBase64('${base64}')], n + '.png', { type: 'image/png' }))
    return transfer
  })()`)
  for (const type of ['dragenter', 'dragover'])
    await page.locator('body').dispatchEvent(type, { dataTransfer: transfer })
  await visible(page.getByText(/^Process 12 pictures/))
}

async function openIntake(page) {
  await button(page, 'Add').click()
  await (await visible(page.getByRole('menuitem', { name: 'Choose a folder' }))).click()
  await (await visible(dialog(page).getByRole('option', { name: 'Pictures' }))).dblclick()
  await browseTo(page, 'Holiday')
  await visible(button(page, /^Process \d/))
  await visible(dialog(page).getByText(/credits/))
}

async function addFolder(page) {
  await place(page, 'Folders').click()
  await button(page, 'Watch a folder').click()
  await (await visible(dialog(page).getByRole('option', { name: 'Pictures' }))).dblclick()
  await browseTo(page, 'Holiday')
  await visible(dialog(page).getByText(/credits/))
}

async function editRecipe(page) {
  await settingsPage(page, 'Recipes')
  await (await visible(button(page, 'New recipe'))).click()
  await visible(dialog(page).locator('.recipe-example'))
  await visible(dialog(page).locator('.recipe-cost', { hasText: /credits/ }))
}

async function openChargers(page) {
  await goTo(page, 'Chargers', /Samples, not/)
  await visible(markers(page).first())
}

async function openWorld(page) {
  await openChargers(page)
  await button(page, 'Whole world').click()
  await visible(markers(page).and(button(page, FAR_AWAY)))
  await page.mouse.move(0, 0)
}

/** One of the chargers at an airfield. */
async function openAirfield(page) {
  await openChargers(page)
  await page.keyboard.press('Control+f')
  await searchField(page).fill(AIRFIELD)
  await visible(suggestions(page).filter({ hasText: AIRFIELD }))
  await searchField(page).press('Enter')
  const airfield = await visible(panel(page, new RegExp(`^${AIRFIELD}`)))
  await airfield.getByRole('listitem').first().getByRole('button').click()
  await visible(button(page, 'Route to here'))
  await page.mouse.move(0, 0)
}

/** By its address: over Switzerland, with one stop and a choice of it. */
async function openRoute(page) {
  await openChargers(page)
  const plan = 'range=120&reserve=15&speed=100&energy=50&unknown=1'
  const ends = 'from=47.6713,9.5115,EDNY+Friedrichshafen&to=45.9308,6.1064,LFLP+Annecy-Meythet'
  await page.evaluate(`location.hash = '#/chargers/route?${plan}&${ends}'`)
  await visible(page.locator('.chargers-route-leg'))
  await visible(page.locator('path.chargers-route-line:not([d="M0 0"])'))
  await page.mouse.move(0, 0)
}

async function openPalette(page) {
  await page.keyboard.press('Control+k')
  await (await visible(dialog(page).getByRole('combobox'))).fill('folder')
  await visible(dialog(page).getByRole('option'))
}
