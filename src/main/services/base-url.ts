import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** `baseUrl` has no trailing slash; `note` says what was changed about the address a person gave, if anything. */
interface BaseUrl {
  baseUrl: string
  origin: string
  note: string | null
}

const API_PATH = '/api/v1'

/** The image service's base address includes `/api/v1` (image service document, opening); it is added when missing. */
export function imageBaseUrl(text: string): BaseUrl {
  const { origin, path, prefix } = readAddress(text)
  const baseUrl = `${origin}${prefix}${API_PATH}`
  return { baseUrl, origin, note: path === prefix + API_PATH ? null : `The address was completed to ${baseUrl}.` }
}

/** The charger service's base address does not include `/api/v1` (charger document, opening); it is removed when given. */
export function chargerBaseUrl(text: string): BaseUrl {
  const { origin, path, prefix } = readAddress(text)
  const baseUrl = `${origin}${prefix}`
  return {
    baseUrl,
    origin,
    note: path === prefix ? null : `The address was shortened to ${baseUrl}; every call adds ${API_PATH}.`,
  }
}

/** Throws `bad_request` or `address_insecure`; the message never repeats the address, which may hold a password. */
function readAddress(text: string): { origin: string; path: string; prefix: string } {
  const url = parse(text.trim())
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new AppError('bad_request', say('no_address'))
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new AppError('address_insecure', say('address_unencrypted'))
  if (url.username !== '' || url.password !== '') throw new AppError('bad_request', say('address_with_password'))
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw new AppError('bad_request', say('address_with_query'))
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  return { origin: url.origin, path, prefix: withoutApiPath(path) }
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch (cause) {
    throw new AppError('bad_request', say('no_address'), { cause })
  }
}

/** A path that ends in `/api` was meant to end in `/api/v1`. */
function withoutApiPath(path: string): string {
  const prefix = path.replace(/\/api(\/v1)?$/, '')
  if (/\/api\/v\d+(\/|$)/.test(prefix)) throw new AppError('bad_request', say('address_too_long', { path: API_PATH }))
  return prefix
}

/** Whether a URL's host name means this computer. Only there is http:// accepted, and never through a proxy. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
