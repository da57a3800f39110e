import { z } from 'zod'
import { LanguageCode } from './language.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS, MAX_RULES } from './limits.ts'

/** Plain words, never a pattern. */
const words = z.string().trim().min(1).max(MAX_RULE_CHARS)
/** Null: texts in every language. */
const language = LanguageCode.nullable().default(null)
/** `change` changes the texts that the service gives; `flag` leaves them as they are, with a note on the picture. */
const action = (usual: 'change' | 'flag') => z.enum(['change', 'flag']).default(usual)

/**
 * A rule about the words of alt texts, whatever their case and the encoding of their accents.
 * - spelling: `from` becomes `to`
 * - never: the words are taken out
 * - opening: a text that begins with them begins after them
 * - name: it has to be in each text; only flagged
 * - length: at most this many characters as a person counts them; cut at a word. One for the language takes precedence.
 */
export const WordRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('spelling'), from: words, to: words, language, action: action('change') }),
  z.strictObject({ kind: z.literal('never'), words, language, action: action('flag') }),
  z.strictObject({ kind: z.literal('opening'), words, language, action: action('change') }),
  z.strictObject({ kind: z.literal('name'), words, language }),
  z.strictObject({
    kind: z.literal('length'),
    most: z.number().int().min(1).max(MAX_ALT_TEXT_CHARS),
    language,
    action: action('flag'),
  }),
])
export type WordRule = z.infer<typeof WordRule>

export const WordRules = z.array(WordRule).max(MAX_RULES)
