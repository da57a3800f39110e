import { ownSentences, type OwnSentence } from './text/en/own-sentences.ts'

type Template = (typeof ownSentences)[OwnSentence]
type Named<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Named<Rest> : never
type Values<Name extends OwnSentence> = Record<Named<(typeof ownSentences)[Name]>, string | number>

const PLACE = /\{\{(\w+)\}\}/g

/** One of Hangar's own sentences, in the English in which it is kept and answered. */
export function ownSentence<Name extends OwnSentence>(
  name: Name,
  ...values: Named<(typeof ownSentences)[Name]> extends never ? [] : [Values<Name>]
): string {
  return filled(ownSentences[name], (place) => String((values[0] as Record<string, string | number>)[place]))
}

/** Which of Hangar's own sentences a text is, and with what in it. Null for everything else: that stays as it was said. */
export function readOwnSentence(text: string): { name: OwnSentence; values: Record<string, string> } | null {
  for (const { name, pattern } of readers()) {
    const found = pattern.exec(text)
    if (found !== null) return { name, values: { ...found.groups } }
  }
  return null
}

/** A text of Hangar's in another language, given its sentences there; null for what is none. */
export function translated(
  text: string,
  sentences: Readonly<Record<OwnSentence, string>>,
  language: string,
): string | null {
  const read = readOwnSentence(text)
  if (read === null) return null
  return filled(sentences[read.name], (place) => {
    const value = read.values[place] ?? ''
    if (place === 'why') return translated(value, sentences, language) ?? value
    return /^\d+(\.\d+)?$/.test(value) ? Number(value).toLocaleString(language) : value
  })
}

/** Not `replace` with a string: a value may hold `$&`, or what looks like a place. */
function filled(template: string, valueAt: (place: string) => string): string {
  return template.replace(PLACE, (_, place: string) => valueAt(place))
}

let known: { name: OwnSentence; pattern: RegExp }[] | null = null

function readers(): { name: OwnSentence; pattern: RegExp }[] {
  return (known ??= (Object.entries(ownSentences) as [OwnSentence, Template][]).map(([name, template]) => ({
    name,
    pattern: new RegExp(`^${template.split(PLACE).map(asPattern).join('')}$`, 's'),
  })))
}

/** `split` gives text and names of places in turn. */
function asPattern(part: string, index: number): string {
  return index % 2 === 1 ? `(?<${part}>.*)` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
