import { join } from 'node:path'
import type { Page } from 'playwright-core'

// By its path: it is compiled for a page.
const IN_PAGE = join(import.meta.dirname, 'page/find-cut-off.ts')
const { findCutOff } = (await import(IN_PAGE)) as { findCutOff: () => string[] }

/**
 * What a person cannot read or reach at this width, in words: content that reaches past the window, controls that an ancestor
 * cuts, and words that are cut without being told whole elsewhere. Names and paths may be shortened where they are told whole.
 */
export const cutOff = (page: Page): Promise<string[]> => page.evaluate(findCutOff)
