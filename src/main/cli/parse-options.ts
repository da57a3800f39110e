import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { readPlanTime } from '../../shared/chargers/route/route-plan.ts'
import { JobState } from '../../shared/sentences/reasons.ts'
import {
  MAX_EDGE_PX,
  MAX_LANGUAGES,
  MAX_SIZE_KB,
  MAX_WIDTHS,
  MIN_EDGE_PX,
  MIN_SIZE_KB,
  ULID,
} from '../../shared/recipes/limits.ts'
import { isTemplate, parseNameTemplate } from '../../shared/recipes/name-template.ts'
import { ChosenType } from '../../shared/recipes/recipe.ts'
import { LanguageCode } from '../../shared/recipes/language.ts'
import { languageCodeOf } from '../../shared/text/language-code.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { folderAddress } from '../../shared/text/folder-address.ts'
import { listText } from '../../shared/text/list-text.ts'

/** Parsers for the values of flags; commander's error says what is accepted. */

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text.trim()) || value < min || value > max)
      throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
    return value
  }
}

const orNone = (read: (text: string) => number) => (text: string) => (text.trim() === '0' ? 0 : read(text))

/** Pixels of the long edge; 0 for no limit. */
export const longEdgeOrNone = orNone(wholeNumber(MIN_EDGE_PX, MAX_EDGE_PX))

/** Kilobytes of 1000 bytes; 0 for any size. */
export const maxSizeOrNone = orNone(wholeNumber(MIN_SIZE_KB, MAX_SIZE_KB))

/** Separated by commas or spaces. */
const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/** `640,1280`: pixels, without repetitions, narrowest first; 0 for none. */
export function widthList(text: string): number[] {
  if (text.trim() === '0') return []
  const widths = [...new Set(wordsOf(text).map(wholeNumber(MIN_EDGE_PX, MAX_EDGE_PX)))].toSorted((a, b) => a - b)
  if (widths.length === 0) throw new InvalidArgumentError('Give widths in pixels, as in: 640,1280. 0 stands for none.')
  if (widths.length > MAX_WIDTHS) throw new InvalidArgumentError(`At most ${MAX_WIDTHS} widths can be made.`)
  return widths
}

/** `original`, `seo` or a template for names. */
export function naming(text: string): string {
  const given = text.trim()
  const parsed = isTemplate(given) ? parseNameTemplate(given) : null
  if (parsed?.ok !== false) return given
  throw new InvalidArgumentError(`Give original, seo or a template such as "web/{seo}". ${englishText(parsed.problem)}`)
}

/** `tiff,avif,heic`, in any order; `none` for none of them. */
export function chosenTypes(text: string): ChosenType[] {
  if (text.trim().toLowerCase() === 'none') return []
  const types = wordsOf(text).map((part) => ChosenType.safeParse(part.toLowerCase()))
  if (types.length === 0 || types.some(({ success }) => !success))
    throw new InvalidArgumentError(
      'Give one or more of tiff, avif and heic, as in: tiff,heic. none stands for none of them.',
    )
  return ChosenType.options.filter((type) => types.some(({ data }) => data === type))
}

export function numberBetween(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value) || value < min || value > max)
      throw new InvalidArgumentError(`Give a number from ${min} to ${max}.`)
    return value
  }
}

/** Languages of the service, in order: `en,de,fr`. */
export function languageList(text: string): string[] {
  return listOfLanguages(
    text,
    (code) => LanguageCode.safeParse(code.toLowerCase()).data ?? null,
    'is not a two-letter language code. Write them as in: en,de,fr.',
  )
}

/** Languages that a person writes texts in: `en,pt-br,zh-hant`. */
export function anyLanguageList(text: string): string[] {
  return listOfLanguages(text, languageCodeOf, 'is not the code of a language. Write them as in: en,pt-br,zh-hant.')
}

function listOfLanguages(text: string, codeOf: (word: string) => string | null, wrong: string): string[] {
  const read = (word: string) => readBy(codeOf, `"${word}" ${wrong}`)(word)
  const codes = [...new Set(wordsOf(text).map(read))]
  if (codes.length === 0) throw new InvalidArgumentError('Name at least one language, as in: en,de,fr.')
  if (codes.length > MAX_LANGUAGES)
    throw new InvalidArgumentError(`At most ${MAX_LANGUAGES} languages can be asked for.`)
  return codes
}

/** `de`: the code of one language that a person writes texts in. */
export function oneLanguage(text: string): string {
  const [code, ...more] = anyLanguageList(text)
  if (code === undefined || more.length > 0) throw new InvalidArgumentError('Give one language, as in: de.')
  return code
}

/** The address of a folder on the web, with a slash at its end. */
export const webAddress = readBy(folderAddress, 'Give the address of a folder, as in: https://example.com/pictures/')

/** An origin: the page, its cookie and its socket are at the root of a host. Other names would not be safe in the policy of the page. */
export function publicOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.protocol !== 'https:' || !/^[a-z0-9.-]+$/.test(url.hostname))
    throw new InvalidArgumentError('Give the address that people open, as in https://pictures.example.org.')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(
      'The page is at the root of a host name of its own: give https://, the name and, if need be, a port, and nothing after it.',
    )
  return url.origin
}

export const ipAddress = readBy((text) => (isIP(text) === 0 ? null : text), 'Give an IP address of this computer.')

/** A number of languages, or a list, whose length counts. */
export function languageCount(text: string): number {
  return /^\d+$/.test(text) ? wholeNumber(1, MAX_LANGUAGES)(text) : languageList(text).length
}

export function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text]
}

export function shortText(maxLength: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.length > maxLength)
      throw new InvalidArgumentError(`Give 1 to ${maxLength} characters.`)
    return trimmed
  }
}

/** For flags that may be repeated. */
export function collectName(text: string, earlier: string[] | undefined): string[] {
  return collect(shortText(100)(text), earlier)
}

/** `read` gives null for anything else. */
export function readBy<Value>(read: (text: string) => Value | null, wrong: string): (text: string) => Value {
  return (text) => {
    const value = read(text)
    if (value === null) throw new InvalidArgumentError(wrong)
    return value
  }
}

/** A date and time with an offset, as Unix milliseconds. */
export const pointInTime = readBy(
  readPlanTime,
  'Give a date and time with an offset, from 1970 to 2999, as in 2026-05-01T09:00+02:00.',
)

export const ulidText = readBy(
  (text) => (ULID.test(text.trim()) ? text.trim() : null),
  'A project id is a ULID: 26 letters and digits.',
)

/** `failed,unknown`: states of pictures. */
export function stateList(text: string): JobState[] {
  const parsed = JobState.array().min(1).safeParse(wordsOf(text))
  if (!parsed.success) throw new InvalidArgumentError(`States are: ${listText(JobState.options, 'en')}.`)
  return parsed.data
}
