import { join } from 'node:path'

/** The page's own scheme: a real origin, unlike `file:`, and one that nothing on the network can have. */
export const PAGE_SCHEME = 'hangar'
export const PAGE_HOST = 'app'
export const PAGE_URL = `${PAGE_SCHEME}://${PAGE_HOST}/index.html`

/** Compares the parts of the address, because Node reports the origin of such a scheme as "null". */
export function isPageOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, username, password } = new URL(address)
  return protocol === `${PAGE_SCHEME}:` && host === PAGE_HOST && username === '' && password === ''
}

export function isPage(address: string): boolean {
  if (!isPageOrigin(address)) return false
  return ['/', '/index.html'].includes(new URL(address).pathname)
}
/** The path of a file in `resources`, which is beside `out` in a checkout and in a package alike. */
export function resourcePath(...parts: string[]): string {
  return join(import.meta.dirname, '../../resources', ...parts)
}
