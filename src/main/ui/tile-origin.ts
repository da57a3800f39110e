import type { StreetTiles } from '../../shared/settings.ts'

/** What can stand in a policy: host names may hold a semicolon, which would begin another rule there. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/

/** The one origin beside our own from which a page may take pictures; null while street maps are off. */
export function tileOrigin({ enabled, url }: StreetTiles): string | null {
  if (!enabled) return null
  const filled = url.replace(/\{[zxy]\}/g, '1')
  if (!URL.canParse(filled)) return null
  const { origin } = new URL(filled)
  return PLAIN_ORIGIN.test(origin) ? origin : null
}
