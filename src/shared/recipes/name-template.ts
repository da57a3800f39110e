import { say, type Sentence } from '../sentences/sentence.ts'

/* Names of results by a template, as in `web/{date:YYYY-MM}/{seo}`. Without zod, so that the page can check what is typed. */

/** The most characters of a template. */
export const MAX_TEMPLATE_CHARS = 200
/** The most folders that a template can make. */
export const MAX_TEMPLATE_FOLDERS = 4
/** The most bytes of UTF-8 of the fixed text of one part. */
const MAX_PART_BYTES = 120

/** What stands in previews for the name that the service will suggest. */
export const SEO_STAND_IN = '<seo>'

export const TEMPLATE_FIELDS = ['name', 'seo', 'date', 'width', 'height', 'lang', 'n'] as const
export type TemplateField = (typeof TEMPLATE_FIELDS)[number]

/** `format`: of a date, as in `YYYY-MM-DD`. `digits`: the fewest of a number, which is filled with zeros. */
export type TemplatePiece =
  | string
  | { field: Exclude<TemplateField, 'date' | 'n'> }
  | { field: 'date'; format: string }
  | { field: 'n'; digits: number }

/** What one name is made of, in order. */
export type TemplatePart = readonly TemplatePiece[]

interface NameTemplate {
  folders: readonly TemplatePart[]
  /** The name of the file without its suffix (`-optimized`) and extension, which Hangar adds. */
  file: TemplatePart
}

/** `at`: the character that is meant, counted from 1. */
type ParsedTemplate = { ok: true; template: NameTemplate } | { ok: false; at: number; problem: Sentence }

/** The parts of a date, in the order in which a format is searched for them. */
export const DATE_PART = /YYYY|YY|MM|DD|HH|mm|ss/g
const DATE_FORMAT = /^(?:YYYY|YY|MM|DD|HH|mm|ss|[-_., ])+$/
const USUAL_DATE = 'YYYY-MM-DD'

/** Not allowed in a name on Windows or macOS, and what cannot be seen. */
const FORBIDDEN = /[<>:"\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u
/** A dot hides a file, a dash looks like an option, and a tilde is expanded. */
const BAD_START = /^[.\-~\s]/u
const BAD_END = /[.\s]$/u
/** Windows device names, also with superscript digits, blanks before the dot and any extension. */
export const RESERVED_NAME = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i

class Wrong extends Error {
  readonly at: number
  readonly problem: Sentence
  constructor(at: number, problem: Sentence) {
    super('not a template')
    this.at = at
    this.problem = problem
  }
}

/** Reads a template. Where it cannot be used: the first problem, which says what to do. */
export function parseNameTemplate(text: string): ParsedTemplate {
  try {
    return { ok: true, template: read(text) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, at: error.at + 1, problem: error.problem }
    throw error
  }
}

function read(text: string): NameTemplate {
  if (text.trim() === '') throw new Wrong(0, say('template_fixed'))
  if (text.length > MAX_TEMPLATE_CHARS)
    throw new Wrong(MAX_TEMPLATE_CHARS, say('template_long', { most: MAX_TEMPLATE_CHARS }))
  if (/^(?:[/\\~]|[a-z]:)/i.test(text)) throw new Wrong(0, say('template_absolute'))
  const parts = partsOf(text)
  for (const part of parts) check(part)
  if (parts.length - 1 > MAX_TEMPLATE_FOLDERS)
    throw new Wrong(parts[MAX_TEMPLATE_FOLDERS + 1]!.at, say('template_deep', { most: MAX_TEMPLATE_FOLDERS }))
  const pieces = parts.map((part) => part.pieces)
  if (!pieces.flat().some((piece) => typeof piece !== 'string')) throw new Wrong(0, say('template_fixed'))
  return { folders: pieces.slice(0, -1), file: pieces.at(-1)! }
}

interface ReadPart {
  at: number
  pieces: TemplatePiece[]
}

function partsOf(text: string): ReadPart[] {
  const parts: ReadPart[] = [{ at: 0, pieces: [] }]
  const add = (fixed: string) => {
    const { pieces } = parts.at(-1)!
    const before = pieces.at(-1)
    if (typeof before === 'string') pieces[pieces.length - 1] = before + fixed
    else pieces.push(fixed)
  }
  for (let at = 0; at < text.length;) {
    const sign = text[at]!
    if ((sign === '{' || sign === '}') && text[at + 1] === sign) {
      add(sign)
      at += 2
    } else if (sign === '{') {
      const end = text.slice(at + 1).search(/[{}]/) + at + 1
      if (end === at || text[end] !== '}') throw new Wrong(at, say('template_brace', { at: at + 1 }))
      parts.at(-1)!.pieces.push(fieldOf(text.slice(at + 1, end), at))
      at = end + 1
    } else if (sign === '}') throw new Wrong(at, say('template_brace', { at: at + 1 }))
    else {
      if (sign === '/') parts.push({ at: at + 1, pieces: [] })
      else add(sign)
      at += 1
    }
  }
  return parts
}

const HINTS = TEMPLATE_FIELDS.map((field) => `{${field}}`)

function fieldOf(inside: string, at: number): TemplatePiece {
  const colon = inside.indexOf(':')
  const name = colon === -1 ? inside : inside.slice(0, colon)
  const given = colon === -1 ? null : inside.slice(colon + 1)
  if (name === 'date') {
    const format = given ?? USUAL_DATE
    if (!DATE_FORMAT.test(format)) throw new Wrong(at, say('template_date', { at: at + 1 }))
    return { field: 'date', format }
  }
  if (name === 'n') {
    if (given !== null && !/^[1-9]$/.test(given)) throw new Wrong(at, say('template_digits', { at: at + 1 }))
    return { field: 'n', digits: given === null ? 1 : Number(given) }
  }
  const field = TEMPLATE_FIELDS.find((known) => known === name)
  if (field === undefined || given !== null)
    throw new Wrong(at, say('template_field', { field: `{${inside}}`, at: at + 1, fields: HINTS }))
  return { field } as TemplatePiece
}

function check({ at, pieces }: ReadPart): void {
  if (pieces.length === 0) throw new Wrong(at, say('template_part', { at: at + 1 }))
  const fixed = pieces.filter((piece) => typeof piece === 'string')
  const bad = fixed.join('').match(FORBIDDEN)?.[0]
  if (bad !== undefined) throw new Wrong(at, say('template_sign', { sign: /\p{C}/u.test(bad) ? hex(bad) : bad }))
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  const isFixed = pieces.length === 1 && typeof first === 'string'
  if (isFixed && /^\.{1,2}$/.test(first)) throw new Wrong(at, say('template_absolute'))
  if (isFixed && RESERVED_NAME.test(first)) throw new Wrong(at, say('template_reserved', { name: first }))
  const isBad = (typeof first === 'string' && BAD_START.test(first)) || (typeof last === 'string' && BAD_END.test(last))
  if (isBad) throw new Wrong(at, say('template_edge', { at: at + 1 }))
  const bytes = new TextEncoder().encode(fixed.join('')).length
  if (bytes > MAX_PART_BYTES) throw new Wrong(at, say('template_bytes', { bytes, most: MAX_PART_BYTES }))
}

const hex = (sign: string) => `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

/** Whether the results are named by a template. */
export function isTemplate(naming: string): boolean {
  return naming !== 'original' && naming !== 'seo'
}

const parsed = new Map<string, NameTemplate | null>()
const MAX_PARSED = 50

/** The template that names are made by, null for `original` and `seo`. One that cannot be read names results like the original. */
export function templateOf(naming: string): NameTemplate | null {
  if (!isTemplate(naming)) return null
  const known = parsed.get(naming)
  if (known !== undefined) return known
  const made = parseNameTemplate(naming)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(naming, made.ok ? made.template : null)
  return made.ok ? made.template : null
}

/** Whether names depend on this field; `folders` or `file` look at that part only. */
export function namesUse(naming: string, field: TemplateField, where: 'all' | 'folders' | 'file' = 'all'): boolean {
  if (naming === 'seo') return field === 'seo' && where !== 'folders'
  const template = templateOf(naming)
  if (template === null) return field === 'name' && where !== 'folders'
  const pieces = [...(where === 'file' ? [] : template.folders.flat()), ...(where === 'folders' ? [] : template.file)]
  return pieces.some((piece) => typeof piece !== 'string' && piece.field === field)
}
