import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page as it is, by its rules of every kind; one line a finding. `exclude`: not in these. */
export async function axe(page: Page, exclude: string[] = []): Promise<string[]> {
  // Evaluated, not loaded: the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  return page.evaluate(async (left) => {
    const tool = (globalThis as unknown as { axe: Pick<typeof axeCore, 'run'> }).axe
    const { violations } = await tool.run({ exclude: left }, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
    )
  }, exclude)
}

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 760, height: 520 }
const LOOKS = [
  { size: WIDE, colorScheme: 'light' },
  { size: WIDE, colorScheme: 'dark' },
  { size: NARROW, colorScheme: 'light' },
  { size: NARROW, colorScheme: 'dark' },
] as const

/** The findings in each theme, wide and narrow, each with the look that it was found in. Leaves the window wide. */
export async function findings(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const { size, colorScheme } of LOOKS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    for (const finding of await axe(page)) found.push(`${size.width} ${colorScheme} ${finding}`)
  }
  await page.setViewportSize(WIDE)
  return found
}
