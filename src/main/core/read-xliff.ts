import sax from 'sax'
import { ALT_TEXT_UNIT, SEO_NAME_UNIT } from '../../shared/presentation/xliff.ts'
import type { GivenText } from './given-text.ts'

/** XLIFF 2.0 to 2.2 share their core. */
const NAMESPACE = /^urn:oasis:names:tc:xliff:document:2\.\d$/

/** A translated segment, or what stands between two. */
interface Part {
  /** Null without a translation. */
  target: string | null
  source: string
  order: number | null
}

/**
 * The translations in a document as `xliffOf` writes it, after a translator's program worked on it: units may be in several segments, in
 * another order, and with marks inside (XLIFF 2.0, sections 4.2 and 4.7). A unit that is not translated whole says nothing. Throws an `Error` that
 * says what is wrong.
 */
export function readXliff(text: string): GivenText[] {
  const texts: GivenText[] = []
  let languageCode = ''
  let file: GivenText | null = null
  let unit = ''
  let parts: Part[] = []
  /** The elements around, by their names; those of other namespaces have none. */
  const open: string[] = []
  /** Where text goes, and how deep that element is; those inside it are marks. */
  let into: { member: 'source' | 'target'; depth: number } | null = null

  const parser = sax.parser(true, { xmlns: true })
  parser.onerror = (error) => {
    throw new Error(error.message.split('\n')[0])
  }
  parser.ondoctype = () => {
    throw new Error('a document type is not allowed')
  }
  parser.onopentag = ({ uri, local, attributes }) => {
    const value = (name: string) => attributes[name]?.value ?? ''
    const parent = open.at(-1)
    open.push(NAMESPACE.test(uri) ? local : '')
    if (parent === undefined) {
      if (open[0] !== 'xliff') throw new Error('not XLIFF 2')
      languageCode = value('trgLang').toLowerCase().split('-')[0]!
      if (languageCode === '') throw new Error('it has no trgLang, which says what language it was translated into')
    } else if (into !== null) {
      const code = open.at(-1) === 'cp' ? Number.parseInt(value('hex'), 16) : 0
      if (code > 0 && code <= 0x10ffff) add(String.fromCodePoint(code))
    } else {
      const [name] = open.slice(-1)
      if (name === 'file') file = { path: value('original'), languageCode, altText: null, seoFilename: null }
      else if (name === 'unit') [unit, parts] = [value('id'), []]
      else if (name === 'segment' || name === 'ignorable') parts.push({ target: null, source: '', order: null })
      else if ((name === 'source' || name === 'target') && (parent === 'segment' || parent === 'ignorable'))
        begin(name, Number(value('order')))
    }
  }
  const begin = (member: 'source' | 'target', order: number): void => {
    into = { member, depth: open.length }
    if (member === 'source') return
    const part = parts.at(-1)!
    part.target = ''
    part.order = order || null
  }
  parser.onclosetag = () => {
    if (into !== null) {
      if (into.depth === open.length) into = null
    } else if (file !== null && open.at(-1) === 'unit') {
      if (unit === ALT_TEXT_UNIT) file.altText = wordsOf(parts)
      if (unit === SEO_NAME_UNIT) file.seoFilename = wordsOf(parts)
    } else if (file !== null && open.at(-1) === 'file') {
      if (file.path !== '' && (file.altText !== null || file.seoFilename !== null)) texts.push(file)
      file = null
    }
    open.pop()
  }
  const add = (words: string): void => {
    const part = parts.at(-1)
    if (part !== undefined && into !== null) part[into.member] = (part[into.member] ?? '') + words
  }
  parser.ontext = parser.oncdata = add
  parser.write(text.replace(/^\ufeff/, '')).close()
  return texts
}

/** Null where a segment with words is not translated. What is between segments is the same in both languages if it has no translation. */
function wordsOf(parts: readonly Part[]): string | null {
  const ordered = parts
    .map((part, n) => ({ ...part, order: part.order ?? n + 1 }))
    .toSorted((a, b) => a.order - b.order)
  if (ordered.some(({ target, source }) => target === null && source.trim() !== '')) return null
  return (
    ordered
      .map(({ target, source }) => target ?? source)
      .join('')
      .trim() || null
  )
}
