import type { Entry } from '../archive.mjs'
export const DEPENDS: readonly string[]
export function makeDesktopDeb(made: {
  app: { folder: string; version: string; about: string | null }
  system: readonly Entry[]
  target: string
  level?: number | undefined
}): Buffer
