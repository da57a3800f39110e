import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Ends the transitions under way: halfway, a button has none of its colours. What goes on for ever stays. */
const COME_TO_REST = `
  for (const animation of document.getAnimations())
    if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish()`

/** What axe finds wrong with the page once nothing moves in it; one line a finding. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated, not loaded: the page's policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  await page.evaluate(COME_TO_REST)
  return page.evaluate(async () => {
    const tool = (globalThis as unknown as { axe: Pick<typeof axeCore, 'run'> }).axe
    const { violations } = await tool.run({ resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
    )
  })
}
