import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `src/shared/text`, where each folder is a language. */
export const TEXT_DIR = join(import.meta.dirname, '../../../src/shared/text')

/** A catalogue's texts by key, with dots between the names of groups: `menu.quit`. */
export type Texts = ReadonlyMap<string, string>

/** The catalogues of the language whose folder this is, by name. */
export function readCatalogues(dir: string): Map<string, Texts> {
  return new Map(
    readdirSync(dir).map((file) => [
      file.replace(/\.json$/, ''),
      new Map(textsIn(JSON.parse(readFileSync(join(dir, file), 'utf8')))),
    ]),
  )
}

export function textsIn(tree: unknown, before = ''): [key: string, text: string][] {
  if (typeof tree === 'string') return [[before, tree]]
  return Object.entries(tree as object).flatMap(([name, inner]) =>
    textsIn(inner, before === '' ? name : `${before}.${name}`),
  )
}

const PLURAL = /_(zero|one|two|few|many|other)$/
/** The key without the ending that a count chooses. */
export const singular = (key: string) => key.replace(PLURAL, '')

/** What is wrong with a language's catalogues, and where. `source` are the English ones; plurals go by the tag `language`. */
export function faultsOf(
  language: string,
  catalogues: ReadonlyMap<string, Texts>,
  source: ReadonlyMap<string, Texts>,
): string[] {
  const faults: string[] = []
  for (const name of catalogues.keys()) if (!source.has(name)) faults.push(`${name}: English has no such catalogue`)
  for (const [name, english] of source) {
    const texts = catalogues.get(name) ?? new Map<string, string>()
    const wanted = wantedKeys(english, language)
    for (const key of wanted.keys()) if (!texts.has(key)) faults.push(`${name}:${key} is missing`)
    for (const [key, text] of texts) {
      const model = wanted.get(key)
      if (model === undefined) faults.push(`${name}:${key} is not needed`)
      else faults.push(...faultsIn(text, model, key.endsWith('_one')).map((fault) => `${name}:${key} ${fault}`))
    }
  }
  return faults
}

/** The keys that a language needs, each with its English text; a plural that no number below a million has reads as `_other`. */
function wantedKeys(english: Texts, language: string): Map<string, string> {
  const plurals = new Intl.PluralRules(language)
  const endings = [...new Set(['other', ...Array.from({ length: 1000 }, (_, count) => plurals.select(count))])]
  return new Map(
    [...english].flatMap(([key, text]): [string, string][] => {
      if (!isCounted(key, english) || key.endsWith('_zero')) return [[key, text]]
      return endings.map((ending) => [`${singular(key)}_${ending}`, english.get(`${singular(key)}_other`)!])
    }),
  )
}

/** `network_other` is a code and counts nothing: it stands alone. */
function isCounted(key: string, english: Texts): boolean {
  return singular(key) !== key && ['one', 'other'].every((ending) => english.has(`${singular(key)}_${ending}`))
}

/** A text for one thing may say "one", and leave out what there is only of several. */
function faultsIn(text: string, model: string, isForOne: boolean): string[] {
  const faults: string[] = []
  if ((text === '') !== (model === '')) faults.push(text === '' ? 'is empty' : 'is to be empty')
  const [places, wanted] = [placesIn(text), placesIn(model)]
  if (places.some((place) => !wanted.includes(place)) || (!isForOne && places.join() !== wanted.join()))
    faults.push(`has other places than “${model}”`)
  if (/\{\{(?!\w+\}\})|(?<!\{\{\w+)\}\}|\$t\(/.test(text)) faults.push('has a broken place')
  if (/<\/?[a-z]|&\w+;/i.test(text) && !/<\/?[a-z]|&\w+;/i.test(model)) faults.push('has markup')
  if (/!/.test(text) && !model.includes('!')) faults.push('shouts')
  if (/^\s|\s$|\s{2}/.test(text) && !/^\s|\s$/.test(model)) faults.push('has stray space')
  return faults
}

const placesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, place]) => place!).sort()

/** How a language writes, as far as a test can say: its quotation marks, and words that are wrong in it. */
interface Manners {
  language: string
  quotes: string[]
  avoided: string[]
}

/** The manners of a language, from the tables of `docs/translating.md`; null while those do not have it. */
export function mannersOf(language: string, guide: string): Manners | null {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language)!
  const cellsOf = (line: string) => Array.from(line.split('|').slice(1, -1), (cell) => cell.trim())
  const lines = guide.split('\n').filter((line) => line.startsWith('|'))
  const rows = lines.map(cellsOf)
  const column = rows.find(([first]) => first === 'English')!.indexOf(name)
  if (column < 0) return null
  const marks = rows.find(([first]) => first === 'quotation marks')![column]!
  const avoided = rows.slice(rows.findIndex(([, second]) => second === 'Not') + 2)
  return {
    language,
    quotes: (column === 0 ? '“…” "' : marks).match(MARKS)!,
    avoided: avoided.filter(([of]) => of === name).flatMap(([, words]) => words!.split(', ')),
  }
}

const MARKS = /[«»“”„"]/g

/** Where a language's catalogues break its manners. */
export function mannersFaultsOf(
  { language, quotes, avoided }: Manners,
  catalogues: ReadonlyMap<string, Texts>,
): string[] {
  const spacesPercent = /\s/.test(new Intl.NumberFormat(language, { style: 'percent' }).format(1))
  const faultsIn = (text: string): string[] => {
    const faults = avoided.filter((word) => has(text, word)).map((word) => `has “${word}”`)
    if (text.match(MARKS)?.some((mark) => !quotes.includes(mark))) faults.push('has marks of another language')
    if ((spacesPercent ? /(?<!\u00a0)%/ : /\s%/).test(text)) faults.push('has the wrong space before %')
    if (language !== 'fr') return faults
    if (/(?<!\u202f|«\u00a0)[;?!]/.test(text)) faults.push('has no narrow space before ; ? !')
    if (/(?<!\u00a0)»|«(?!\u00a0)|[ \u202f]:/.test(text)) faults.push('has no fixed space before : » or after «')
    return faults
  }
  return [...catalogues].flatMap(([name, texts]) =>
    [...texts].flatMap(([key, text]) => faultsIn(text).map((fault) => `${name}:${key} ${fault}`)),
  )
}

/** `\b` knows no letters beyond ASCII. */
const has = (text: string, word: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu').test(text)
