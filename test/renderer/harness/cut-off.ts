import { join } from 'node:path'
import type { Page } from 'playwright-core'

// By their paths: they are compiled for a page.
const inPage = (name: string): Promise<unknown> => import(join(import.meta.dirname, 'page', name))
const { findCutOff } = (await inPage('find-cut-off.ts')) as { findCutOff: () => string[] }
const { findUnreachable } = (await inPage('find-unreachable.ts')) as { findUnreachable: (leastPx: number) => string[] }

/** Two lines of a list. */
const LEAST_PX = 88

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

/** What a person cannot scroll to in a low window, in words: controls of the place, or of what lies over it, and lists with no height. */
export const unreachable = (page: Page): Promise<string[]> => page.evaluate(findUnreachable, LEAST_PX)
