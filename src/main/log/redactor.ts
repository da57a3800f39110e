import { encodings, HIDDEN, MIN_SECRET_CHARS } from '../core/hide-secret.ts'

const MAX_TEXT_CHARS = 600
const MAX_SCANNED_CHARS = 4096
const MAX_DEPTH = 4
const MAX_ENTRIES = 20
const STACK_LINES = 8
const SENSITIVE_NAME = /authorization|api[-_]?key|token|secret|password|cookie|credential|^key$/i
const CONTENT_NAME = /^(body|raw|payload|headers|html|bytes|buffer)$/i

interface Redactor {
  /** From now on this text and its usual encodings never come through. */
  hide(secret: string): void
  /** A message: keys hidden, URLs without user and query, paths as base names, at most 600 characters. */
  text(message: string): string
  /** A fact: the same inside, hidden when `name` says that it is a key, left out when it is content. JSON-safe. */
  fact(name: string, value: unknown): unknown
  /** The last look at a finished line: exact secrets only. */
  line(line: string): string
}

export function createRedactor(): Redactor {
  const hidden = new Set<string>()
  let longestFirst: string[] = []

  const line = (text: string): string => longestFirst.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text)
  // Cut before the patterns, which a long text would keep busy.
  const text = (message: string): string =>
    cut(shortenPaths(hideCredentials(line(message).slice(0, MAX_SCANNED_CHARS))))

  const value = (given: unknown, depth: number): unknown => {
    if (given === null || given === undefined || typeof given === 'boolean' || typeof given === 'number') return given
    if (typeof given === 'string') return isPath(given) ? cut(line(baseName(given))) : text(given)
    if (given instanceof Error) return error(given, depth)
    if (given instanceof Date) return given.toJSON()
    if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return `[${given.byteLength} bytes]`
    if (given instanceof Map || given instanceof Set) return `[${given.size} entries]`
    if (typeof given !== 'object') return text(typeof given === 'bigint' ? String(given) : `[${typeof given}]`)
    if (depth >= MAX_DEPTH) return '[…]'
    if (Array.isArray(given)) return given.slice(0, MAX_ENTRIES).map((entry: unknown) => value(entry, depth + 1))
    const entries = Object.entries(given).slice(0, MAX_ENTRIES)
    return Object.fromEntries(entries.map(([name, entry]) => [text(name), named(name, entry, depth + 1)]))
  }

  const named = (name: string, given: unknown, depth: number): unknown => {
    if (SENSITIVE_NAME.test(name) && typeof given !== 'boolean' && typeof given !== 'number') {
      return given === null || given === undefined ? given : HIDDEN
    }
    if (CONTENT_NAME.test(name) && typeof given !== 'number') return '[left out]'
    return value(given, depth)
  }

  const error = (given: Error, depth: number): unknown => {
    const { code, path, dest } = given as NodeJS.ErrnoException & { dest?: string }
    // Paths that the error itself names are known exactly: spaces and quotes in them deceive no pattern.
    const paths = [path, dest].filter((place) => typeof place === 'string' && isPath(place)) as string[]
    const plain = (words: string) => text(paths.reduce((left, place) => left.replaceAll(place, baseName(place)), words))
    const frames = (given.stack ?? '').split('\n').filter((frame) => /^\s+at /.test(frame))
    return {
      name: given.name,
      ...(code === undefined ? {} : { code }),
      message: plain(given.message),
      at: frames.slice(0, STACK_LINES).map((frame) => plain(frame.trim())),
      ...(given.cause === undefined || depth >= MAX_DEPTH ? {} : { cause: value(given.cause, depth + 1) }),
    }
  }

  return {
    hide: (secret) => {
      if (secret.length < MIN_SECRET_CHARS) return
      for (const form of encodings(secret)) hidden.add(form)
      longestFirst = [...hidden].sort((one, other) => other.length - one.length)
    },
    text,
    fact: (name, given) => named(name, given, 0),
    line,
  }
}

function hideCredentials(text: string): string {
  return text
    .replace(
      /\b(https?:\/\/)(?:[^\s/@"']*@)?([^\s?#"']*)([?#][^\s"']*)?/gi,
      (_all, scheme: string, rest: string, query?: string) =>
        query === undefined ? scheme + rest : `${scheme}${rest}?…`,
    )
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${HIDDEN}`)
    .replace(
      /\b((?:proxy-)?authorization|(?:x-)?api[-_]?key|(?:access[-_]?)?token|secret|password|(?:set-)?cookie)(["']?\s*[:=]\s*)(?!bearer|basic)("[^"]*"|'[^']*'|[^\s"',;&}]+)/gi,
      `$1$2${HIDDEN}`,
    )
}

/** A string that is nothing but an absolute path, spaces and all. */
function isPath(text: string): boolean {
  return /^(file:\/\/|\/|[A-Za-z]:[\\/]|\\\\)/.test(text) && !text.includes('\n')
}

function baseName(place: string): string {
  return place.split(/[\\/]/).findLast((part) => part !== '') ?? '/'
}

/** Absolute paths inside a sentence: quoted ones whole, others up to the next space. A URL or `image/png` is no path. */
function shortenPaths(text: string): string {
  return text
    .replace(
      /(["'`])((?:file:\/\/|[A-Za-z]:)?[\\/][^"'`\n]*)\1/g,
      (_all, quote: string, place: string) => quote + baseName(place) + quote,
    )
    .replace(/(?<![\w:/\\.~%-])(?:file:\/\/|[A-Za-z]:)?[\\/][^\s"'`<>|()[\],;]*/g, (place) => baseName(place))
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS)}… (cut)`
}
