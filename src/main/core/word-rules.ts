import { languageCodeOf } from '../../shared/text/language-code.ts'
import { MAX_ALT_TEXT_CHARS } from '../../shared/recipes/limits.ts'
import type { WordRule } from '../../shared/recipes/word-rules.ts'
import type { Note } from '../../shared/sentences/reasons.ts'

/** What a text does not keep to, and no rule changed. `what`: the words, or the length in characters. */
export interface RuleFinding {
  kind: WordRule['kind']
  what: string
}

export interface RuledText {
  text: string
  findings: RuleFinding[]
}

/**
 * A function that applies these rules to a text in a language. Openings are cut first, then spellings and words are changed in one pass
 * over the text, at each word the longest rule that fits; then the length, and at last the names. So no rule sees what another
 * made, and the time is in proportion to the text. Nothing is changed where no word would be left or the text would become too long to be
 * stored. A text that keeps to the rules is returned as it is.
 */
export function wordRuler(rules: readonly WordRule[]): (text: string, languageCode: string) => RuledText {
  const known = new Map<string, (text: string) => RuledText>()
  return (text, languageCode) => {
    const ruler = known.get(languageCode) ?? rulerFor(rules, languageCode)
    known.set(languageCode, ruler)
    return ruler(text)
  }
}

function rulerFor(all: readonly WordRule[], languageCode: string): (text: string) => RuledText {
  const rules = all.filter(({ language }) => language === null || language === languageCode.split('-')[0])
  if (rules.length === 0) return (text) => ({ text, findings: [] })
  const language = new Language(languageCode)
  const openings = new PhraseTree<Opening>(language)
  const phrases = new PhraseTree<Spelling | Never>(language)
  for (const rule of rules)
    if (rule.kind === 'opening') openings.add(rule.words, rule)
    else if (rule.kind === 'spelling') phrases.add(rule.from, rule)
    else if (rule.kind === 'never') phrases.add(rule.words, rule)
  const names = rules
    .filter((rule) => rule.kind === 'name')
    .map(({ words }) => ({ words, tree: treeOf(words, language) }))
  const lengths = rules.filter((rule) => rule.kind === 'length')
  const length = lengths.find((rule) => rule.language !== null) ?? lengths[0]
  return (given) => {
    if (given.trim() === '') return { text: given, findings: [] }
    const findings: RuleFinding[] = []
    const opened = withoutOpening(language.tokens(given.normalize('NFC')), openings, language, findings)
    const worded = withWords(opened, phrases, language, findings)
    const text = length === undefined ? worded.join('') : withinLength(worded, length, language, findings)
    findings.push(...missing(names, text, language))
    const isChanged = text !== given.normalize('NFC')
    if (!isChanged) return { text: given, findings }
    if (text.length <= MAX_ALT_TEXT_CHARS) return { text: text.trim(), findings }
    return { text: given, findings: [...findings, { kind: 'length', what: `${language.length(text)}` }] }
  }
}

type Opening = Extract<WordRule, { kind: 'opening' }>
type Spelling = Extract<WordRule, { kind: 'spelling' }>
type Never = Extract<WordRule, { kind: 'never' }>
type Length = Extract<WordRule, { kind: 'length' }>

/** Letters, marks and digits, and what joins and hyphenates them unseen. */
const PART_OF_WORD = String.raw`\p{L}\p{M}\p{N}\u00AD\u200C\u200D`
const WORD = new RegExp(`[${PART_OF_WORD}]`, 'u')
const NO_WORD = new RegExp(String.raw`(\s+|[^${PART_OF_WORD}])`, 'u')
/** Scripts that do not part words by spaces. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isSpace = (token: string): boolean => /^\s/u.test(token)
const isWord = (token: string): boolean => WORD.test(token)

/** Words, letters and case as a language has them; of an unknown one, as most have them. */
class Language {
  readonly #tag: string
  readonly #words: Intl.Segmenter
  readonly #characters: Intl.Segmenter

  constructor(code: string) {
    this.#tag = languageCodeOf(code) ?? 'und'
    this.#words = new Intl.Segmenter(this.#tag, { granularity: 'word' })
    this.#characters = new Intl.Segmenter(this.#tag, { granularity: 'grapheme' })
  }

  /**
   * Words, runs of spaces, and all else one by one; together they are the text. A word ends at apostrophes and hyphens, and the parts of a
   * compound are no words.
   */
  tokens(text: string): string[] {
    const tokens: string[] = []
    for (const { segment } of this.#words.segment(text))
      for (const part of segment.split(NO_WORD))
        if (part !== '' && isSpace(part) && isSpace(tokens.at(-1) ?? '')) tokens.push(tokens.pop()! + part)
        else if (part !== '') tokens.push(part)
    return tokens
  }

  /** Equal for tokens that are the same but for case. */
  folded(tokens: readonly string[]): string[] {
    return tokens.map((token) =>
      isSpace(token) ? ' ' : /[’ʼ]/u.test(token) ? "'" : token.toLocaleLowerCase(this.#tag),
    )
  }

  upper(text: string): string {
    return text.toLocaleUpperCase(this.#tag)
  }

  lower(text: string): string {
    return text.toLocaleLowerCase(this.#tag)
  }

  capitalised(word: string): string {
    // The Dutch digraph is one letter.
    const [first = ''] = this.#tag === 'nl' && /^ij/i.test(word) ? ['ij'] : word
    return this.upper(word.slice(0, first.length)) + word.slice(first.length)
  }

  length(text: string): number {
    return [...this.#characters.segment(text)].length
  }

  /** Where the character after the first `most` begins, in UTF-16 units; null where there are no more. */
  end(text: string, most: number): number | null {
    if (text.length <= most) return null
    let count = 0
    for (const { index } of this.#characters.segment(text)) if (count++ === most) return index
    return null
  }
}

interface Branch<Rule> {
  next: Map<string, Branch<Rule>>
  rule: Rule | null
}

/** Phrases by their tokens: a step for each token of the text, however many phrases there are. */
class PhraseTree<Rule> {
  readonly #root: Branch<Rule> = { next: new Map(), rule: null }
  readonly #language: Language

  constructor(language: Language) {
    this.#language = language
  }

  /** The first rule of several for the same words counts. */
  add(phrase: string, rule: Rule): void {
    let at = this.#root
    for (const key of this.#language.folded(this.#language.tokens(phrase.normalize('NFC')))) {
      const branch = at.next.get(key) ?? { next: new Map(), rule: null }
      at.next.set(key, branch)
      at = branch
    }
    at.rule ??= rule
  }

  /** The longest phrase that begins at this token, and the token after it. */
  longestAt(folded: readonly string[], start: number): { rule: Rule; end: number } | null {
    let found: { rule: Rule; end: number } | null = null
    let at: Branch<Rule> | undefined = this.#root
    for (let n = start; n < folded.length; n++) {
      at = at.next.get(folded[n]!)
      if (at === undefined) break
      if (at.rule !== null) found = { rule: at.rule, end: n + 1 }
    }
    return found
  }
}

function withoutOpening(
  tokens: readonly string[],
  openings: PhraseTree<Opening>,
  language: Language,
  findings: RuleFinding[],
): readonly string[] {
  const start = tokens.findIndex((token) => !isSpace(token))
  const found = start === -1 ? null : openings.longestAt(language.folded(tokens), start)
  if (found === null) return tokens
  const { rule } = found
  let { end } = found
  while (end < tokens.length && /^[\s:,–—-]/u.test(tokens[end]!)) end += 1
  const rest = tokens.slice(end)
  if (rule.action === 'change' && rest.some(isWord)) return beginning(rest, language)
  findings.push({ kind: 'opening', what: rule.words })
  return tokens
}

/** With a capital at the first word. */
function beginning(tokens: readonly string[], language: Language): string[] {
  const first = tokens.findIndex(isWord)
  return tokens.map((token, n) => (n === first ? language.capitalised(token) : token))
}

function withWords(
  tokens: readonly string[],
  phrases: PhraseTree<Spelling | Never>,
  language: Language,
  findings: RuleFinding[],
): readonly string[] {
  const made: string[] = []
  /** What was changed, as findings in case no word is left. */
  const changed: RuleFinding[] = []
  let capitalises = false
  const folded = language.folded(tokens)
  for (let n = 0; n < tokens.length;) {
    const token = tokens[n]!
    const found = phrases.longestAt(folded, n)
    if (found === null) {
      const isNext = capitalises && isWord(token)
      made.push(isNext ? language.capitalised(token) : token)
      if (isNext) capitalises = false
      n += 1
      continue
    }
    const { rule, end } = found
    const there = tokens.slice(n, end).join('')
    n = end
    if (rule.kind === 'spelling') {
      const wanted = spelled(there, rule, language)
      if (wanted !== there) (rule.action === 'flag' ? findings : changed).push({ kind: 'spelling', what: there })
      made.push(rule.action === 'change' ? wanted : there)
      capitalises = false
    } else if (rule.action === 'flag') {
      findings.push({ kind: 'never', what: there })
      made.push(there)
    } else {
      changed.push({ kind: 'never', what: there })
      capitalises ||= isAtStart(made) && language.capitalised(there) === there && language.lower(there) !== there
      n = closeGap(made, tokens, n)
    }
  }
  if (changed.length === 0 || made.some(isWord)) return made
  findings.push(...changed)
  return tokens
}

/** Of a sentence. */
function isAtStart(before: readonly string[]): boolean {
  const last = before.findLast((token) => !isSpace(token))
  return last === undefined || /^[.!?…]$/u.test(last)
}

/** After words were taken out: no two spaces, none before a comma, and no comma at the start. Returns the next token. */
function closeGap(made: string[], tokens: readonly string[], from: number): number {
  const endsInSpace = () => isSpace(made.at(-1) ?? '')
  const skipped = made.some(isWord) ? /^\s/u : /^[\s,;:–—-]/u
  const skips = endsInSpace() || !made.some(isWord)
  let next = from
  while (skips && next < tokens.length && skipped.test(tokens[next]!)) next += 1
  const isAtEnd = next === tokens.length || /^[,.;:!?…)]$/u.test(tokens[next]!)
  if (isAtEnd && endsInSpace()) made.pop()
  if (isAtEnd && /^[,;:]$/u.test(made.at(-1) ?? '')) made.pop()
  return next
}

/**
 * The preferred spelling in the place of `there`. One that is all in lower case takes the case of what it replaces, unless the rule is
 * about nothing but case.
 */
function spelled(there: string, { from, to }: Spelling, language: Language): string {
  const wanted = to.normalize('NFC')
  const isPlain = language.lower(wanted) === wanted && language.lower(from.normalize('NFC')) !== wanted
  if (!isPlain || language.lower(there) === there) return wanted
  const isShouted = language.upper(there) === there && [...there].filter(isWord).length > 1
  if (isShouted) return language.upper(wanted)
  return language.capitalised(there) === there ? language.capitalised(wanted) : wanted
}

/** Cut at the last word that fits, without what a sentence does not end in. */
function withinLength(
  tokens: readonly string[],
  { most, action }: Length,
  language: Language,
  findings: RuleFinding[],
): string {
  const text = tokens.join('')
  const limit = language.end(text.trimEnd(), most)
  if (limit === null) return text
  let [at, end] = [0, 0]
  for (const [n, token] of tokens.entries()) {
    const isBorder = isSpace(token) || (UNSPACED.test(token) && UNSPACED.test(tokens[n - 1] ?? ''))
    if (at > limit) break
    if (isBorder) end = at
    at += token.length
  }
  const cut = text.slice(0, end).replace(/[^\p{L}\p{M}\p{N}.!?…)\]}"'’”»%°]+$/u, '')
  if (action === 'change' && isWord(cut)) return cut
  findings.push({ kind: 'length', what: `${language.length(text.trim())}` })
  return text
}

interface Name {
  words: string
  tree: PhraseTree<true>
}

function treeOf(words: string, language: Language): Name['tree'] {
  const tree = new PhraseTree<true>(language)
  tree.add(words, true)
  return tree
}

function missing(names: readonly Name[], text: string, language: Language): RuleFinding[] {
  if (names.length === 0) return []
  const there = language.folded(language.tokens(text))
  return names
    .filter(({ tree }) => !there.some((_, n) => tree.longestAt(there, n) !== null))
    .map(({ words }) => ({ kind: 'name', what: words }))
}

/** Findings in the texts of a picture as notes, each with what was found and the language, as in `stunning (en)`. */
export function notesOnWords(texts: readonly { languageCode: string; findings: readonly RuleFinding[] }[]): Note[] {
  const all = texts.flatMap(({ languageCode, findings }) =>
    findings.map(({ kind, what }) => ({ kind, said: `${what} (${languageCode})` })),
  )
  const note = (code: Note['code'], kinds: readonly WordRule['kind'][]): Note[] => {
    const said = new Set(all.filter(({ kind }) => kinds.includes(kind)).map((finding) => finding.said))
    return said.size === 0 ? [] : [{ code, detail: [...said].join(', ') }]
  }
  return [
    ...note('words_flagged', ['spelling', 'never', 'opening']),
    ...note('names_missing', ['name']),
    ...note('texts_too_long', ['length']),
  ]
}
