/** The page's own scheme is not known to a plain Chromium: it runs at an https address that never leaves the browser. */
const CHROMIUM_ORIGIN = 'https://app.hangar.invalid'
const ELECTRON_ORIGIN = 'hangar://app'

export function toChromium(url: string): string {
  return url.startsWith(ELECTRON_ORIGIN) ? CHROMIUM_ORIGIN + url.slice(ELECTRON_ORIGIN.length) : url
}

export function toElectron(url: string): string {
  const plain = url.startsWith('blob:') ? url.slice('blob:'.length) : url
  const mapped = plain.startsWith(CHROMIUM_ORIGIN) ? ELECTRON_ORIGIN + plain.slice(CHROMIUM_ORIGIN.length) : plain
  return url.startsWith('blob:') ? `blob:${mapped}` : mapped
}
