import { AppError, toAppError } from '../../shared/errors.ts'
import type { Job } from '../../shared/job.ts'
import { transact } from '../queue/journal.ts'
import { markReviewed, reviewOf } from '../queue/reviews.ts'
import { editsOf, recordEdit, textViews } from '../queue/text-edits.ts'
import { writeEditsToAll } from '../queue/write-edits.ts'
import type { CallsDeps, Handlers } from './call-deps.ts'
import { viewOf } from './job-view.ts'
import { found } from './request-parts.ts'

/** The alt texts of one picture, and a person's own in their place. */
export function textCalls({ context, tell }: CallsDeps): Pick<Handlers, 'jobs.texts' | 'jobs.editText'> {
  const { store, db, clock } = context
  const textsOf = (job: Job) => textViews(job.result?.translations ?? [], editsOf(db, job.image?.sha256 ?? ''))
  return {
    'jobs.texts': ({ id }) => {
      const job = found(store.get(id), id)
      return { texts: textsOf(job), reviewed: reviewOf(db, job) === 'reviewed' }
    },
    'jobs.editText': async ({ id, languageCode, altText }) => {
      const job = found(store.get(id), id)
      const text = job.result?.translations.find((known) => known.languageCode === languageCode)
      if (job.image === null || text === undefined)
        throw new AppError('not_found', 'This picture has no text in this language. Process it in this language first.')
      const words = altText.trim()
      const { sha256 } = job.image
      const isLookedAt = transact(db, () => {
        recordEdit(db, sha256, languageCode, words === '' || words === text.seoAltText ? null : words, clock.nowMs())
        return markReviewed(db, id, true)
      })
      tell({ type: 'job', job: viewOf(db, job), from: job.state, toReview: isLookedAt ? -1 : 0 })
      const why = await writeEditsToAll(context, job, sha256).catch((error: unknown) => toAppError(error).message)
      return { texts: textsOf(job), sidecarWritten: why === null, why }
    },
  }
}
