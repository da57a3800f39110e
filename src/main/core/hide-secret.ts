import { UNSEEN } from './naming.ts'

/** Stands where a key was. Nothing with it in it is used as an id or as a name of a file. */
export const HIDDEN = '[key]'

/** Shorter texts would blank ordinary words; no service hands out such keys. */
export const MIN_SECRET_CHARS = 4

/** How many letters and digits a secret needs to be found where its other characters were changed. */
const MIN_SLUG_CHARS = 10

/** The secret itself and its usual encodings, as they are spelled. */
export function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8')
  const bare = bytes.toString('base64').replace(/=+$/, '')
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bare,
    bare.replaceAll('+', '-').replaceAll('/', '_'),
    bytes.toString('hex'),
  ]
}

/** The text without a secret that it repeats: in any case, a usual encoding or base64, as in a file name, or with signs in between. */
export function hideSecret(text: string, secret: string | null): string {
  if (secret === null || secret.length < MIN_SECRET_CHARS) return text
  const { clues, pattern } = patternOf(secret)
  const hide = (given: string): string => {
    // Looking for parts of it first is many times quicker, and answers may be tens of megabytes.
    const lower = given.toLowerCase()
    return clues.some((clue) => lower.includes(clue)) ? given.replace(pattern, HIDDEN) : given
  }
  const hidden = hide(text)
  if (/^[ -~]*$/.test(hidden)) return hidden
  const seen = hidden.replace(UNSEEN, '').normalize('NFC')
  const joined = hide(seen)
  return joined === seen ? hidden : joined
}

/** Nothing in a documented answer is nearly as deep. */
const MAX_DEPTH = 50

/** The same for all texts and names in what JSON was read as; what is too deep is null. */
export function hideInside(value: unknown, secret: string | null, depth = 0): unknown {
  if (typeof value === 'string') return hideSecret(value, secret)
  if (value === null || typeof value !== 'object') return value
  if (depth >= MAX_DEPTH) return null
  if (Array.isArray(value)) return value.map((entry) => hideInside(entry, secret, depth + 1))
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, of]) => [hideSecret(name, secret), hideInside(of, secret, depth + 1)]))
}

let last: { secret: string; clues: string[]; pattern: RegExp } | null = null

function patternOf(secret: string): { clues: string[]; pattern: RegExp } {
  if (last?.secret === secret) return last
  const forms = [...encodings(secret), ...insideBase64(secret)]
  const words = secret.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const isLong = words.join('').length >= MIN_SLUG_CHARS
  const slug = words.join('(?:%[0-9a-f]{2}|[^a-z0-9])*')
  const longestFirst = [...new Set(forms)].toSorted((one, other) => other.length - one.length)
  const all = longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const longest = words.toSorted((one, other) => other.length - one.length)[0] ?? ''
  const clues = [...new Set([...forms, ...(isLong ? [longest] : [])].map((form) => form.toLowerCase()))]
  last = { secret, clues, pattern: new RegExp([...all, ...(isLong ? [slug] : [])].join('|'), 'gi') }
  return last
}

/** What base64 of a longer text has in common wherever the secret begins in it, as in `Basic` and in data addresses. */
function insideBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from(`${'.'.repeat(before)}${secret}`, 'utf8')
    const ofWhole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    const whole = before === 0 ? ofWhole : ofWhole.slice(4)
    return whole.length >= MIN_SLUG_CHARS ? [whole, whole.replaceAll('+', '-').replaceAll('/', '_')] : []
  })
}
