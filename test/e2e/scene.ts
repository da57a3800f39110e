import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Folder } from '../../src/shared/contract/folders.ts'
import { DEFAULT_RECIPE, type Recipe } from '../../src/shared/recipes/recipe.ts'
import type { AppWorld } from './app-world.ts'
import { changeSettings, inJournal, untilState } from './journal.ts'
import { letTimePass, writePastMonth } from './scene-history.ts'
import { putMisnamed, putPictures } from './scene-pictures.ts'

/*
 * A window as it looks after a month of use: three watched folders, pictures in most states, a spend that waits for a
 * word, and a history of credits.
 */

const WEB: Recipe = { ...DEFAULT_RECIPE, languages: ['en', 'de', 'fr'] }
const MAGAZINE: Recipe = {
  ...DEFAULT_RECIPE,
  name: 'Club magazine',
  languages: ['de', 'en'],
  format: 'avif',
  naming: 'seo',
}
const TEXTS: Recipe = {
  ...DEFAULT_RECIPE,
  name: 'Alt texts only',
  operation: 'analyze',
  languages: ['en', 'de', 'fr', 'it'],
}
const SHRINK: Recipe = { ...DEFAULT_RECIPE, name: 'Only smaller', operation: 'optimize', minSavingPercent: 5 }

const WEBSITE_PICTURES = [
  'above-the-clouds.jpg',
  'airfield-at-dawn.jpg',
  'airfield-chart.png',
  'charger-at-dusk.jpg',
  'club-badge.png',
  'cockpit-view.webp',
  'red-hangar.jpg',
  'windsock.gif',
  'apron-in-the-evening.jpg',
  'charging-bay-3.jpg',
]
const MAGAZINE_PICTURES = [
  'DSC_4821.jpg',
  'DSC_4822.jpg',
  'Flugplatzfest Übersichtsplan.png',
  'title page – the hangar doors open for the first time in spring.jpg',
]
/** The last of the first pictures, so that it is in sight: in which order the others are taken in is not foreseen. */
const IN_SIGHT = 'red-hangar.jpg'
const FAILS = 'scan-1974.jpg'
const LOST = 'night-landing.jpg'
const MISNAMED = 'invoice.jpg'
const HELD = ['fly-in-01.jpg', 'fly-in-02.jpg', 'fly-in-03.jpg']
const UNDER_WAY = ['cover-draft-a.jpg', 'cover-draft-b.jpg', 'cover-draft-c.jpg']
const LATEST = ['DSC_4830.jpg', 'DSC_4831.jpg', 'DSC_4832.jpg', 'DSC_4833.jpg']

/** In a folder that nothing is done with yet. */
const HOLIDAY = ['IMG_2041.jpg', 'IMG_2042.jpg', 'IMG_2043.jpg', 'IMG_2044.jpg', 'IMG_2045.png']

const NEVER_MS = 3_600_000
/** So that the scene is set fast; a person's own rate is put back before it is shown. */
const FAST = 600

/** Sets the scene in an app that has its service and key already. Restarts it twice; ends on Pictures. */
export async function setScene(world: AppWorld): Promise<void> {
  const website = join(world.pictures, 'Website')
  const magazine = join(world.pictures, 'Club magazine')
  const missing = join(world.pictures, 'Archive on the old drive')
  for (const folder of [website, magazine, missing]) await mkdir(folder, { recursive: true })
  await world.service.control({ type: 'set-limits', requestsPerMinute: 10_000, ipRequestsPerMinute: 10_000 })

  await world.served.stop()
  inJournal(world, (documents, db) => {
    changeSettings(documents, { recipe: WEB, requestsPerMinute: FAST, inboxDir: join(world.pictures, 'Inbox') })
    const recipes = [MAGAZINE, TEXTS, SHRINK]
    for (const [n, recipe] of recipes.entries()) documents.put('recipe', `recipe-${n}`, { id: `recipe-${n}`, recipe })
    const folders = [
      watched('folder-website', website, WEB),
      watched('folder-magazine', magazine, MAGAZINE),
      watched('folder-archive', missing, TEXTS),
    ]
    for (const folder of folders) documents.put('folder', folder.id, folder)
    writePastMonth(db, { folderIds: [folders[0]!.id, folders[1]!.id, null], languages: 3 })
  })
  await rm(missing, { recursive: true })
  const first = WEBSITE_PICTURES.filter((name) => name !== IN_SIGHT)
  await putPictures(website, first)
  await putPictures(magazine, MAGAZINE_PICTURES)
  await putPictures(join(world.pictures, 'Holiday'), HOLIDAY)
  await world.start()
  await untilState(world, 'done', [...first, ...MAGAZINE_PICTURES])
  await putPictures(website, [IN_SIGHT])
  await untilState(world, 'done', [IN_SIGHT])
  await makeTrouble(world, website)

  await world.served.stop()
  const sentToday = WEBSITE_PICTURES.length + 2
  inJournal(world, (documents, db) => {
    const caps = { perDay: null, perMonth: 2000, perFolderPerDay: sentToday }
    changeSettings(documents, { requestsPerMinute: 60, caps })
    letTimePass(db)
  })
  await world.service.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: NEVER_MS } })
  await putPictures(website, HELD)
  await putPictures(magazine, UNDER_WAY)
  await world.start()
  await untilState(world, 'held', HELD)
  await untilState(world, 'waiting', UNDER_WAY)
  await world.service.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 300 } })
  await putPictures(magazine, LATEST)
  await untilState(world, 'done', LATEST)
}

/** One picture that the service fails, one whose answer is lost, one file that is no picture. */
async function makeTrouble(world: AppWorld, folder: string): Promise<void> {
  await world.service.control({ type: 'fail-jobs', next: 1 })
  await putPictures(folder, [FAILS])
  await untilState(world, 'failed', [FAILS])
  const lost = { on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } } as const
  await world.service.control({ type: 'add-weather', rules: [lost] })
  await putPictures(folder, [LOST])
  await untilState(world, 'unknown', [LOST])
  await putMisnamed(folder, MISNAMED)
  await untilState(world, 'failed', [MISNAMED])
}

function watched(id: string, path: string, recipe: Recipe): Folder {
  return {
    id,
    path,
    recipe,
    include: [],
    exclude: ['drafts/'],
    alsoTakes: [],
    paused: false,
    askAbove: 100,
    addedAtMs: Date.now() - 40 * 86_400_000,
  }
}
