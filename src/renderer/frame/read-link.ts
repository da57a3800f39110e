type PastedLink = { kind: 'here'; hash: string } | { kind: 'elsewhere'; address: string } | { kind: 'none' }

/** Names of this computer, or of a tunnel that ends here: the page never navigates to another host. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Classifies pasted text: a link of `hangar serve` for the address `origin`, one for another port of this computer, or nothing
 * usable. Under another name of this computer another user may be listening, so such a link always goes to 127.0.0.1.
 */
export function readLink(text: string, origin: string): PastedLink {
  const given = text.trim()
  const link = /#link=([\w-]+)$/.exec(given)?.[1]
  if (link === undefined || !URL.canParse(given)) return { kind: 'none' }
  const url = new URL(given)
  if (url.origin === origin) return { kind: 'here', hash: `link=${link}` }
  if (url.protocol !== 'http:' || !LOOPBACK.test(url.hostname) || !origin.startsWith('http:')) return { kind: 'none' }
  url.hostname = '127.0.0.1'
  if (url.origin === origin) return { kind: 'here', hash: `link=${link}` }
  return { kind: 'elsewhere', address: `${url.origin}/#link=${link}` }
}
