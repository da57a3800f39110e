import { listText } from '../text/list-text.ts'
import { straightText } from '../text/safe-characters.ts'
import type sentences from '../text/en/sentences.json'
import type terminal from './terminal.json'

/** A key of the catalogue `sentences`, or of `terminal.json`, for the command line. One that was released stays: journals hold it. */
export type SentenceCode = keyof typeof sentences | keyof typeof terminal

/** Numbers and lists are formatted for the language; what is no quantity, such as a port, is passed as a string. */
export type SentenceValue = string | number | readonly string[] | Sentence

/** One of Hangar's own sentences, or text that is not ours (untrusted). The text is made where it is shown, and never parsed. */
export type Sentence = { code: SentenceCode; values?: Readonly<Record<string, SentenceValue>> } | { raw: string }

/** Makes one of Hangar's own sentences. A test finds a call whose values are not the places of the sentence's text. */
export function say(code: SentenceCode, values?: Readonly<Record<string, SentenceValue>>): Sentence {
  return values === undefined ? { code } : { code, values }
}

/** Wraps text that is not Hangar's own. */
export function raw(text: string): Sentence {
  return { raw: text }
}

/** Whether two sentences are equal. Compares values in the order in which they were given. */
export function isSameSentence(one: Sentence | null, other: Sentence | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const PLACE = /\{\{(\w+)\}\}/g

/** The code of another version is shown as it is. Nothing in it reorders the text around it. */
export function sentenceText(
  sentence: Sentence,
  words: Readonly<Partial<Record<SentenceCode, string>>>,
  language: string,
): string {
  if ('raw' in sentence) return straightText(sentence.raw)
  const { code, values = {} } = sentence
  // Not `replace` with a string: a value may contain `$&` or something that looks like a placeholder.
  return (words[code] ?? code).replace(PLACE, (_, name: string) => {
    const value = values[name] ?? ''
    if (typeof value === 'number') return value.toLocaleString(language)
    if (typeof value === 'string') return straightText(value)
    return 'length' in value ? listText(value.map(straightText), language) : sentenceText(value, words, language)
  })
}
