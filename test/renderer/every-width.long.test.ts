import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith, itWith } from '../needs.ts'
import { axe } from '../e2e/axe.ts'
import { servedChargers } from '../chargers/served-chargers.ts'
import { LANGUAGES } from '../../src/shared/text/languages.ts'
import { NO_JOBS } from './harness/fake-bridge.ts'
import { someChargers } from './places/chargers/charger-samples.ts'
import { accessibilityTree, unclear } from './harness/accessibility-tree.ts'
import { cutOff, unreachable } from './harness/cut-off.ts'
import { windowForEachTest } from './harness/frame-page.ts'
import { ANSWERS, NOW, STATE } from './harness/long-words.ts'
import { goTo, lookEverywhere, PLACES } from './harness/openings.ts'

/*
 * Every place and what opens in it at five widths, in every language, with names as long as people give them: nothing is cut off, past
 * the edge, or over what is beside it. 320 × 256 pixels are what 1,280 × 1,024 are when enlarged to 400 %.
 */

const WIDTHS = [320, 360, 768, 1280, 2560]
const ENLARGED = { width: 320, height: 256 }

/** The words of each language where there is least room; what does not fit elsewhere shows in the longest words. */
const widthsOf = (locale: string) =>
  locale === 'de' ? WIDTHS : WIDTHS.filter((width) => width === 320 || width === 768)

const world = windowForEachTest()

/** The window with long words in it. */
async function show(locale: string, state: object = {}): Promise<Page> {
  const { page } = await world.show({ ...STATE, ...state }, ANSWERS, { locale })
  const body = await servedChargers(someChargers(NOW))
  await page.route('**/chargers.json*', (route) => route.fulfill({ contentType: 'application/json', body }))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.locator(`html[lang=${locale}]`).waitFor()
  return page
}

const box = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!

async function faultsAt(page: Page, widths: readonly number[], what: string): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : 900 })
    const faults = await cutOff(page)
    if (what === 'jobs') {
      const { width: nameWidth } = await box(page, PLACES[what]!)
      if (nameWidth < 80) faults.push(`a name has ${nameWidth} pixels`)
      const [icon, count] = await Promise.all([box(page, '.rail-place > svg'), box(page, '.rail-count')])
      if (count.y + count.height > icon.y && count.x < icon.x + icon.width) faults.push('a count covers its icon')
    }
    if (what === 'jobs/j1' && width >= 2560) {
      const { width: compared } = await box(page, '.compare-box')
      if (compared < 0.6 * width) faults.push(`compared pictures have ${compared} pixels`)
    }
    found.push(...faults.map((fault) => `${width} ${what}: ${fault}`))
  }
  return found
}

describeWith(CHROMIUM)('nothing is cut off at any width', () => {
  it.each(LANGUAGES)('in any place, nor in what opens in it (%s)', async (locale) => {
    const page = await show(locale)
    const found: string[] = []
    await lookEverywhere(page, async (what) => found.push(...(await faultsAt(page, widthsOf(locale), what))))
    expect(found).toEqual([])
    expect(world.shown.complaints.filter((text) => !text.includes('404'))).toEqual([])
  })

  it.each(LANGUAGES)('before there is anything, nor where one is not signed in (%s)', async (locale) => {
    const page = await show(locale, { counts: NO_JOBS })
    await page.locator('.jobs-empty').waitFor()
    expect(await faultsAt(page, widthsOf(locale), 'empty')).toEqual([])
    const out = await page.context().newPage()
    try {
      await out.route('**/about', (route) => route.fulfill({ json: { instance: 'x' } }))
      await out.route('**/sign-in', (route) => route.fulfill({ status: 401, json: {} }))
      await out.goto(new URL('/', page.url()).href)
      await out.locator('.signed-out-command').waitFor()
      expect(await axe(out)).toEqual([])
      expect(await faultsAt(out, widthsOf(locale), 'sign-in')).toEqual([])
    } finally {
      await out.close()
    }
  })
})

describeWith(CHROMIUM)('axe finds nothing wrong, and each control has a name of its own', () => {
  it.each(['light', 'dark'] as const)('in any place, nor in what opens in it (%s)', async (colorScheme) => {
    const page = await show('de')
    await page.emulateMedia({ colorScheme })
    const found: string[] = []
    await lookEverywhere(page, async (what) => {
      // Each folder on a path here has the same name.
      const controls = unclear(await accessibilityTree(page)).filter((fault) => !fault.includes('> navigation Pfad >'))
      found.push(...[...(await axe(page)), ...controls].map((fault) => `${what}: ${fault}`))
    })
    expect(found).toEqual([])
  })
})

itWith(CHROMIUM)('enlarged to 400 % lists and maps have their height, and every control can be reached', async () => {
  const page = await show('de')
  const found: string[] = []
  await page.setViewportSize(ENLARGED)
  await lookEverywhere(page, async (what) =>
    found.push(...(await unreachable(page)).map((fault) => `${what}: ${fault}`)),
  )
  expect(found).toEqual([])
})

/** In the page: what would move or fade, for as long as it says. */
const MOVING = `[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(element)
  const times = [transitionDuration, ...(animationName === 'none' ? [] : [animationDuration])].join(', ')
  return times.split(', ').some((time) => parseFloat(time) > 0) ? [element.className + ' ' + times] : []
})`

itWith(CHROMIUM)(
  'on a phone with forced colours axe finds nothing wrong, and with reduced motion nothing moves',
  async () => {
    const page = await show('de')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
    for (const place of Object.keys(PLACES)) {
      await goTo(page, place)
      expect(await axe(page), place).toEqual([])
      expect(await page.evaluate(MOVING), place).toEqual([])
    }
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await page.evaluate(MOVING)).not.toEqual([])
  },
)
