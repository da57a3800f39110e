import { join } from 'node:path'
import type { Page } from 'playwright-core'

// By its path: it is compiled for a page.
const IN_PAGE = join(import.meta.dirname, 'page/find-cut-off.ts')
const { findCutOff } = (await import(IN_PAGE)) as { findCutOff: () => string[] }

/**
 * What a person cannot read or reach at this width, in words: content that reaches past the window, controls that an ancestor
 * cuts, and words that are cut without being told whole elsewhere. Names and paths may be shortened where they are told whole.
 */
export async function cutOff(page: Page): Promise<string[]> {
  let faults = await page.evaluate(findCutOff)
  // What measures itself, such as a chart, follows a frame or two later.
  for (let frame = 0; frame < 60 && faults.length > 0; frame += 1) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    faults = await page.evaluate(findCutOff)
  }
  return faults
}
