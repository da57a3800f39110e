import type { Page } from 'playwright-core'

interface View {
  name: string
  open(page: Page): Promise<unknown>
}
export const VIEWS: readonly View[]
/** Every picture in sight is drawn, and the map. */
export function isDrawn(page: Page): Promise<void>
