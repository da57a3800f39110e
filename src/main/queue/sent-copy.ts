import { basename, extname } from 'node:path'
import { PICTURE_SUFFIXES } from '../../shared/jobs/picture-name.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { MAX_COPY_BYTES } from '../../shared/recipes/recipe.ts'
import type { Note } from '../../shared/sentences/reasons.ts'
import type { SentCopy } from '../core/judge-served.ts'
import type { AnswerTo, HashedBytes } from '../core/picture-tasks.ts'
import { isSentConverted, sendsCopy, uploadTypeOf } from '../core/plan-work.ts'
import { failed, held } from '../core/transition.ts'
import { whileFileChanges, type QueueContext } from './context.ts'
import { findPayment } from '../journal/payments.ts'
import type { Finishing } from './finishing.ts'

/** What is sent for a picture, and the job's notes when it is. */
export interface Upload {
  bytes: Uint8Array
  notes: Note[]
}

/** The name and type of the file that is sent. */
export function nameForUpload({ source, image }: Job): { filename: string; contentType: string } {
  const name = basename(source.path)
  const type = uploadTypeOf(image!)
  const filename = isSentConverted(image!.type) ? `${basename(name, extname(name))}.${PICTURE_SUFFIXES[type][0]}` : name
  return { filename, contentType: `image/${type}` }
}

/**
 * The picture, or a copy: a JPEG or PNG of a type that the service does not take, or a smaller one where the recipe allows it. After
 * copying, the original's hash is verified again. Null when there is no copy to send, after updating the job.
 */
export async function uploadOf(
  context: QueueContext,
  job: Job,
  original: Uint8Array,
  signal: AbortSignal,
): Promise<Upload | null> {
  const { files, store } = context
  const { image, source } = job
  if (image === null || !sendsCopy(job.recipe, image.type, source.sizeBytes))
    return { bytes: original, notes: job.notes }
  const copy = await copyUnlessAborted(context, job, { bytes: original, sha256: image.sha256 }, signal)
  if (copy === null) return null
  if (!copy.ok) {
    store.apply(job.id, failed(copy.reason, copy.detail))
    return null
  }
  if (!(await files.hasHash(source.path, image.sha256))) {
    store.apply(job.id, whileFileChanges(context))
    return null
  }
  const note: Note = { code: noteCode(job), detail: inWords(job, copy) }
  return { bytes: copy.bytes, notes: [...job.notes.filter(({ code }) => code !== note.code), note] }
}

const noteCode = ({ image }: Job) => (isSentConverted(image!.type) ? 'sent_converted' : 'sent_downscaled')

function inWords({ image }: Job, copy: { width: number; height: number }): string {
  const [before, after] = [`${image!.width} × ${image!.height}`, `${copy.width} × ${copy.height}`]
  const size = before === after ? before : `${before} → ${after}`
  return isSentConverted(image!.type) ? `${uploadTypeOf(image!).toUpperCase()}, ${size}` : size
}

/** Null also if there is no room on the disk to make it: the job is then held. */
async function copyUnlessAborted(
  { files, store, writing }: QueueContext,
  { id, recipe, image }: Job,
  original: HashedBytes,
  signal: AbortSignal,
): Promise<AnswerTo<'shrink'> | null> {
  const isConverted = isSentConverted(image!.type)
  const wanted = {
    type: uploadTypeOf(image!),
    maxBytes: MAX_COPY_BYTES,
    // What is made for its type alone keeps its pixels, unless the recipe lets go of them.
    keepsPixels: isConverted && recipe.oversize === 'refuse',
  }
  try {
    return await files.shrink(original, wanted, signal)
  } catch (error) {
    if (signal.aborted) return null
    if (!(error instanceof AppError) || error.code !== 'disk_full') throw error
    writing.isBlocked = true
    if (store.get(id)?.state === 'ready') store.apply(id, held('disk_full', error.sentence))
    return null
  }
}

const isAboutCopy = ({ code }: Note): boolean => code === 'sent_downscaled' || code === 'sent_converted'

/** Whether what was sent has fewer pixels than the picture, or may have. */
export function isSmallerThanOriginal({ image, notes }: Pick<Finishing, 'image' | 'notes'>): boolean {
  if (notes.some(({ code }) => code === 'sent_downscaled')) return true
  const copy = copyThatWasSent({ notes })
  return copy !== null && (copy.size?.width !== image.width || copy.size.height !== image.height)
}

/** What was sent instead of the original, by the notes of its job: null for the original itself. */
export function copyThatWasSent({ notes }: Pick<Finishing, 'notes'>): SentCopy {
  const note = notes.find(isAboutCopy)
  if (note === undefined) return null
  const [, width, height] = /(\d+) × (\d+)$/.exec(note.detail ?? '') ?? []
  return { size: width === undefined ? null : { width: Number(width), height: Number(height) } }
}

/** The notes of a job, including the one about the copy when another job with the same content sent it. */
export function notesWithCopy({ db, store }: QueueContext, job: Job): Note[] {
  const { image, paidKey, recipe, source } = job
  const sent = paidKey !== null && image !== null && sendsCopy(recipe, image.type, source.sizeBytes)
  if (!sent || job.notes.some(isAboutCopy)) return job.notes
  const payer = findPayment(db, paidKey)?.jobId ?? ''
  const note = store.get(payer)?.notes.find(isAboutCopy)
  return [...job.notes, note ?? { code: noteCode(job), detail: null }]
}
