import type { Page } from 'playwright-core'

interface View {
  name: string
  open(page: Page): Promise<unknown>
}
export const VIEWS: readonly View[]
