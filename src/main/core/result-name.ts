import { isAbsolute, relative, sep } from 'node:path'
import { DATE_PART, namesUse, RESERVED_NAME, templateOf } from '../../shared/recipes/name-template.ts'
import type { TemplatePart, TemplatePiece } from '../../shared/recipes/name-template.ts'
import { SIDECAR_SUFFIX } from '../../shared/jobs/sidecar.ts'
import type { OutputType } from '../../shared/recipes/recipe.ts'
import { scaledSize, variantSize } from '../../shared/recipes/scaled-size.ts'
import {
  BAD_END,
  BAD_START,
  cutToBytes,
  FORBIDDEN,
  IMAGE_EXTENSION,
  MAX_NAME_BYTES,
  composeFileName,
  safeBaseName,
  splitName,
  UNSEEN,
  USUAL_NAME_ROOM,
} from './naming.ts'

/** What the names of a picture's results are made of. Only `seoName` changes between intake and publishing. */
export interface NameFacts {
  /** As in the recipe. */
  naming: string
  /** Base name of the original. */
  sourceName: string
  /** The suggested name (untrusted); null where there is none, and names are then made of the original's; or what stands for one. */
  seoName: string | null | { standsFor: string }
  /** Of the text that `seoName` is from, else the recipe's first. */
  language: string
  /** `YYYY-MM-DDTHH:mm:ss`: when it was taken, else when its file was last changed; local time. */
  date: string | null
  /** Of the picture among those of its folder. */
  number: number | null
  /** In pixels, as shown; null before the picture was looked at. */
  size: { width: number; height: number } | null
  longEdge: number | null
  /** The compressed file takes the original's place, and its name. */
  replaces: boolean
}

/** `width` only of a variant, in pixels. */
export interface NamedResult {
  role: 'optimized' | 'converted' | 'variant'
  width?: number
}

/** The nth that is tried (see `composeFileName`). `room`: how many bytes a name may have there. */
export function resultName(
  facts: NameFacts,
  result: NamedResult & { type: OutputType; n: number; room?: number },
): string {
  const { naming, sourceName, seoName } = facts
  const template = templateOf(naming)
  if (template === null) {
    if (seoName === null || typeof seoName === 'string') return composeFileName({ sourceName, seoName, ...result })
    return composeFileName({ sourceName, seoName: null, stem: () => seoName.standsFor, ...result })
  }
  const { width, ...rest } = result
  // Variants are told apart by their width: it need not be there twice.
  const ofWidth = width === undefined || namesUse(naming, 'width', 'file') ? {} : { width }
  const stem = (maxBytes: number) => expandPart(template.file, facts, result, maxBytes)
  return composeFileName({ sourceName, seoName: null, stem, ...rest, ...ofWidth })
}

/** The folders in the target folder that a result goes into, the outermost first; none without a template that has some. */
export function resultFolders(facts: NameFacts, result: NamedResult, room = USUAL_NAME_ROOM): string[] {
  const template = templateOf(facts.naming)
  if (template === null || (facts.replaces && result.role === 'optimized')) return []
  const maxBytes = Math.min(MAX_NAME_BYTES, room)
  return template.folders.map((part) => asFolder(expandPart(part, facts, result, maxBytes)))
}

/** A folder is not called like a picture or a sidecar, which it would be in the way of. */
function asFolder(name: string): string {
  return name.replace(name.toLowerCase().endsWith(SIDECAR_SUFFIX) ? /\.(?=[^.]+\.[^.]+$)/ : IMAGE_EXTENSION, (end) =>
    end.replace('.', '-'),
  )
}

const NOTHING_LEFT = 'picture'
/** In a date that is not known. */
const NO_DATE = '0000-00-00T00:00:00'

/** A plain name of at most `maxBytes` bytes. Too long a name loses the end of its longest text, so that numbers and dates stay. */
function expandPart(part: TemplatePart, facts: NameFacts, result: NamedResult, maxBytes: number): string {
  const values = part.map((piece) => ({ text: valueOf(piece, facts, result), mayCut: isText(piece) }))
  for (;;) {
    const name = tidy(values.map(({ text }) => text).join(''))
    const excess = Buffer.byteLength(name) - maxBytes
    const longest = values.filter(({ mayCut }) => mayCut).toSorted((a, b) => b.text.length - a.text.length)[0]
    if (excess <= 0) return name
    if (longest === undefined || longest.text === '') return tidy(cutToBytes(name, maxBytes))
    longest.text = cutToBytes(longest.text, Math.max(0, Buffer.byteLength(longest.text) - excess))
  }
}

const isText = (piece: TemplatePiece): boolean =>
  typeof piece !== 'string' && (piece.field === 'name' || piece.field === 'seo')

function valueOf(piece: TemplatePiece, facts: NameFacts, result: NamedResult): string {
  if (typeof piece === 'string') return piece
  switch (piece.field) {
    case 'name':
      return safeValue(splitName(facts.sourceName).stem)
    case 'seo': {
      const { seoName } = facts
      if (seoName !== null && typeof seoName === 'object') return seoName.standsFor
      return (seoName === null ? null : safeBaseName(seoName)) ?? safeValue(splitName(facts.sourceName).stem)
    }
    case 'lang':
      return safeValue(facts.language)
    case 'width':
    case 'height':
      return `${sizeOf(facts, result)?.[piece.field] ?? 0}`
    case 'n':
      return `${facts.number ?? 0}`.padStart(piece.digits, '0')
    case 'date':
      return inFormat(facts.date ?? NO_DATE, piece.format)
  }
}

/** As `images/encode-picture.ts` makes it; of a compressed file the picture's own. */
function sizeOf({ size, longEdge }: NameFacts, { role, width }: NamedResult) {
  if (size === null || role === 'optimized') return size
  const whole = scaledSize(size, longEdge)
  return width === undefined ? whole : variantSize(whole, width)
}

function inFormat(date: string, format: string): string {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = date.split(/[-T:]/)
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(-2),
    MM: month,
    DD: day,
    HH: hour,
    mm: minute,
    ss: second,
  }
  return format.replace(DATE_PART, (part) => parts[part] ?? part)
}

/** A text as part of a name: no separator, nothing that a system forbids, nothing invisible. */
function safeValue(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\t-\r\p{Z}]+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(FORBIDDEN, '-')
    .normalize('NFC')
}

function tidy(text: string): string {
  let name = text
  // One step can create work for another, so they are repeated until nothing changes.
  for (let before = ''; name !== before;) {
    before = name
    name = name.replace(BAD_START, '').replace(BAD_END, '').normalize('NFC')
  }
  if (!/[\p{L}\p{N}\p{S}]/u.test(name)) return NOTHING_LEFT
  return RESERVED_NAME.test(name) ? `_${name}` : name
}

/** How a sidecar in `dir` lists a file there or below: a path with `/`. Null for a file elsewhere. */
export function listedName(dir: string, path: string): string | null {
  const way = relative(dir, path)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null
  return way.split(sep).join('/')
}
