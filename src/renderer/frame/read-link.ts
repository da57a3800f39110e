export type PastedLink = { kind: 'here'; hash: string } | { kind: 'elsewhere'; address: string } | { kind: 'none' }

/** Only this computer, or a tunnel that ends here: a page of ours is never left for another host. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** What a pasted text is: the link of `hangar serve` for the address `origin`, one for another port, or nothing usable. */
export function readLink(text: string, origin: string): PastedLink {
  const given = text.trim()
  const link = /#link=([\w-]+)$/.exec(given)?.[1]
  if (link === undefined || !URL.canParse(given)) return { kind: 'none' }
  const url = new URL(given)
  if (url.origin === origin) return { kind: 'here', hash: `link=${link}` }
  const isLocal = url.protocol === 'http:' && LOOPBACK.test(url.hostname)
  return isLocal ? { kind: 'elsewhere', address: `${url.origin}/#link=${link}` } : { kind: 'none' }
}
