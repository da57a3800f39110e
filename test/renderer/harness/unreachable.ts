import { join } from 'node:path'
import type { Page } from 'playwright-core'

// By its path: it is compiled for a page.
const IN_PAGE = join(import.meta.dirname, 'page/find-unreachable.ts')
const { findUnreachable } = (await import(IN_PAGE)) as { findUnreachable: (leastPx: number) => string[] }

/** Two lines of a list. */
const LEAST_PX = 88

/** What a person cannot scroll to in a low window, in words: controls of the place, or of what lies over it, and lists with no height. */
export const unreachable = (page: Page): Promise<string[]> => page.evaluate(findUnreachable, LEAST_PX)
