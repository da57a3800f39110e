import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { isLoopbackHost } from './base-url.ts'

/** From where an address can be reached. `none`: not a usable host address, or link-local (cloud metadata). */
type Reach = 'public' | 'private' | 'loopback' | 'none'

const list = (v4: string[], v6: string[]): BlockList => {
  const made = new BlockList()
  const add = (range: string, family: 'ipv4' | 'ipv6') => {
    const [net, bits] = range.split('/') as [string, string]
    made.addSubnet(net, Number(bits), family)
  }
  for (const range of v4) add(range, 'ipv4')
  for (const range of v6) add(range, 'ipv6')
  return made
}

const LOOPBACK = list(['127.0.0.0/8'], ['::1/128'])
/** RFC 1918, RFC 6598, RFC 4193. */
const PRIVATE = list(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'], ['fc00::/7'])
/** IANA's special-purpose registries: this network, link-local, protocol, documentation, benchmarks, multicast, reserved. */
const NONE = list(
  [
    '0.0.0.0/8',
    '169.254.0.0/16',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
)
const GLOBAL_V6 = list([], ['2000::/3'])
const NAT64 = list([], ['64:ff9b::/96'])

/** Of an IP address, as `isIP` accepts it. IPv4 inside IPv6 (mapped, NAT64) counts as that IPv4. */
export function reachOf(address: string): Reach {
  const kind = isIP(address)
  if (kind === 0) return 'none'
  const family = kind === 4 ? 'ipv4' : 'ipv6'
  // Rules for IPv4 match IPv4-mapped IPv6 too (`BlockList.check`).
  if (LOOPBACK.check(address, family)) return 'loopback'
  if (PRIVATE.check(address, family)) return 'private'
  if (NONE.check(address, family)) return 'none'
  if (kind === 4) return 'public'
  const inside = embeddedV4(address)
  if (inside !== null) return reachOf(inside)
  return GLOBAL_V6.check(address, 'ipv6') ? 'public' : 'none'
}

/** The IPv4 of a mapped or NAT64 address: its last 32 bits. */
function embeddedV4(address: string): string | null {
  const isMapped = /^::ffff:/i.test(address)
  if (!isMapped && !NAT64.check(address, 'ipv6')) return null
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const tail = spelled.slice(spelled.lastIndexOf('::') + 2).split(':')
  const [a, b] = ['0', ...tail].slice(-2).map((group) => Number.parseInt(group || '0', 16)) as [number, number]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** The reach of a URL's host: of its address, or of all addresses of its name. */
export async function reachOfHost(hostname: string): Promise<Reach> {
  if (isLoopbackHost(hostname)) return 'loopback'
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return reachOf(address)
  const found = await lookup(hostname, { all: true }).catch(() => [])
  const [first, ...others] = new Set(found.map((entry) => reachOf(entry.address)))
  return first === undefined || others.length > 0 ? 'none' : first
}
