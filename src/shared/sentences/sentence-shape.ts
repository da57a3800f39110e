import { z } from 'zod'
import type { Sentence } from './sentence.ts'

/** A sentence in a message or in the journal. Codes of other versions are accepted, so that their rows stay readable. */
export const SentenceShape: z.ZodType<Sentence, Sentence> = z.lazy(() => z.union([Raw, Own])) as z.ZodType<
  Sentence,
  Sentence
>

const Raw = z.object({ raw: z.string() })
const Own = z.object({
  code: z.string().max(60),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), SentenceShape])).optional(),
})
