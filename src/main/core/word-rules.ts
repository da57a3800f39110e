import { languageCodeOf } from '../../shared/text/language-code.ts'
import { MAX_ALT_TEXT_CHARS } from '../../shared/recipes/limits.ts'
import type { RuleAnchor, WordRule } from '../../shared/recipes/word-rules.ts'
import type { Note } from '../../shared/sentences/reasons.ts'

/** What a text does not keep to. `what`: the words, or the length in characters. */
interface RuleFinding {
  kind: 'never' | 'length'
  what: string
}

export interface RuledText {
  text: string
  findings: RuleFinding[]
}

/** Applies these rules: the replacements one after another, then what flags. A text that would have no word left or be too long stays. */
export function compileRules(rules: readonly WordRule[]): (text: string, languageCode: string) => RuledText {
  const known = new Map<string, (text: string) => RuledText>()
  return (text, languageCode) => {
    const apply = known.get(languageCode) ?? compileFor(rules, languageCode)
    known.set(languageCode, apply)
    return apply(text)
  }
}

function compileFor(all: readonly WordRule[], languageCode: string): (text: string) => RuledText {
  const rules = all.filter(({ language }) => language === null || language === languageCode.split('-')[0])
  const tag = languageCodeOf(languageCode) ?? 'und'
  const replacements = rules.flatMap((rule) => (rule.kind === 'replace' ? [replacer(rule, tag)] : []))
  const never = rules.flatMap((rule) => (rule.kind === 'never' ? [patternOf(rule.words, 'anywhere')] : []))
  const lengths = rules.filter((rule) => rule.kind === 'length')
  const length = lengths.find((rule) => rule.language !== null) ?? lengths[0]
  return (given) => {
    const before = given.normalize('NFC')
    const after = replacements.reduce((text, replace) => replace(text), before)
    const isUsable = after !== before && WORD.test(after) && after.length <= MAX_ALT_TEXT_CHARS
    const text = isUsable ? after.trim() : given
    const findings: RuleFinding[] = never.flatMap((pattern) =>
      [...text.normalize('NFC').matchAll(pattern)].map(([what]) => ({ kind: 'never', what })),
    )
    const characters = length === undefined ? 0 : charactersOf(text.trim(), tag)
    if (length !== undefined && characters > length.most) findings.push({ kind: 'length', what: String(characters) })
    return { text, findings }
  }
}

function charactersOf(text: string, tag: string): number {
  return [...new Intl.Segmenter(tag, { granularity: 'grapheme' }).segment(text)].length
}

/** Letters, marks and digits, and what joins and hyphenates them unseen. */
const PART_OF_WORD = String.raw`[\p{L}\p{M}\p{N}\u00AD\u200C\u200D]`
const WORD = new RegExp(PART_OF_WORD, 'u')
/** Scripts that do not part words by spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Finds whole words: beside a letter there is none. At the start and the end, what parts them from the rest belongs to them. */
function patternOf(words: string, at: RuleAnchor): RegExp {
  const plain = words.normalize('NFC')
  const isOpen = (character: string) => WORD.test(character) && !UNSPACED.test(character)
  const before = isOpen(plain[0] ?? '') ? `(?<!${PART_OF_WORD})` : ''
  const after = isOpen(plain.at(-1) ?? '') ? `(?!${PART_OF_WORD})` : ''
  const escaped = plain
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/['’ʼ]/g, "['’ʼ]")
    .replaceAll(/\s+/g, String.raw`\s+`)
  const start = at === 'start' ? String.raw`^\s*` : ''
  const end = at === 'end' ? String.raw`(?=[\s.!?…]*$)` : ''
  return new RegExp(`${start}${before}${escaped}${after}${end}`, 'giu')
}

function replacer({ from, to, at }: Extract<WordRule, { kind: 'replace' }>, tag: string): (text: string) => string {
  const pattern = patternOf(from, at)
  const wanted = to.normalize('NFC')
  const isOnlyCase = from.normalize('NFC').toLocaleLowerCase(tag) === wanted.toLocaleLowerCase(tag)
  if (wanted === '') return (text) => withoutWords(text, pattern, tag)
  return (text) =>
    text.replaceAll(pattern, (there) => (!isOnlyCase && startsUpper(there, tag) ? capitalised(wanted, tag) : wanted))
}

/** Without the words, and without the space, comma or colon that they leave; a sentence still begins with a capital. */
function withoutWords(text: string, pattern: RegExp, tag: string): string {
  const rest = text.replaceAll(pattern, '\0')
  if (rest === text) return text
  const closed = rest
    .replaceAll(/^[\s\0]*\0[\s,;:–—-]*/g, '')
    .replaceAll(/(?<![\s,;:])[\s,;:]*\0(?=[\s\0]*[,.;:!?…)]|[\s\0]*$)/g, '')
    .replaceAll(/(?<!\s)\s*\0/g, '')
  return startsUpper(text, tag) ? capitalised(closed, tag) : closed
}

const firstLetter = (text: string) => text.search(/\p{L}/u)

function startsUpper(text: string, tag: string): boolean {
  const letter = text[firstLetter(text)] ?? ''
  return letter !== letter.toLocaleLowerCase(tag)
}

function capitalised(text: string, tag: string): string {
  const at = firstLetter(text)
  return at === -1 ? text : text.slice(0, at) + text[at]!.toLocaleUpperCase(tag) + text.slice(at + 1)
}

/** Findings in the texts of a picture as notes, each with what was found and the language, as in `stunning (en)`. */
export function notesOnWords(texts: readonly { languageCode: string; findings: readonly RuleFinding[] }[]): Note[] {
  const note = (code: Note['code'], wanted: RuleFinding['kind']): Note[] => {
    const said = texts.flatMap(({ languageCode, findings }) =>
      findings.filter(({ kind }) => kind === wanted).map(({ what }) => `${what} (${languageCode})`),
    )
    return said.length === 0 ? [] : [{ code, detail: [...new Set(said)].join(', ') }]
  }
  return [...note('words_flagged', 'never'), ...note('texts_too_long', 'length')]
}
