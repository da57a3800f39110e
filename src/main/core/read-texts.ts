import { z } from 'zod'
import type { TextFormat } from '../../shared/contract/texts.ts'
import { MAX_ALT_TEXT_CHARS } from '../../shared/recipes/limits.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { fromCsvCell } from '../../shared/text/csv-cell.ts'
import { decodeText, decodeXml } from './decode-text.ts'
import type { GivenText } from './given-text.ts'
import { readCells } from './read-cells.ts'
import { readXliff } from './read-xliff.ts'

/** More columns of texts are not from an export. */
const MAX_COLUMNS = 200
/** A longer cell is too long with any apostrophes taken off. */
const MAX_CELL_CHARS = 2 * MAX_ALT_TEXT_CHARS + 2

/**
 * The texts in a file. XLIFF is what `readXliff` takes. A table is in UTF-8, UTF-16 or Windows-1252, its cells separated by commas, semicolons or tabs; it has the columns of an
 * export in any order, and others beside them. An empty cell says nothing. Throws `bad_request` for what is no such file.
 */
export function readTexts(format: TextFormat, bytes: Uint8Array): GivenText[] {
  switch (format) {
    case 'csv':
      return readTable(reading(() => decodeText(bytes)))
    case 'json':
      return readObjects(reading(() => decodeText(bytes)))
    case 'xliff':
      return reading(() => readXliff(decodeXml(bytes)))
  }
}

function reading<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error), error)
  }
}

const unreadable = (why: string, cause?: unknown) =>
  new AppError('bad_request', say('import_unreadable', { why: raw(why) }), { cause })

const TEXT_COLUMN = /^(alt|seo_name)_([a-z][a-z\d_-]{1,18})$/

function readTable(text: string): GivenText[] {
  const [header = [], ...lines] = cellsOf(text)
  const columns = header.map((name) => name.trim().toLowerCase())
  const languages = new Map<string, { alt: number; seo_name: number }>()
  for (const [at, name] of columns.entries()) {
    const [, kind, code] = TEXT_COLUMN.exec(name) ?? []
    if (kind === undefined || code === undefined) continue
    languages.set(code, { ...(languages.get(code) ?? { alt: -1, seo_name: -1 }), [kind]: at })
  }
  const [file, folder] = [columns.indexOf('file'), columns.indexOf('folder')]
  if (file === -1 || languages.size === 0) throw new AppError('bad_request', say('import_no_columns'))
  if (languages.size > MAX_COLUMNS) throw unreadable(`${languages.size} languages`)
  const wanted = [...languages]
    .map(([languageCode, { alt, seo_name: seo }]) => {
      const first = Math.min(...[alt, seo].filter((at) => at !== -1))
      return { languageCode, alt, seo, first }
    })
    .toSorted((a, b) => a.first - b.first)
  return lines.flatMap((cells, n) => {
    if (cells.slice(header.length).some((cell) => cell !== ''))
      throw unreadable(`record ${n + 2} has more cells than the header`)
    const name = textIn(cells[file])
    const dir = textIn(cells[folder]) ?? ''
    if (name === null) return []
    const path =
      dir === '' ? name : `${dir.replace(/[/\\]$/, '')}${dir.includes('\\') && !dir.includes('/') ? '\\' : '/'}${name}`
    const texts: GivenText[] = []
    for (const { languageCode, alt, seo, first } of wanted) {
      // A line may have fewer cells than the header.
      if (first >= cells.length) break
      const [altText, seoFilename] = [textIn(cells[alt])?.trim() || null, textIn(cells[seo])?.trim() || null]
      if (altText !== null || seoFilename !== null) texts.push({ path, languageCode, altText, seoFilename })
    }
    return texts
  })
}

/** Names keep the spaces that they begin or end with. */
function textIn(cell = ''): string | null {
  return cell === '' ? null : cell.length > MAX_CELL_CHARS ? cell : fromCsvCell(cell)
}

function cellsOf(given: string): string[][] {
  // Spreadsheets take this line for a hint, and it is no part of the table.
  const [, hint] = /^\s*sep=([,;\t])\r?\n/i.exec(given) ?? []
  const text = hint === undefined ? given.trimStart() : given.slice(given.indexOf('\n') + 1)
  const header = text.slice(0, /[\r\n]|$/.exec(text)?.index)
  // A text may hold any of them.
  const [most = ','] = [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)
  return reading(() => readCells(text.replace(/^\ufeff/, ''), hint ?? most))
}

const Picture = z.object({ path: z.string().min(1), texts: z.array(z.unknown()) })
const Text = z.object({
  languageCode: z.string().max(20),
  altText: z.string().optional(),
  seoFilename: z.string().optional(),
})

/** Each is checked by itself: a list of all that is wrong with a million of them would take gigabytes. */
function readObjects(text: string): GivenText[] {
  const said = (value = '') => value.trim() || null
  return checked(z.array(z.unknown()), parsedJson(text), '').flatMap((picture, n) => {
    const { path, texts } = checked(Picture, picture, `${n}`)
    return texts.flatMap((one, at) => {
      const { languageCode, altText, seoFilename } = checked(Text, one, `${n}.texts.${at}`)
      const given = { path, languageCode, altText: said(altText), seoFilename: said(seoFilename) }
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
    return JSON.parse(text.replace(/^\ufeff/, ''))
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
