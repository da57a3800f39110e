import type { QualifiedTag } from 'sax'
import { ALT_TEXT_UNIT, readFileId, SEO_NAME_UNIT } from '../../shared/presentation/xliff.ts'
import { takenText } from '../../shared/text/safe-characters.ts'
import type { GivenText, GivenTexts } from './given-text.ts'
import { readXml } from './read-xml.ts'

/** XLIFF 2.0 to 2.2 share their core. */
const NAMESPACE = /^urn:oasis:names:tc:xliff:document:2\.\d$/

const NOT_XLIFF = 'not XLIFF 2'

/** A translated segment, or what stands between two. */
interface Part {
  /** Null without a translation. */
  target: string | null
  source: string
  order: number | null
  /** Whether it counts as translated, if it has a target at all. */
  isInitial: boolean
}

/** An element around, with its name; one of another namespace has none. */
interface Open {
  name: string
  keepsSpace: boolean
}

/**
 * The translations in a document as `xliffOf` writes it, after a translator's program worked on it (XLIFF 2.0, sections 4.2 and 4.7). A unit
 * that is not translated whole says nothing. Throws an `Error` that says what is wrong.
 */
export function readXliff(text: string): GivenTexts {
  const reader = new Reader()
  readXml(text, { open: (tag) => reader.open(tag), text: (words) => reader.add(words), close: () => reader.close() })
  if (reader.languageCode === '') throw new Error(NOT_XLIFF)
  if (!reader.hasPath) throw new Error('none of its files says which picture it is about')
  return { texts: reader.texts, unread: [...reader.unread] }
}

/** Goes through a document from tag to tag. */
class Reader {
  readonly texts: GivenText[] = []
  languageCode = ''
  hasPath = false
  /** Files with translations of no picture, from 1. */
  readonly unread = new Set<number>()
  #files = 0
  #path = ''
  #sha256: string | null = null
  #unit = ''
  #parts: Part[] = []
  readonly #open: Open[] = []
  /** Where text goes, and how deep that element is; those inside it are marks. */
  #into: { member: 'source' | 'target'; depth: number } | null = null

  open({ uri, local, attributes }: QualifiedTag): void {
    const value = (name: string) => attributes[name]?.value ?? ''
    const parent = this.#open.at(-1)
    const name = NAMESPACE.test(uri) ? local : ''
    const keepsSpace = (value('xml:space') || (parent?.keepsSpace === true && 'preserve')) === 'preserve'
    this.#open.push({ name, keepsSpace })
    if (parent === undefined) {
      if (name !== 'xliff')
        throw new Error(local === 'xliff' ? `${NOT_XLIFF} but ${value('version')}: save it as XLIFF 2.0` : NOT_XLIFF)
      this.languageCode = value('trgLang').trim().toLowerCase()
      if (this.languageCode === '')
        throw new Error('it has no trgLang, which says what language it was translated into')
    } else if (this.#into !== null) {
      const code = name === 'cp' ? Number.parseInt(value('hex'), 16) : 0
      if (code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) this.add(String.fromCodePoint(code))
    } else if (name === 'file') this.#beginFile(value('original'), readFileId(value('id')))
    else if (name === 'unit') [this.#unit, this.#parts] = [value('id'), []]
    else if (name === 'segment' || name === 'ignorable')
      this.#parts.push({ target: null, source: '', order: null, isInitial: value('state') === 'initial' })
    else if ((name === 'source' || name === 'target') && (parent.name === 'segment' || parent.name === 'ignorable'))
      this.#begin(name, Number(value('order')))
  }

  close(): void {
    const { name, keepsSpace } = this.#open.at(-1)!
    if (this.#into !== null) {
      if (this.#into.depth === this.#open.length) this.#into = null
    } else if (name === 'unit') {
      const words = wordsOf(this.#parts, keepsSpace)
      if (words !== null && this.#unit === ALT_TEXT_UNIT) this.#take('altText', words)
      if (words !== null && this.#unit === SEO_NAME_UNIT) this.#take('seoFilename', words)
    } else if (name === 'file') this.#path = ''
    this.#open.pop()
  }

  add(words: string): void {
    const part = this.#parts.at(-1)
    const into = this.#into
    if (part !== undefined && into !== null) part[into.member] = (part[into.member] ?? '') + words
  }

  #beginFile(original: string, id: ReturnType<typeof readFileId>): void {
    this.#files += 1
    this.#path = original || (id?.path ?? '')
    this.#sha256 = id?.sha256 ?? null
    this.hasPath ||= this.#path !== ''
  }

  #begin(member: 'source' | 'target', order: number): void {
    this.#into = { member, depth: this.#open.length }
    if (member === 'source') return
    const part = this.#parts.at(-1)!
    part.target = ''
    part.order = order || null
  }

  /** Together with what else the file says of the picture, unless that is the same member. */
  #take(member: 'altText' | 'seoFilename', words: string): void {
    const last = this.texts.at(-1)
    const [path, sha256, languageCode] = [this.#path, this.#sha256, this.languageCode]
    if (path === '') this.unread.add(this.#files)
    else if (last?.path === path && last.sha256 === sha256 && last[member] === null) last[member] = words
    else this.texts.push({ path, sha256, languageCode, altText: null, seoFilename: null, [member]: words })
  }
}

/** Null where a segment with words is not translated. What is between segments is the same in both languages if it has no translation. */
function wordsOf(parts: readonly Part[], keepsSpace: boolean): string | null {
  const ordered = parts
    .map((part, n) => ({ ...part, order: part.order ?? n + 1 }))
    .toSorted((a, b) => a.order - b.order)
  const isTranslated = ({ target, source, isInitial }: Part) =>
    source.trim() === '' || (target !== null && !(isInitial && target === source))
  if (!ordered.every(isTranslated)) return null
  const words = ordered.map(({ target, source }) => target ?? source).join('')
  return takenText(keepsSpace ? words : words.replace(/\s+/g, ' ')) || null
}
