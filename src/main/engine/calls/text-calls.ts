import { basename } from 'node:path'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import { replacerOf } from '../../../shared/jobs/replace-words.ts'
import { MAX_REPLACEMENTS } from '../../../shared/recipes/limits.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { Job } from '../../../shared/jobs/job.ts'
import {
  decorativeMark,
  recordDecorative,
  editsOf,
  recordEdit,
  recordName,
  textViews,
} from '../../journal/text-edits.ts'
import { durably } from '../../journal/journal.ts'
import { removedAt } from '../../journal/removed-jobs.ts'
import { markReviewed, reviewOf } from '../../journal/reviews.ts'
import { contentOf, draftsOf, dropDrafts, keepDraft } from '../../journal/text-drafts.ts'
import { markStale, refreshTexts } from '../../queue/refresh-texts.ts'
import { renameResults, renamesOf } from '../../queue/rename-results.ts'
import { jobsOfContent, writeEdits } from '../../queue/write-edits.ts'
import { assertSeen } from './assert-seen.ts'
import { type CallsDeps, type Handlers, found } from './call-deps.ts'
import { inSlices } from './in-slices.ts'
import { viewOf } from './job-view.ts'

/** Alt texts of one picture: the service's, a person's edits, and unsaved drafts. */
export function textCalls({ context, documents, makeId, emit, fileWork }: CallsDeps) {
  const { store, db, clock } = context
  const contentIn = (job: Job) => job.image?.sha256 ?? ''
  const textsOf = (job: Job) => textViews(job.result?.translations ?? [], editsOf(db, contentIn(job)))
  const isMarked = (job: Job) => decorativeMark(db, contentIn(job))?.decorative ?? job.decorative === true
  const bringWords = (job: Job, sha256: string) =>
    fileWork.run(async () => {
      const paths = jobsOfContent(context, job, sha256).map(({ source }) => source.path)
      const why = await writeEdits(context, job, sha256).catch((error: unknown) => toAppError(error).sentence)
      return { sidecarWritten: why === null, why, filesLeft: await refreshTexts(context, paths) }
    })
  return {
    'jobs.texts': ({ id }) => {
      const job = found(store.getAny(id), id)
      return {
        texts: textsOf(job),
        drafts: draftsOf(db, contentIn(job)),
        decorative: isMarked(job),
        reviewed: reviewOf(db, job) === 'reviewed',
        renames: removedAt(db, id) === null ? renamesOf(context, job) : [],
      }
    },
    'jobs.editText': async ({ id, languageCode, altText, settles, seen, review }) => {
      const job = found(store.getAny(id), id)
      const text = job.result?.translations.find((known) => known.languageCode === languageCode)
      if (job.image === null || text === undefined) throw new AppError('not_found', say('no_text_in_language'))
      const words = altText.trim()
      const { sha256 } = job.image
      const before = textsOf(job).find((known) => known.languageCode === languageCode)?.altText ?? ''
      const isReviewed = durably(db, () => {
        const nowMs = clock.nowMs()
        markStale(db, jobsOfContent(context, job, sha256))
        recordEdit(db, sha256, languageCode, words === '' || words === text.seoAltText ? null : words, nowMs)
        dropDrafts(db, { sha256, languageCode }, settles)
        if (seen !== null && before !== seen && before !== words && before !== text.seoAltText)
          keepDraft(db, { sha256, languageCode }, { id: makeId(), altText: before, replaces: [] }, nowMs)
        return review && markReviewed(db, id, true)
      })
      emit({
        type: 'job',
        job: viewOf(db, job),
        from: job.state,
        toReview: isReviewed && removedAt(db, id) === null ? -1 : 0,
      })
      const written = await bringWords(job, sha256)
      return { texts: textsOf(job), drafts: draftsOf(db, sha256), ...written }
    },
    'jobs.editName': async ({ id, languageCode, seoFilename, seen }) => {
      const job = found(store.getAny(id), id)
      const text = job.result?.translations.find((known) => known.languageCode === languageCode)
      if (job.image === null || text === undefined) throw new AppError('not_found', say('no_text_in_language'))
      const name = seoFilename.trim()
      assertSeen({ seoFilename: seen }, textsOf(job).find((known) => known.languageCode === languageCode) ?? {})
      const { sha256 } = job.image
      durably(db, () =>
        recordName(db, sha256, languageCode, name === '' || name === text.seoFilename ? null : name, clock.nowMs()),
      )
      emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview: 0 })
      const { sidecarWritten, why } = await bringWords(job, sha256)
      return { texts: textsOf(job), sidecarWritten, why }
    },
    'jobs.renameFiles': ({ id, back }) => {
      const job = found(store.get(id), id)
      return fileWork.run(() => renameResults(context, documents, job.id, { back }))
    },
    'jobs.findInTexts': async ({ ids, search }) => {
      const replaced = replacerOf(search)
      const seen = new Set<string>()
      const all: EngineResponse<'jobs.findInTexts'>['found'] = []
      let more = 0
      await inSlices(ids, (id) => {
        const job = store.getAny(id)
        if (job === null) return
        for (const { languageCode, altText, original } of textsOf(job)) {
          const key = `${contentIn(job)} ${languageCode}`
          if (seen.has(key)) continue
          seen.add(key)
          const changed = replaced(altText)
          // As it would be stored. An empty text would restore the service's.
          const after = changed.trim()
          if (changed === altText || after === '') continue
          if (all.length === MAX_REPLACEMENTS) more += 1
          else {
            const name = basename(job.source.path)
            all.push({ id, name, languageCode, before: altText, after, service: original === null })
          }
        }
      })
      return { found: all, more }
    },
    'jobs.decorative': async ({ id, decorative, seen, reviewed = decorative ? true : undefined }) => {
      const job = found(store.getAny(id), id)
      if (job.image === null) throw new AppError('not_found', say('not_read_yet'))
      assertSeen({ decorative: seen }, { decorative: isMarked(job) })
      const { sha256 } = job.image
      const wasReviewed = reviewOf(db, job) === 'reviewed'
      const isReviewChanged = durably(db, () => {
        markStale(db, jobsOfContent(context, job, sha256))
        recordDecorative(db, sha256, decorative, clock.nowMs())
        return reviewed !== undefined && markReviewed(db, id, reviewed)
      })
      const toReview = !isReviewChanged || removedAt(db, id) !== null ? 0 : reviewed === true ? -1 : 1
      emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview })
      return { ...(await bringWords(job, sha256)), wasReviewed }
    },
    'jobs.draftText': ({ id, languageCode, draftId, altText, replaces }) => {
      const sha256 = contentOf(db, id)
      if (sha256 === null) throw new AppError('not_found', say('job_gone'))
      const key = { sha256, languageCode }
      durably(db, () => {
        if (altText === null) dropDrafts(db, key, [draftId, ...replaces])
        else keepDraft(db, key, { id: draftId, altText, replaces }, clock.nowMs())
      })
      const job = store.getAny(id)
      if (job !== null) emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview: 0 })
      return { drafts: draftsOf(db, sha256) }
    },
  } satisfies Partial<Handlers>
}
