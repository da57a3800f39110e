import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { noise } from '../images/pictures.ts'
import { servedChargers } from '../chargers/served-chargers.ts'
import { NO_CHARGERS } from '../../src/shared/chargers/charger-status.ts'
import type { UiState } from '../../src/shared/contract/stream.ts'
import { accessibilityTree, inWords, unclear, type Heard } from './harness/accessibility-tree.ts'
import { someChargers } from './places/chargers/charger-samples.ts'
import { NO_JOBS, stateWith } from './harness/fake-bridge.ts'
import { windowForEachTest, type WithShell } from './harness/frame-page.ts'
import { jobDetail, jobRow } from './harness/job-row.ts'

/*
 * What a person who hears the window is led through in each place: the tree that Chromium gives to a screen reader, beside lists
 * that were written by hand from what has to be there, in this order. What differs is either a fault of the window, or a new thing
 * that belongs on its list.
 */

const NOW = Date.now()
const HOUR_MS = 3_600_000
const NAME = 'z_0006-long-name-of-a-hangar.jpg'
const OUTPUT = 'z_0006-long-name-of-a-hangar-optimized.jpg'
const FOLDER_NAME = 'Jahreshauptversammlung'

const ROWS = [
  jobRow('j1', {
    name: NAME,
    dir: `/home/ada/${FOLDER_NAME}`,
    review: 'needed',
    notes: 1,
    note: { code: 'gain_map_lost', detail: 'both' },
    languages: ['en', 'de'],
    updatedAtMs: NOW - 2 * HOUR_MS,
  }),
  jobRow('j2', {
    name: 'short.jpg',
    state: 'held',
    reason: { code: 'spend_guard', detail: null },
    nextSteps: ['confirm_spend', 'cancel'],
    optimizedBytes: null,
    convertedBytes: null,
    languages: [],
    updatedAtMs: NOW - HOUR_MS,
  }),
]

const DETAIL = jobDetail(ROWS[0]!, {
  texts: ['en', 'de'].map((languageCode) => ({
    languageCode,
    seoFilename: 'red-hangar',
    originalName: null,
    altText: 'A red hangar',
    original: null,
  })),
  image: { sha256: 'a'.repeat(64), type: 'jpeg', width: 40, height: 30, animated: false },
  outputs: [
    {
      index: 0,
      role: 'optimized',
      name: OUTPUT,
      path: `/home/ada/${FOLDER_NAME}/${OUTPUT}`,
      sizeBytes: 400,
      type: 'jpeg',
      state: 'published',
    },
  ],
  history: [{ atMs: NOW - 2 * HOUR_MS, event: 'found', state: 'ready', reason: null }],
})

const STATE: Partial<UiState> = {
  app: { ...stateWith().app, capabilities: ['reveal', 'download', 'upload', 'browse'] },
  counts: { ...NO_JOBS, done: 1, held: 1 },
  needsReview: 1,
  chargers: {
    status: { ...NO_CHARGERS, version: 7, atMs: NOW - 180_000, count: 5, sample: true },
    favourites: [3],
  },
}

const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: '/club', folderId: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'jobs.detail': DETAIL,
}

const world = windowForEachTest()

async function show(look: { alone?: boolean } = {}): Promise<Page> {
  const { page } = await world.show(STATE, ANSWERS, look)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const body = await servedChargers(someChargers(NOW))
  await page.route('**/chargers.json*', (route) => route.fulfill({ contentType: 'application/json', body }))
  return page
}

const go = (page: Page, address: string) => page.evaluate(`location.hash = '#/${address}'`)

/** The lines of a list, without what only orders it on paper. */
const listed = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What is heard from the first thing of this role and name on. */
function from(heard: readonly Heard[], role: string, name: string): Heard[] {
  const at = heard.findIndex((one) => one.role === role && one.name === name)
  expect(at, `${role} ${name} in ${heard.map(inWords).join('\n')}`).toBeGreaterThanOrEqual(0)
  return heard.slice(at)
}

async function expectHeard(page: Page, start: readonly [role: string, name: string], list: string): Promise<void> {
  await expect.poll(async () => from(await accessibilityTree(page), ...start).map(inWords)).toEqual(listed(list))
  expect(unclear(await accessibilityTree(page))).toEqual([])
}

// By its path: it is compiled for a page.
const IN_PAGE = join(import.meta.dirname, 'harness/page/hear-changes.ts')
const { hearChanges } = (await import(IN_PAGE)) as { hearChanges: () => void }

const STEPS = 100

/** Runs in the page: ten changes, of a thousand. */
function changeMuch({ step, counts, progress, row }: { step: number; counts: object; progress: object; row: object }) {
  const { shell } = globalThis as WithShell
  for (let n = step * 10 + 1; n <= (step + 1) * 10; n += 1) {
    shell.tell({
      counts: { ...counts, done: n, held: 1000 - n },
      progress: { ...progress, total: 1000, ended: n, done: n },
      confirmations: [{ batchId: 'b1', kind: 'run', folderId: null, held: 1000 - n, detail: null, confirmable: true }],
    })
    shell.changeJobs({ rows: [{ ...row, sizeBytes: n }] })
  }
}

describeWith(CHROMIUM)('a person who hears the window', () => {
  it('finds their way around it', async () => {
    const page = await show()
    const frame = async () => {
      const heard = await accessibilityTree(page)
      return heard.slice(0, heard.findIndex(({ role }) => role === 'main') + 1)
    }
    await expect
      .poll(async () => (await frame()).map(inWords))
      .toEqual(
        listed(`
        button Skip to the content
        navigation Places
          link Pictures 1 picture needs you
          link Folders
          link Credits
          link Chargers
          link Settings
          button Practice Pictures go to the practice service: they stay on this computer, and nothing is charged. Chargers are samples of the practice service, not for navigation.
          button 1,240 credits
          button Pause
        main
      `),
      )
    expect(unclear(await accessibilityTree(page))).toEqual([])
  })

  it('finds the jobs in groups, each picture with what became of it', async () => {
    const page = await show()
    await expectHeard(
      page,
      ['heading', 'Pictures'],
      `
      heading Pictures (level 1)
      searchbox Search names and folders
      slider Size of the pictures
      button Show as list
      button Add
      group Show only
        button All 2 (pressed)
        button Needs you 1
        button To review 1
        button By state
      progressbar Progress
      button Newest first
      grid Pictures · Newest first
        row
          rowheader club 2 pictures (expanded)
          gridcell More: club
            button More: club
        row
          gridcell ${NAME} Done 1 kB before, 400 bytes after: −60%
            link ${NAME}
          gridcell short.jpg Held Needs your OK
            link short.jpg
    `,
    )
  })

  it('finds all about a picture, each control by a name of its own', async () => {
    const page = await show()
    const body = await noise(40, 30).png().toBuffer()
    await page.route('**/picture/j1/**', (route) => route.fulfill({ contentType: 'image/png', body }))
    await go(page, 'jobs/j1')
    await page.getByRole('textbox').first().waitFor()
    await expectHeard(
      page,
      ['region', NAME],
      `
      region ${NAME}
        button Back to the list
        heading ${NAME} (level 1)
        button Previous picture (disabled)
        button Next picture
        button More actions
        button Files and history
        figure Before and after
          image Compressed
          image Original
          slider Divider between before and after
          radiogroup Show
            radio Original 1 kB
            radio Compressed 400 bytes −60% (checked)
            radio Converted 300 bytes −70%
          button Reduce (disabled)
          button 100%
          button Enlarge
        heading Alt text (level 2)
        checkbox Decorative
        button Copy the alt text: English
        textbox English
        group English
          textbox SEO file name
          button Copy the file name
        button Copy the alt text: German
        textbox German
        group German
          textbox SEO file name
          button Copy the file name
        button Approve
        button Copy HTML: English
    `,
    )
    await page.keyboard.press('i')
    await expectHeard(
      page,
      ['group', 'Files and history'],
      `
      group Files and history
        heading Files (level 2)
        button Show in folder: ${NAME}
        link Download: ${NAME}
        button Copy the path: ${NAME}
        button Show in folder: ${OUTPUT}
        link Download: ${OUTPUT}
        button Copy the path: ${OUTPUT}
        heading How it was done (level 2)
        heading History (level 2)
    `,
    )
  })

  it('finds the chargers in a list, and on the map by their names', async () => {
    const page = await show()
    await go(page, 'chargers')
    await page.locator('.chargers-line').first().waitFor()
    await page.locator('.chargers-marker button').first().waitFor()
    await expectHeard(
      page,
      ['heading', 'Chargers'],
      `
      heading Chargers (level 1)
      button Route
      button More
      combobox ICAO or airfield
      group Filters
        button My aircraft
        button Free now
        button DC
        button Filters
      complementary Chargers
        combobox Sort by
        listbox Chargers
          option EDNY Friedrichshafen 4.2 NM 40 kW · Available
          option EDNY Friedrichshafen 4.2 NM 22 kW · Error
          option LSZR Altenrhein Favourite 7.3 NM 320 kW · Probably occupied · not live
          option NZAA Auckland <b> 9,899 NM 40 kW · Charging
          option Nowhere no position 40 kW · Unknown
      region Map
        application Map of chargers. Arrow keys move it, plus and minus zoom; the list has the same chargers.
          group Markers on the map. Arrow keys go from one to the next.
            button EDNY Friedrichshafen: 2 chargers, 1 free, 40 kW, 1 out of order
            button LSZR Altenrhein: Probably occupied · not live, 320 kW, favourite
        group Map controls
          button Zoom in
          button Zoom out
          button Whole world
    `,
    )
  })

  it('hears little of itself while much changes', async () => {
    const page = await show({ alone: true })
    await page.getByText('short.jpg').waitFor()
    const { counts, progress } = stateWith()
    const heard = () => page.evaluate<string[]>('spoken')
    // An installed clock goes on by itself until it is stopped, which is possible at a later time only.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 120_000)
    await page.evaluate(hearChanges)
    // Five seconds by the page's clock, however long they take.
    for (let step = 0; step < STEPS; step += 1) {
      await page.evaluate(changeMuch, { step, counts, progress, row: ROWS[0]! })
      await page.clock.runFor(5000 / STEPS)
    }
    await expect.poll(heard).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+ of 1,000 finished$/)]))
    await expect.poll(heard).toEqual(expect.arrayContaining([expect.stringMatching(/pictures? needs? your OK/)]))
    expect(await heard()).toHaveLength(2)
  })
})
