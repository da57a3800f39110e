import { z } from 'zod'
import type { TextFormat } from '../../shared/contract/texts.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { fromCsvCell } from '../../shared/text/csv-cell.ts'
import { takenText } from '../../shared/text/safe-characters.ts'
import { decodeText, latin1 } from './decode-text.ts'
import type { GivenText, GivenTexts } from './given-text.ts'
import { readCells } from './read-cells.ts'
import { readXliff } from './read-xliff.ts'

/** More columns of texts are not from an export. */
const MAX_COLUMNS = 200

/** A table may have the columns of an export in any order, and others. An empty cell says nothing. Throws `bad_request` for other files. */
export function readTexts(format: TextFormat, bytes: Uint8Array): GivenTexts {
  switch (format) {
    case 'csv':
      return readTable(reading(() => decodeText(bytes, () => languagesOfTable(bytes))))
    case 'json':
      return { texts: readObjects(reading(() => decodeText(bytes))), unread: [] }
    case 'xliff':
      return reading(() => readXliff(decodeText(bytes)))
  }
}

function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) throw unreadable(error.sentence, error)
    throw unreadable(error instanceof Error ? error.message : String(error), error)
  }
}

const unreadable = (why: string | Sentence, cause?: unknown) =>
  new AppError('bad_request', say('import_unreadable', { why: typeof why === 'string' ? raw(why) : why }), { cause })

const PICTURE_COLUMNS = ['file', 'folder', 'sha256']
const TEXT_COLUMN = /^(alt|seo_name)_([a-z][a-z\d_-]{1,18})$/

/** The languages of the columns, in whose letters the rest may be. */
function languagesOfTable(bytes: Uint8Array): string[] {
  const [head = '', next = ''] = latin1(bytes.subarray(0, 20_000))
    .trimStart()
    .split(/[\r\n]+/, 2)
  return [...(/^sep=.$/i.test(head) ? next : head).matchAll(/\b(?:alt|seo_name)_([a-z]{2,3})(?![a-z])/gi)].map(
    ([, code]) => code!.toLowerCase(),
  )
}

/** In which columns the texts of a language stand, and which of them is the first. */
interface TextColumns {
  languageCode: string
  first: number
  alt?: number
  seo_name?: number
}

function readTable(text: string): GivenTexts {
  const { separator, cells } = cellsOf(text)
  const [header = [], ...lines] = cells
  const columns = header.map((name) => name.trim().toLowerCase())
  const languages = new Map<string, TextColumns>()
  for (const [at, name] of columns.entries()) {
    const [, kind, languageCode] = TEXT_COLUMN.exec(name) ?? []
    if (kind === undefined || languageCode === undefined) continue
    languages.set(languageCode, { languageCode, first: at, ...languages.get(languageCode), [kind]: at })
  }
  const twice = columns.find(
    (name, at) => columns.indexOf(name) !== at && (TEXT_COLUMN.test(name) || PICTURE_COLUMNS.includes(name)),
  )
  if (twice !== undefined) throw unreadable(`two columns are called ${twice}`)
  const [file, folder, sha256] = PICTURE_COLUMNS.map((name) => columns.indexOf(name)) as [number, number, number]
  if (file === -1 || languages.size === 0) throw new AppError('bad_request', say('import_no_columns'))
  if (languages.size > MAX_COLUMNS) throw unreadable(`${languages.size} languages`)
  const wanted = [...languages.values()]
  const first = wanted[0]!.first
  const read: GivenTexts = { texts: [], unread: [] }
  for (const [n, row] of lines.entries()) {
    if (row.slice(header.length).some((cell) => cell !== ''))
      throw unreadable(`record ${n + 2} has more cells than the header`)
    // A line may have fewer cells than the header, where the others are empty.
    if (row.length <= first) {
      if (isSeparatedOtherwise(row, separator, first)) read.unread.push(n + 2)
      continue
    }
    const path = pathIn(textIn(row[folder]) ?? '', textIn(row[file]) ?? '')
    // In the order of their first columns.
    const after = wanted.findIndex((language) => language.first >= row.length)
    const texts = (after === -1 ? wanted : wanted.slice(0, after)).flatMap((language) => textsIn(row, language))
    if (path === null && texts.length > 0) read.unread.push(n + 2)
    else if (path !== null)
      for (const text of texts) read.texts.push({ ...text, path, sha256: row[sha256]?.trim().toLowerCase() || null })
  }
  return read
}

/** Whether a line that has no cells for texts has some with another separator. */
const isSeparatedOtherwise = (row: readonly string[], separator: string, first: number): boolean =>
  SEPARATORS.some((other) => other !== separator && row.join(separator).split(other).length > first)

function textsIn(row: readonly string[], { languageCode, alt, seo_name: seo }: TextColumns) {
  const words = (at: number | undefined) => takenText(textIn(at === undefined ? '' : row[at]) ?? '') || null
  const [altText, seoFilename] = [words(alt), words(seo)]
  return altText === null && seoFilename === null ? [] : [{ languageCode, altText, seoFilename }]
}

function pathIn(dir: string, name: string): string | null {
  if (name === '' || dir === '') return name || null
  return `${dir.replace(/[/\\]$/, '')}${dir.includes('\\') && !dir.includes('/') ? '\\' : '/'}${name}`
}

/** Names keep the spaces that they begin or end with. */
const textIn = (cell = ''): string | null => (cell === '' ? null : fromCsvCell(cell))

const SEPARATORS = [',', ';', '\t']

function cellsOf(given: string): { separator: string; cells: string[][] } {
  // Spreadsheets take this line for a hint, and it is no part of the table.
  const [, hint] = /^\s*sep=([,;\t])\r?\n/i.exec(given) ?? []
  const text = hint === undefined ? given.trimStart() : given.slice(given.indexOf('\n') + 1)
  const header = text.slice(0, /[\r\n]|$/.exec(text)?.index)
  // A text may hold any of them.
  const [most = ','] = SEPARATORS.toSorted((a, b) => header.split(b).length - header.split(a).length)
  const separator = hint ?? most
  return { separator, cells: reading(() => readCells(text, separator)) }
}

const Picture = z.object({
  path: z.string().min(1),
  image: z.object({ sha256: z.string().optional() }).nullish(),
  texts: z.array(z.unknown()),
})
const Text = z.object({
  languageCode: z.string().max(20),
  altText: z.string().optional(),
  seoFilename: z.string().optional(),
})

/** Each is checked by itself: a list of all that is wrong with a million of them would take gigabytes. */
function readObjects(text: string): GivenText[] {
  const said = (value = '') => takenText(value) || null
  return checked(z.array(z.unknown()), parsedJson(text), '').flatMap((picture, n) => {
    const { path, image, texts } = checked(Picture, picture, `${n}`)
    return texts.flatMap((one, at) => {
      const { languageCode, altText, seoFilename } = checked(Text, one, `${n}.texts.${at}`)
      const given = {
        path,
        sha256: image?.sha256 ?? null,
        languageCode,
        altText: said(altText),
        seoFilename: said(seoFilename),
      }
      return given.altText === null && given.seoFilename === null ? [] : [given]
    })
  })
}

function checked<Value>(shape: z.ZodType<Value>, value: unknown, at: string): Value {
  const read = shape.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw unreadable(
    `${[at, ...(issue?.path ?? [])].filter((part) => part !== '').join('.')} ${issue?.message ?? ''}`.trim(),
  )
}

function parsedJson(text: string): unknown {
  if (countOpening(text) > MAX_OPENED) throw unreadable(`it has more than ${MAX_OPENED} objects and lists`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(String(error), error)
  }
}

/** Each takes far more memory than the three characters of an empty one, and the time to make and check them adds up. */
const MAX_OPENED = 4_000_000

/** How many objects and lists JSON has at most: brackets in its texts count too. */
function countOpening(text: string): number {
  let count = 0
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) count += 1
  return count
}
