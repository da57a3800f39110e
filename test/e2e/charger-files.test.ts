import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import type { PracticeServer } from '../practice/faulty-practice.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { button, visible } from './by-hand.ts'
import { pageOf, record } from './charger-records.ts'
import { beginWithChargers, lines, listOnly, openFilters, startChargerService } from './chargers-by-hand.ts'

const FRIEDRICHSHAFEN = { icao: 'EDNY', airfield: 'Friedrichshafen', lat: 47.6713, lng: 9.5115 }
const RECORDS = [
  record({ id: 1, ...FRIEDRICHSHAFEN }),
  record({ id: 2, ...FRIEDRICHSHAFEN }),
  record({ id: 3, icao: 'LSZR', airfield: 'Altenrhein', lat: 47.485, lng: 9.5607 }),
]

let world: AppWorld
let service: PracticeServer

/** Chooses a file where a press of `open` asks for one. */
async function give(open: () => Promise<unknown>, name: string, text: string | Uint8Array): Promise<void> {
  const asked = world.page.waitForEvent('filechooser')
  await open()
  await (await asked).setFiles({ name, mimeType: '', buffer: Buffer.from(text as string) })
}

async function saved(open: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const asked = world.page.waitForEvent('download')
  await open()
  const file = await asked
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

const item = (name: string | RegExp) => world.page.getByRole('menuitem', { name })

describeWith(WHOLE_APP)('a pilot with files', () => {
  beforeAll(async () => {
    service = await startChargerService()
    await listOnly(service, pageOf(RECORDS))
    world = await openApp()
    await beginWithChargers(world, service)
    await visible(lines(world.page).first())
  })
  afterAll(async () => {
    await world?.close()
    await service?.close()
  })

  test('marks favourites from a file, undoes it, and saves them as a file that marks the same', async () => {
    const { page } = world
    const choose = async () => {
      await button(page, 'More').click()
      await item('Favourites from GPX or CUP…').click()
    }
    await give(choose, 'bad.gpx', '<gpx><wpt')
    await visible(page.getByText(/^bad\.gpx: The file cannot be read/))
    const trip =
      '<gpx><wpt lat="47.67" lon="9.51"><name>EDNY</name><desc>DC. Charger 2</desc></wpt><wpt lat="47.485" lon="9.56"><name>Altenrhein\u202e</name></wpt><wpt lat="1" lon="2"><name>Sea</name></wpt></gpx>'
    await give(choose, 'trip.gpx', trip)
    await visible(page.getByText('2 chargers are favourites now. 1 waypoint has no charger within a mile: Sea'))
    await page.getByRole('button', { name: 'Undo' }).click()
    const filters = await openFilters(page)
    await filters.getByLabel('Favourites').check()
    await visible(page.getByText('No charger matches these filters.'))
    await page.keyboard.press('Escape')
    await give(choose, 'trip.gpx', trip)
    await visible(page.getByText('2 chargers are favourites now.'))
    await expect.poll(() => lines(page).count()).toBe(2)
    for (const label of ['Export: GPX', 'Export: SeeYou']) {
      await button(page, 'More').click()
      const { name, text } = await saved(() => item(label).click())
      await give(choose, name, text)
      await visible(page.getByText('No further favourites in this file.').last())
    }
    await openFilters(page)
    await filters.getByLabel('Favourites').uncheck()
    await page.keyboard.press('Escape')
  })
})
