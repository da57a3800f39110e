import type { Job } from '../../shared/jobs/job.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { MAX_COPY_BYTES } from '../../shared/recipes/recipe.ts'
import type { Note } from '../../shared/sentences/reasons.ts'
import type { SentCopy } from '../core/judge-served.ts'
import type { AnswerTo } from '../core/picture-tasks.ts'
import { sendsCopy } from '../core/plan-work.ts'
import { RETRIES, retryMs } from '../core/retries.ts'
import type { QueueContext } from './context.ts'
import { findPayment } from '../journal/payments.ts'

/** What is sent for a picture, and the job's notes when it is. */
export interface Upload {
  bytes: Uint8Array
  notes: Note[]
}

/**
 * The picture itself or, where the recipe allows it for a picture that is too large, a smaller copy. After the copy was made,
 * the original is verified again to have the hash it was taken in with. Null when there is no such copy or the original has
 * changed, after updating the job, and when `signal` aborted the copying.
 */
export async function uploadOf(
  context: QueueContext,
  job: Job,
  original: Uint8Array,
  signal: AbortSignal,
): Promise<Upload | null> {
  const { files, store, clock } = context
  const { image, source } = job
  if (image === null || !sendsCopy(job.recipe, source.sizeBytes)) return { bytes: original, notes: job.notes }
  const copy = await copyUnlessAborted(context, { bytes: original, sha256: image.sha256 }, signal)
  if (copy === null) return null
  if (!copy.ok) {
    store.apply(job.id, { type: 'fail', reason: { code: copy.reason, detail: copy.detail } })
    return null
  }
  if (!(await files.hasHash(source.path, image.sha256))) {
    store.apply(job.id, {
      type: 'later',
      reason: { code: 'backoff', detail: say('file_changing') },
      notBeforeMs: clock.nowMs() + retryMs(RETRIES.changingFile, 1, context.random),
      countsAsAttempt: false,
    })
    return null
  }
  const [before, after] = [`${image.width} × ${image.height}`, `${copy.width} × ${copy.height}`]
  const note: Note = { code: 'sent_downscaled', detail: before === after ? before : `${before} → ${after}` }
  return { bytes: copy.bytes, notes: [...job.notes.filter(({ code }) => code !== note.code), note] }
}

async function copyUnlessAborted(
  { files }: QueueContext,
  original: { bytes: Uint8Array; sha256: string },
  signal: AbortSignal,
): Promise<AnswerTo<'shrink'> | null> {
  try {
    return await files.shrink(original, MAX_COPY_BYTES, signal)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** What was sent instead of the original, by the notes of its job: null for the original itself. */
export function copyThatWasSent(notes: readonly Note[]): SentCopy {
  const note = notes.find(({ code }) => code === 'sent_downscaled')
  if (note === undefined) return null
  const [, width, height] = /(\d+) × (\d+)$/.exec(note.detail ?? '') ?? []
  return { size: width === undefined ? null : { width: Number(width), height: Number(height) } }
}

/** The notes of a job, including the one about the copy when another job with the same content sent it. */
export function notesWithCopy({ db, store }: QueueContext, job: Job): Note[] {
  const isAboutCopy = ({ code }: Note): boolean => code === 'sent_downscaled'
  const sent = job.paidKey !== null && sendsCopy(job.recipe, job.source.sizeBytes)
  if (!sent || job.notes.some(isAboutCopy)) return job.notes
  const payer = findPayment(db, job.paidKey!)?.jobId ?? ''
  const note = store.get(payer)?.notes.find(isAboutCopy)
  return [...job.notes, note ?? { code: 'sent_downscaled', detail: null }]
}
