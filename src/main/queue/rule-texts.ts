import type { Job, ServiceResult } from '../../shared/jobs/job.ts'
import type { Note } from '../../shared/sentences/reasons.ts'
import { notesOnWords, compileRules } from '../core/word-rules.ts'
import { editsOf, recordRuled, withEdits } from '../journal/text-edits.ts'
import type { QueueContext } from './context.ts'

/** Records what the recipe's word rules make of new texts of the service, in the transaction that stores them. A person's texts stay. */
export function ruleNewTexts({ db, clock }: QueueContext, { recipe, image }: Job, result: ServiceResult): void {
  if (image === null) return
  const applyRules = compileRules(recipe.rules)
  for (const { languageCode, seoAltText } of result.translations) {
    const { text } = applyRules(seoAltText, languageCode)
    recordRuled(db, image.sha256, languageCode, text === seoAltText ? null : text, clock.nowMs())
  }
}

/** What word rules changed in the texts of a job, and what in them does not keep to the rules. */
export function notesOnRules({ db }: QueueContext, { recipe, image, result }: Job): Note[] {
  if (recipe.rules.length === 0) return []
  const applyRules = compileRules(recipe.rules)
  const texts = withEdits(result?.translations ?? [], editsOf(db, image?.sha256 ?? ''))
  const changed = texts.filter(({ byRule }) => byRule === true).map(({ languageCode }) => languageCode)
  return [
    ...(changed.length === 0 ? [] : [{ code: 'words_changed' as const, detail: changed.join(', ') }]),
    ...notesOnWords(
      texts.map((text) => ({ ...text, findings: applyRules(text.seoAltText, text.languageCode).findings })),
    ),
  ]
}
