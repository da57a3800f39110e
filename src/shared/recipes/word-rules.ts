import { z } from 'zod'
import { LanguageCode } from './language.ts'
import { MAX_ALT_TEXT_CHARS, MAX_RULE_CHARS, MAX_RULES } from './limits.ts'

/** Plain words, never a pattern. */
const words = z.string().trim().min(1).max(MAX_RULE_CHARS)
/** Null: texts in every language. */
const language = LanguageCode.nullable().default(null)

export const RuleAnchor = z.enum(['anywhere', 'start', 'end'])
export type RuleAnchor = z.infer<typeof RuleAnchor>

/**
 * A rule about the words of alt texts, whatever their case and the encoding of their accents.
 * - replace: `from` becomes `to`, or goes where that is empty; at `start` and `end` only where the text begins or ends with it
 * - never: these words are flagged
 * - length: a text of more characters, as a person counts them, is flagged. One for the language takes precedence.
 */
export const WordRule = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('replace'),
    from: words,
    to: z.string().trim().max(MAX_RULE_CHARS).default(''),
    at: RuleAnchor.default('anywhere'),
    language,
  }),
  z.strictObject({ kind: z.literal('never'), words, language }),
  z.strictObject({ kind: z.literal('length'), most: z.number().int().min(1).max(MAX_ALT_TEXT_CHARS), language }),
])
export type WordRule = z.infer<typeof WordRule>

export const WordRules = z.array(WordRule).max(MAX_RULES)
