import type { StreetTiles } from '../../shared/settings/settings.ts'

/** Headers that the shells with a page send with every response, besides its type and caching. */
export const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A picture, a download or other data: opened as a document, it can neither run nor load anything. */
export const DATA_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * What the page may load and run: its own files. Trusted Types close the remaining ways from text to script. `blob:`
 * and `data:` are for pictures that the page draws itself. `connect` is an additional origin it may connect to;
 * `tileOrigin` serves the street maps, if switched on.
 */
export function pagePolicy({ connect, tileOrigin }: { connect?: string; tileOrigin: string | null }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${tileOrigin === null ? '' : ` ${tileOrigin}`}`,
    "font-src 'self'",
    `connect-src 'self'${connect === undefined ? '' : ` ${connect}`}`,
    "worker-src 'self' blob:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Origins that are safe in a policy: a host name may contain a semicolon, which would start another directive. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/

/** The one origin besides our own that a page may load pictures from; null while street maps are off. */
export function tileOrigin({ enabled, url }: StreetTiles): string | null {
  if (!enabled) return null
  const filled = url.replace(/\{[zxy]\}/g, '1')
  if (!URL.canParse(filled)) return null
  const { origin } = new URL(filled)
  return PLAIN_ORIGIN.test(origin) ? origin : null
}
