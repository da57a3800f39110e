import type { Page } from 'playwright-core'
import { dragOver } from '../../e2e/by-hand.ts'

/** Something that opens in a place or over it: how a person comes to it from there, and what is in it once it has its data. */
interface Opening {
  at: string
  open: (page: Page) => Promise<unknown>
  ready: string
}

const press = (keys: string) => (page: Page) => page.keyboard.press(keys)
const click = (selector: string) => (page: Page) => page.locator(selector).first().click()
const nothing = () => Promise.resolve()

/** Opens whatever is folded in the dialog or the panel, so that it is looked at as well; but not the names of results. */
async function unfold(page: Page): Promise<void> {
  const folded = page.locator(':is(dialog[open], .chargers-panel) details:not([open]) > summary')
  while ((await folded.count()) > 0) await folded.first().click()
}

/** Opens it, and what is folded in it. */
const unfolded = (open: Opening['open'], ready: string): Omit<Opening, 'at'> => ({
  open: async (page) => {
    await open(page)
    await page.locator(ready).first().waitFor({ state: 'attached' })
    await unfold(page)
  },
  ready,
})

async function selectAll(page: Page): Promise<void> {
  await page.locator('.jobs-grid').focus()
  await page.keyboard.press('Control+a')
  await page.locator('.jobs-selection .button:nth-child(4)').waitFor()
}

async function pickFolder(page: Page): Promise<void> {
  await page.locator('.place-actions .button.primary').click()
  await page.locator('.browser-folder').first().waitFor()
}

/** By the menu, which is there at any width. */
async function editFolder(page: Page): Promise<void> {
  await click('.folders-buttons .button:last-child')(page)
  await page.locator('.menu-item').nth(1).click()
}

const dropPicture = async (page: Page) =>
  page.dispatchEvent('.drop', 'drop', { dataTransfer: await dragOver(page, ['a.jpg']) })

/** By selectors, because the words differ with the language. Jobs come last, so that nothing is selected before. */
export const OPENINGS: Readonly<Record<string, Opening>> = {
  'recipe editor': {
    at: 'settings/recipes',
    ...unfolded(click('.recipes-buttons .button:last-child'), '.recipe-example'),
  },
  'new key': {
    at: 'settings/services',
    open: click('.settings-control .settings-buttons .button:nth-child(2)'),
    ready: '.settings-key [type=password]',
  },
  'charger settings': { at: 'settings/chargers', open: nothing, ready: '#settings-chargers [type=radio]' },
  'team ledger': { at: 'settings/team', open: nothing, ready: '#settings-team [type=password]' },
  hooks: { at: 'settings/hooks', open: nothing, ready: '#settings-hooks .mono' },
  'data folder': { at: 'settings/data', open: nothing, ready: '#settings-data .settings-path' },
  'folder browser': { at: 'folders', open: pickFolder, ready: '.browser-folder' },
  'new folder': {
    at: 'folders',
    ...unfolded(async (page) => {
      await pickFolder(page)
      await page.locator('.dialog-foot .button.primary').last().click()
    }, '.folders-outlook .price'),
  },
  'watched folder': { at: 'folders', ...unfolded(editFolder, '.folders-form') },
  'charger detail': { at: 'chargers/1', open: nothing, ready: '.chargers-fold' },
  route: {
    at: 'chargers/route?range=75&from=47.67,9.51,EDNY+Friedrichshafen&to=47.485,9.56,LSZR+Altenrhein',
    ...unfolded(nothing, '.chargers-route-leg'),
  },
  filters: { at: 'chargers', open: click('.chargers-chips > .chip:last-child'), ready: '.chargers-sheet' },
  intake: { at: 'jobs', open: dropPicture, ready: '.intake-names' },
  spend: { at: 'jobs', open: click('.frame-bar:has(.lucide-circle-pause) .button'), ready: '.dialog .price' },
  shortcuts: { at: 'jobs', open: press('?'), ready: '.shortcuts' },
  palette: { at: 'jobs', open: press('Control+k'), ready: '.palette-item' },
  review: { at: 'jobs', open: press('r'), ready: '.stage-foot .primary' },
  'files and history': { at: 'jobs/j1', open: press('i'), ready: '.stage .files' },
  'selection bar': { at: 'jobs', open: selectAll, ready: '.jobs-selection' },
}

/** What is in a place once it has its data. */
export const PLACES: Readonly<Record<string, string>> = {
  jobs: '[data-name=j1] .jobs-name',
  'jobs/j1': '.stage .alt-text',
  folders: '.folders-line',
  credits: '.chart canvas',
  chargers: '.chargers-line',
  settings: '.place-scroll h2',
}

/** Closes what is open, and leaves what was chosen. */
export async function settle(page: Page): Promise<void> {
  for (let open = true; open; open = await page.evaluate("document.querySelector('dialog[open], .popover') !== null"))
    await page.keyboard.press('Escape')
  await page.evaluate("location.hash = '#/credits'")
  await page.locator('.credits').waitFor({ state: 'attached' })
}

/** Without what was open or chosen before. */
export async function goTo(page: Page, at: string): Promise<void> {
  await settle(page)
  await page.evaluate(`location.hash = '#/${at}'`)
  if (at in PLACES) await page.locator(PLACES[at]!).first().waitFor({ state: 'attached' })
}

async function comeTo(page: Page, name: string): Promise<void> {
  const { at, open, ready } = OPENINGS[name]!
  await goTo(page, at)
  await open(page)
  await page.locator(ready).first().waitFor({ state: 'attached' })
}

/** Comes to every place and then to all that opens, and looks there. */
export async function lookEverywhere(page: Page, look: (what: string) => Promise<unknown>): Promise<void> {
  for (const place of Object.keys(PLACES)) {
    await goTo(page, place)
    await look(place)
  }
  for (const name of Object.keys(OPENINGS)) {
    await comeTo(page, name)
    await look(name)
  }
}
