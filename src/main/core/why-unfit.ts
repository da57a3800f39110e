import type { z } from 'zod'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'

/** What is wrong with a value, as a part of a sentence. */
export function whyUnfit(issue: z.core.$ZodIssue | undefined): Sentence {
  if (issue?.code === 'unrecognized_keys') return say('value_no_member')
  if (issue?.code === 'too_small' && issue.inclusive !== false)
    return say('value_at_least', { least: Number(issue.minimum) })
  if (issue?.code === 'too_big' && issue.inclusive !== false)
    return say('value_at_most', { most: Number(issue.maximum) })
  return say('value_unfit')
}
