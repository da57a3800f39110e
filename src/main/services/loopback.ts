/**
 * Whether a URL's host name means this computer: `localhost`, 127.0.0.0/8 and ::1, as `URL.hostname` spells them (IPv4 in
 * dotted decimals, IPv6 in brackets). Only there is http:// accepted, and never through a proxy.
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
