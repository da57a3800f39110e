import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that a theme alone can break; the others say the same in each. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** Ends the transitions under way: halfway, a button has none of its colours. What goes on for ever stays. */
const COME_TO_REST = `
  for (const animation of document.getAnimations())
    if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()`

/** What axe finds wrong with the page once nothing moves in it; one line a finding. `exclude`: not in these. `rules`: only by these. */
export async function axe(
  page: Page,
  exclude: string[] = [],
  rules: readonly string[] | null = null,
): Promise<string[]> {
  // Evaluated, not loaded: the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  await page.evaluate(COME_TO_REST)
  return page.evaluate(
    async ([left, only]) => {
      const tool = (globalThis as unknown as { axe: Pick<typeof axeCore, 'run'> }).axe
      const { violations } = await tool.run(
        { exclude: left },
        { resultTypes: ['violations'], ...(only === null ? {} : { runOnly: [...only] }) },
      )
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
      )
    },
    [exclude, rules] as const,
  )
}

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 760, height: 520 }
const LOOKS = [
  { size: WIDE, colorScheme: 'light', rules: null },
  { size: WIDE, colorScheme: 'dark', rules: RULES_OF_COLOUR },
  { size: NARROW, colorScheme: 'dark', rules: null },
  { size: NARROW, colorScheme: 'light', rules: RULES_OF_COLOUR },
] as const

/** The findings in each theme, wide and narrow, each with the look that it was found in. Leaves the window wide and light. */
export async function findings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { size, colorScheme, rules } of LOOKS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    for (const finding of await axe(page, [], rules)) found.push(`${size.width} ${colorScheme} ${finding}`)
  }
  await page.setViewportSize(WIDE)
  return found
}
