import { createReadStream, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { CHROMIUM, itWith } from '../needs.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { pictureMarkup } from '../../src/shared/presentation/markup.ts'
import { detailOf } from '../../src/main/page/job-row.ts'
import { launchChromium } from '../browser.ts'
import { noise } from '../images/pictures.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { RECIPE, runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const WIDTHS = [320, 640]

/** The markup of a job as the window copies it and an export has it. */
function markupOf(job: JobView): string {
  const recipe = { ...job.recipe, output: { kind: 'beside' as const } }
  const nothing = { texts: [], earlier: [], decorative: false, history: [], renames: [], restorable: false }
  return pictureMarkup(detailOf(job, { ...nothing, recipe, present: job.outputs.map(() => true) }), 'en')
}

/** Serves the results and a page with the markup, as a person's own web server would. */
async function site(markup: string): Promise<string> {
  onTestFinished(closeAll)
  const { origin } = await startHttp((request, response) => {
    const name = decodeURIComponent(basename(request.url))
    const file = join(world.pictures, name)
    if (name === '') {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(`<!doctype html><style>body{margin:0}img{max-width:100%;height:auto}</style>${markup}`)
    } else if (existsSync(file)) createReadStream(file).pipe(response)
    else response.writeHead(404).end()
  })
  return origin
}

/** Which file a browser takes at a width of the window and a density of the screen, and how wide it draws it. */
async function taken(browser: Browser, url: string, width: number, density = 1): Promise<[string, number]> {
  const context = await browser.newContext({ viewport: { width, height: 600 }, deviceScaleFactor: density })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'load' })
  const look = `(async (image) => [
    (await image.decode(), image.currentSrc), image.getBoundingClientRect().width,
  ])(document.querySelector('img'))`
  const [address, drawnWidth] = await page.evaluate<[string, number]>(look)
  await context.close()
  return [decodeURIComponent(basename(address)), drawnWidth]
}

async function run(name: string, changes: Partial<Recipe>): Promise<JobView> {
  const engine = await world.engine(world.newDataFolder())
  const recipe = { ...RECIPE, keepLarger: false, widths: WIDTHS, ...changes }
  const [job] = await runToEnd(engine, [join(world.pictures, name)], { recipe })
  return job!
}

itWith(CHROMIUM)(
  'in a browser, the markup of a picture with widths loads the file that suits the window and the screen',
  async () => {
    await writeFile(join(world.pictures, 'my photo, 2.jpg'), await noise(1200, 900).jpeg({ quality: 98 }).toBuffer())
    const url = await site(markupOf(await run('my photo, 2.jpg', { quality: 30 })))
    const browser = await launchChromium('light')
    onTestFinished(() => browser.close())
    expect(await taken(browser, url, 320)).toEqual(['my photo, 2-320w.webp', 320])
    expect(await taken(browser, url, 600)).toEqual(['my photo, 2-640w.webp', 600])
    expect(await taken(browser, url, 320, 2)).toEqual(['my photo, 2-640w.webp', 320])
    expect(await taken(browser, url, 1100)).toEqual(['my photo, 2.webp', 1100])
    // Never drawn wider than it is.
    expect(await taken(browser, url, 2000)).toEqual(['my photo, 2.webp', 1200])
  },
)
