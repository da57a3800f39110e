/* Path patterns, matched in time proportional to pattern times path even in the worst case: a configuration may come from anybody. */

/** The character comparisons that are left. At 0 the answer is "unclear". */
export interface MatchBudget {
  left: number
}

export type Match = 'yes' | 'no' | 'unclear'

/** A path prepared for comparison: case and Unicode normalisation make no difference. */
type PathNames = readonly Name[]
interface Name {
  text: string
  chars: readonly string[]
}

export function pathNames(relativePath: string): PathNames {
  return relativePath.split('/').map((text) => nameOf(text))
}

function nameOf(text: string): Name {
  const chars = folded(text)
  return { text: chars.join(''), chars }
}

const folded = (text: string): string[] => [...text.normalize('NFC')].map((char) => char.toLowerCase())

type Token =
  | { kind: 'char'; char: string }
  | { kind: 'any' }
  | { kind: 'some' }
  | { kind: 'set'; isNegated: boolean; members: RegExp }

/** One name of a pattern: fixed, with wildcards, or `**`, any number of names. */
type Part = { kind: 'fixed'; text: string } | { kind: 'wild'; tokens: readonly Token[] } | { kind: 'deep' }

/** Null never matches. */
type PathPattern = readonly Part[] | null

/** `*`, `?`, `[…]` and, as a whole name, `**`: any number of names, at the end at least one. An unfinished `[` matches nothing. */
export function compilePattern(text: string): PathPattern {
  const names = tokenize(text.normalize('NFC'))
  return names === null ? null : names.map(partOf)
}

export function matchPath(pattern: PathPattern, path: PathNames, budget: MatchBudget): Match {
  return pattern === null ? 'no' : matchAll(pattern, path, budget)
}

/** Matches the pattern's only name with the path's last one. */
export function matchBaseName(pattern: PathPattern, path: PathNames, budget: MatchBudget): Match {
  return matchPath(pattern, path.slice(-1), budget)
}

/** At its end `**` takes everything left, which is at least one name. */
function matchAll(parts: readonly Part[], names: readonly Name[], budget: MatchBudget): Match {
  const isMatch = matchSequence(parts, names, {
    isMany: ({ kind }) => kind === 'deep',
    leastAtEnd: 1,
    fits: (part, name) => matchName(part, name, budget),
    budget,
  })
  return budget.left < 0 ? 'unclear' : isMatch ? 'yes' : 'no'
}

function matchName(part: Part, { text, chars }: Name, budget: MatchBudget): boolean {
  if (part.kind !== 'wild') return part.kind === 'fixed' && part.text === text
  return matchSequence(part.tokens, chars, {
    isMany: ({ kind }) => kind === 'some',
    leastAtEnd: 0,
    fits: fitsChar,
    budget,
  })
}

interface Matching<Piece, Item> {
  /** Takes any number of items, at the end of the pattern `leastAtEnd` or more; every other piece takes exactly one. */
  isMany: (piece: Piece) => boolean
  leastAtEnd: 0 | 1
  fits: (piece: Piece, item: Item) => boolean
  budget: MatchBudget
}

/** Only the last piece that takes many has to be backtracked to. */
function matchSequence<Piece, Item>(
  pieces: readonly Piece[],
  items: readonly Item[],
  { isMany, leastAtEnd, fits, budget }: Matching<Piece, Item>,
): boolean {
  let [piece, item, many, manyItem] = [0, 0, -1, 0]
  while (item < items.length) {
    budget.left -= 1
    if (budget.left < 0) return false
    const now = pieces[piece]
    if (now !== undefined && isMany(now)) {
      if (piece === pieces.length - 1) return true
      ;[many, manyItem] = [piece, item]
      piece += 1
    } else if (now !== undefined && fits(now, items[item]!)) {
      piece += 1
      item += 1
    } else if (many === -1) return false
    else {
      manyItem += 1
      ;[piece, item] = [many + 1, manyItem]
    }
  }
  while (leastAtEnd === 0 && pieces[piece] !== undefined && isMany(pieces[piece]!)) piece += 1
  return piece === pieces.length
}

function fitsChar(token: Token, char: string): boolean {
  if (token.kind === 'set')
    return (token.members.test(char) || token.members.test(char.toUpperCase())) !== token.isNegated
  return token.kind === 'any' || (token.kind === 'char' && token.char === char)
}

/** The tokens of each name; null when nothing can match. */
function tokenize(text: string): Token[][] | null {
  const chars = [...text]
  const names: Token[][] = [[]]
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at]!
    const name = names.at(-1)!
    if (char === '/') names.push([])
    else if (char === '*') name.push({ kind: 'some' })
    else if (char === '?') name.push({ kind: 'any' })
    else if (char === '[') {
      const set = setAt(chars, at)
      if (set === null) return null
      name.push(set.token)
      at = set.end
    } else name.push({ kind: 'char', char: char.toLowerCase() })
  }
  return names
}

function partOf(tokens: readonly Token[]): Part {
  if (tokens.length >= 2 && tokens.every(({ kind }) => kind === 'some')) return { kind: 'deep' }
  const chars = tokens.map((token) => (token.kind === 'char' ? token.char : null))
  if (!chars.includes(null)) return { kind: 'fixed', text: chars.join('') }
  // Stars in a row are one.
  return { kind: 'wild', tokens: tokens.filter(({ kind }, n) => kind !== 'some' || tokens[n - 1]?.kind !== 'some') }
}

const spanOf = (from: string, to: string) =>
  [from, to].map((char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join('-')

/** The set that begins at a `[`; a `]` in first position is a member. */
function setAt(chars: readonly string[], start: number): { token: Token; end: number } | null {
  let at = start + 1
  const isNegated = chars[at] === '!' || chars[at] === '^'
  if (isNegated) at += 1
  let members = ''
  for (let isFirst = true; ; isFirst = false) {
    const from = chars[at]
    if (from === undefined) return null
    if (from === ']' && !isFirst)
      return { token: { kind: 'set', isNegated, members: new RegExp(`^[${members}]$`, 'u') }, end: at }
    const isRange = chars[at + 1] === '-' && chars[at + 2] !== undefined && chars[at + 2] !== ']'
    const to = isRange ? chars[at + 2]! : from
    members += spanOf(from, to.codePointAt(0)! < from.codePointAt(0)! ? from : to)
    at += isRange ? 3 : 1
  }
}

/** All expansions of a pattern with braces: `{a,b}`, nested. Null if there are more than `most`, for a range, and if one is not closed. */
export function expandBraces(pattern: string, most: number): string[] | null {
  const done: string[] = []
  const waiting = [{ text: pattern, from: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { text, from } = next
    const open = text.indexOf('{', from)
    if (open === -1) done.push(text)
    else {
      const choices = choicesAt(text, open)
      if (choices === null) return null
      const [before, after] = [text.slice(0, open), text.slice(choices.end + 1)]
      // Braces around a single choice are literal; braces inside it may not be.
      if (choices.of.length === 1) waiting.push({ text: `${before}[{]${choices.of[0]}}${after}`, from: open + 3 })
      else for (const choice of choices.of) waiting.push({ text: before + choice + after, from: open })
    }
    if (done.length + waiting.length > most) return null
  }
  return done
}

function choicesAt(text: string, open: number): { of: string[]; end: number } | null {
  const of: string[] = []
  let depth = 0
  let start = open + 1
  for (let at = open; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{') depth += 1
    if (char === '}') depth -= 1
    if (depth === 0 || (depth === 1 && char === ',')) {
      of.push(text.slice(start, at))
      start = at + 1
    }
    // Shells also have ranges (`{1..9}`): taken for plain characters, one would match nothing.
    if (depth === 0) return of.length === 1 && of[0]!.includes('..') ? null : { of, end: at }
  }
  return null
}
