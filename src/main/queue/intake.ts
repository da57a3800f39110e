import { AppError } from '../../shared/errors.ts'
import type { ImageFacts, Job } from '../../shared/job.ts'
import type { Note, Reason } from '../../shared/reasons.ts'
import { maxSourceBytes } from '../core/plan-work.ts'
import type { QueueContext } from './context.ts'
import { lookAtPicture, type Look, type Snapshot } from './look-at-picture.ts'
import { endedJob, newJob, type PictureOrder } from './new-job.ts'
import { findPayment, lastDispatch } from './payments.ts'
import { recordSeen, type SeenVerdict } from './seen.ts'

/** A stable file that a watched folder or a person named. */
export interface IntakeRequest extends PictureOrder {
  /** A file that ends too early is not failed yet: it may still be on its way. */
  mayBeUnfinished: boolean
}

export type IntakeOutcome =
  | { kind: 'job'; job: Job }
  /** Nothing to do, and nothing new to list: the job that did it, if it is still in the journal. */
  | { kind: 'known'; reason: 'already_done' | 'own_output'; job: Job | null }
  | { kind: 'again' }
  | { kind: 'ignored' }

/**
 * Takes one file in: reads it once, recognises Hangar's own outputs (by journal and by sidecar) and what is done
 * already, looks inside, and makes the job. Nothing is sent. Only `again` and `ignored` leave no trace.
 */
export function takeIn(context: QueueContext, makeId: () => string, request: IntakeRequest): Promise<IntakeOutcome> {
  return context.intakeTurns(request.path, () => takeInNow(context, makeId, request))
}

async function takeInNow(context: QueueContext, makeId: () => string, request: IntakeRequest): Promise<IntakeOutcome> {
  const read = await context.files.readSource(request.path, request.rootDir, maxSourceBytes(request.recipe))
  switch (read.kind) {
    case 'gone':
    case 'ignored':
      return { kind: 'ignored' }
    case 'changing':
      return { kind: 'again' }
    case 'refused': {
      const job = newJob(context, makeId, request, { sizeBytes: read.sizeBytes, mtimeNs: read.mtimeNs }, null)
      return listed(context, request, { ...read }, endedJob(job, 'failed', { code: read.reason, detail: read.detail }))
    }
    case 'snapshot':
      return takeSnapshotIn(context, makeId, request, read)
  }
}

/** What cannot be known now (a sidecar that is there and cannot be read) is no reason to pay: it is looked at again. */
async function takeSnapshotIn(
  context: QueueContext,
  makeId: () => string,
  request: IntakeRequest,
  read: Snapshot,
): Promise<IntakeOutcome> {
  try {
    return await decide(context, makeId, request, read)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unreadable') throw error
    if (request.mayBeUnfinished) return { kind: 'again' }
    const job = newJob(context, makeId, request, read, null)
    return listed(context, request, read, endedJob(job, 'failed', { code: 'unreadable', detail: error.message }))
  }
}

async function decide(
  context: QueueContext,
  makeId: () => string,
  request: IntakeRequest,
  read: Snapshot,
): Promise<IntakeOutcome> {
  const look = await lookAtPicture(context, request, read)
  const ended = (image: ImageFacts | null, state: 'failed' | 'skipped', reason: Reason, notes: Note[] = []) =>
    listed(context, request, read, {
      ...endedJob(newJob(context, makeId, request, read, image), state, reason),
      notes,
    })
  switch (look.kind) {
    case 'ownOutput':
      if (!look.isNews) return known(context, request, read, 'own_output', null)
      return ended(null, 'skipped', { code: 'own_output', detail: null })
    case 'ordered':
      if (look.job.state === 'done') return known(context, request, read, 'already_done', look.job)
      context.store.move(look.job.id, request.batchId)
      return { kind: 'job', job: context.store.get(look.job.id) ?? look.job }
    case 'refused':
      if (look.reason === 'cut_off' && request.mayBeUnfinished) return { kind: 'again' }
      return ended(look.image, 'failed', { code: look.reason, detail: look.detail })
    case 'nothingToDo': {
      const detail = look.plan.notes[0]?.detail ?? null
      return ended(look.image, 'skipped', { code: 'already_done', detail }, look.plan.notes)
    }
    case 'work':
      return listed(context, request, read, jobFor(context, makeId, request, read, look))
  }
}

/** The job for a picture that needs work. A result listed in its sidecar counts for this job only. */
function jobFor(
  context: QueueContext,
  makeId: () => string,
  request: IntakeRequest,
  read: Snapshot,
  { image, plan, paidKey, dataAfterEnd, told }: Extract<Look, { kind: 'work' }>,
): Job {
  const { db } = context
  const job = { ...newJob(context, makeId, request, read, image), operation: plan.send, paidKey }
  if (request.force && paidKey !== null) job.orderCovers = lastDispatch(db, paidKey)
  if (dataAfterEnd) job.notes.push({ code: 'data_after_image_end', detail: null })
  if (told.isDone) {
    // It shows what the job that made the files showed: its files, and the service's texts where this journal has them.
    const result = (paidKey === null ? null : findPayment(db, paidKey)?.result) ?? told.result
    const done = { ...job, result, remoteJobId: told.remoteJobId, outputs: told.outputs }
    return endedJob(done, 'skipped', { code: 'already_done', detail: null })
  }
  return paidKey === null ? job : { ...job, result: told.result, remoteJobId: told.remoteJobId }
}

/** Lists a job; ended ones for the same file that nobody needs any more make room for it. */
function listed(
  context: QueueContext,
  request: IntakeRequest,
  file: { sizeBytes: number; mtimeNs: string; ino: string },
  job: Job,
): IntakeOutcome {
  context.store.replaceEnded(job)
  seenAs(context, request, file, job.reason?.code === 'own_output' ? 'own_output' : 'job', job.id)
  return { kind: 'job', job }
}

function known(
  context: QueueContext,
  request: IntakeRequest,
  read: Snapshot,
  reason: 'already_done' | 'own_output',
  job: Job | null,
): IntakeOutcome {
  // A look in between may have failed, for want of a descriptor or because of a bad cable: that is over.
  context.store.forgetEnded(request.path)
  seenAs(context, request, read, reason, job?.id ?? null)
  return { kind: 'known', reason, job }
}

function seenAs(
  context: QueueContext,
  request: IntakeRequest,
  file: { sizeBytes: number; mtimeNs: string; ino: string },
  verdict: SeenVerdict,
  jobId: string | null,
): void {
  const { sizeBytes, mtimeNs, ino } = file
  recordSeen(context.db, { path: request.path, sizeBytes, mtimeNs, ino }, verdict, jobId)
}
