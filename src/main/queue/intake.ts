import { basename, dirname, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { ImageFacts, Job, ServiceResult } from '../../shared/job.ts'
import type { Recipe, ServiceId } from '../../shared/recipe.ts'
import type { Reason } from '../../shared/reasons.ts'
import type { Sidecar } from '../../shared/sidecar.ts'
import { paidKeyOf, planWork, recipeSignature, type WorkPlan } from '../core/plan-work.ts'
import type { QueueContext } from './context.ts'
import { findOutput, isOutputHash, rememberOutputHash } from './outputs.ts'
import { importPayment, lastDispatch } from './payments.ts'
import type { SourceRead } from './ports.ts'
import { recordSeen, type SeenVerdict } from './seen.ts'

/** A stable file that a watched folder or a person named. */
export interface IntakeRequest {
  path: string
  /** The folder that was given or is watched; the file lies in it. */
  rootDir: string
  folderId: string | null
  batchId: string
  recipe: Recipe
  serviceId: ServiceId
  /** Do it again although it is done; it may be charged again. */
  force: boolean
  /** A file that ends too early is not failed yet: it may still be on its way. */
  mayBeUnfinished: boolean
}

export type IntakeOutcome =
  | { kind: 'job'; job: Job }
  /** Nothing to do, and nothing new to list: the job that did it, if it is still in the journal. */
  | { kind: 'known'; reason: 'already_done' | 'own_output'; job: Job | null }
  | { kind: 'again' }
  | { kind: 'ignored' }

type Snapshot = Extract<SourceRead, { kind: 'snapshot' }>

/**
 * Takes one file in: reads it once, recognises Hangar's own outputs (by journal and by sidecar) and what is done
 * already, looks inside, and makes the job. Nothing is sent. Only `again` and `ignored` leave no trace.
 */
export async function takeIn(
  context: QueueContext,
  makeId: () => string,
  request: IntakeRequest,
): Promise<IntakeOutcome> {
  const read = await context.files.readSource(request.path, request.rootDir)
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
  const { db } = context
  if (findOutput(db, request.path)?.sha256 === read.sha256) return known(context, request, read, 'own_output', null)
  if (isOutputHash(db, read.sha256) || (await isToldOutput(context, request, read))) {
    const job = newJob(context, makeId, request, read, null)
    return listed(context, request, read, endedJob(job, 'skipped', { code: 'own_output', detail: null }))
  }
  const earlier = request.force ? null : await earlierJob(context, request, read.sha256)
  if (earlier?.state === 'done') return known(context, request, read, 'already_done', earlier)
  if (earlier != null) return { kind: 'job', job: earlier }
  const seen = await context.files.inspect(read.bytes)
  if (seen.kind === 'refused') {
    if (seen.reason === 'cut_off' && request.mayBeUnfinished) return { kind: 'again' }
    const job = newJob(context, makeId, request, read, null)
    return listed(context, request, read, endedJob(job, 'failed', { code: seen.reason, detail: seen.detail }))
  }
  const { type, width, height, animated } = seen
  const image: ImageFacts = { sha256: read.sha256, type, width, height, animated }
  const job = newJob(context, makeId, request, read, image)
  const plan = planWork(request.recipe, image)
  if ('cannot' in plan)
    return listed(context, request, read, endedJob(job, 'failed', { code: 'wrong_type', detail: plan.cannot }))
  if (plan.send === null && !plan.converted) {
    const ended = {
      ...endedJob(job, 'skipped', { code: 'already_done', detail: plan.notes[0]?.detail ?? null }),
      notes: plan.notes,
    }
    return listed(context, request, read, ended)
  }
  job.operation = plan.send
  job.paidKey = plan.send === null ? null : paidKeyOf(request.serviceId, read.sha256, plan.send, request.recipe)
  if (request.force && job.paidKey !== null) job.orderCovers = lastDispatch(context.db, job.paidKey)
  if (seen.dataAfterEnd) job.notes.push({ code: 'data_after_image_end', detail: null })
  if (!request.force && (await toldBySidecar(context, request, job, plan)) === 'done')
    return listed(context, request, read, endedJob(job, 'skipped', { code: 'already_done', detail: null }))
  return listed(context, request, read, job)
}

async function isToldOutput(context: QueueContext, request: IntakeRequest, read: Snapshot): Promise<boolean> {
  const told = await context.files.outputsToldOf(dirname(request.path))
  if (told.get(basename(request.path)) !== read.sha256) return false
  rememberOutputHash(context.db, read.sha256)
  return true
}

/** A job for the same order that is under way, in doubt, or done with everything it wrote still there. */
async function earlierJob(context: QueueContext, request: IntakeRequest, sha256: string): Promise<Job | null> {
  const signature = recipeSignature(request.recipe)
  const same = context.store
    .list({ path: request.path, newestFirst: true, limit: 50 })
    .filter((job) => job.image?.sha256 === sha256 && job.signature === signature)
    .filter((job) => job.serviceId === request.serviceId || job.paidKey === null)
  for (const job of same) {
    if (job.state === 'done' && (await allThere(context, job))) return job
    if (!['done', 'skipped', 'failed', 'cancelled'].includes(job.state)) {
      context.store.move(job.id, request.batchId)
      return context.store.get(job.id)
    }
  }
  return null
}

async function allThere(context: QueueContext, job: Job): Promise<boolean> {
  for (const output of job.outputs.filter(({ role }) => role !== 'sidecar'))
    if (!(await context.files.hasHash(output.path, output.sha256))) return false
  const sidecar = job.outputs.find(({ role }) => role === 'sidecar')
  // A person may edit the sidecar: that it is there is enough.
  return (
    sidecar === undefined ||
    (await context.files.readSidecar(dirname(sidecar.path), basename(job.source.path))) !== null
  )
}

/**
 * What a sidecar beside the picture says about this order: done with all its files there, paid for (then the payment
 * is noted, so that publishing again is free), or nothing.
 */
async function toldBySidecar(
  context: QueueContext,
  request: IntakeRequest,
  job: Job,
  plan: WorkPlan,
): Promise<'done' | 'open'> {
  const place = context.files.place(request.path, request.rootDir, request.recipe.output, null)
  const found = await context.files.readSidecar(place.targetDir, basename(request.path))
  if (found === null || !isSameOrder(found.sidecar, request, job, plan)) return 'open'
  const { sidecar } = found
  const wanted = [...(plan.optimized ? ['optimized'] : []), ...(plan.converted ? ['converted'] : [])]
  const tooLittle = sidecar.notes.some((note) => note.startsWith('saved_too_little'))
  let complete = true
  for (const role of wanted) {
    // Outputs of earlier rounds stay listed under their names: one that is there is enough.
    const ofRole = sidecar.outputs.filter((output) => output.role === role)
    const there = await Promise.all(
      ofRole.map(({ name, sha256 }) => context.files.hasHash(join(place.targetDir, name), sha256)),
    )
    // Only what really stands there is remembered: a sidecar could name any hash.
    ofRole.forEach(({ sha256 }, n) => there[n] === true && rememberOutputHash(context.db, sha256))
    complete &&= there.includes(true) || (role === 'optimized' && tooLittle)
  }
  const result = resultTold(sidecar)
  if (job.paidKey !== null && result !== null)
    importPayment(context.db, {
      paidKey: job.paidKey,
      serviceId: job.serviceId,
      remoteJobId: sidecar.service.jobId,
      result,
      atMs: context.clock.nowMs(),
    })
  return complete && sidecar.recipe.naming === request.recipe.naming ? 'done' : 'open'
}

function isSameOrder(sidecar: Sidecar, request: IntakeRequest, job: Job, plan: WorkPlan): boolean {
  const languages = (list: readonly string[]) => [...new Set(list)].sort().join(',')
  const speaks = plan.send === 'process' || plan.send === 'analyze'
  return (
    sidecar.source.sha256 === job.image?.sha256 &&
    sidecar.recipe.sent === plan.send &&
    (plan.send === null || sidecar.service.id === job.serviceId) &&
    (!speaks || languages(sidecar.recipe.languages) === languages(request.recipe.languages)) &&
    (!plan.converted || sidecar.recipe.format === request.recipe.format)
  )
}

function resultTold(sidecar: Sidecar): ServiceResult | null {
  if (sidecar.service.imageId === null) return null
  return {
    imageId: sidecar.service.imageId,
    originalSize: null,
    optimizedSize: null,
    convertedFormat: null,
    convertedSize: null,
    compressionPercentage: null,
    translations: sidecar.translations.map(({ languageCode, seoFilename, seoAltText }) => ({
      languageCode,
      seoFilename,
      seoAltText,
    })),
  }
}

function newJob(
  context: QueueContext,
  makeId: () => string,
  request: IntakeRequest,
  file: { sizeBytes: number; mtimeNs: string },
  image: ImageFacts | null,
): Job {
  const nowMs = context.clock.nowMs()
  return {
    id: makeId(),
    batchId: request.batchId,
    folderId: request.folderId,
    rootDir: request.rootDir,
    source: { path: request.path, sizeBytes: file.sizeBytes, mtimeNs: file.mtimeNs },
    image,
    recipe: request.recipe,
    signature: recipeSignature(request.recipe),
    operation: null,
    serviceId: request.serviceId,
    paidKey: null,
    state: 'ready',
    resume: null,
    reason: null,
    notes: [],
    remoteJobId: null,
    accountId: null,
    result: null,
    outputs: [],
    attempts: 0,
    notBeforeMs: null,
    sentAtMs: null,
    polls: 0,
    lastPollAtMs: null,
    resendOrdered: false,
    force: request.force,
    orderCovers: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

function endedJob(job: Job, state: 'failed' | 'skipped', reason: Reason): Job {
  return { ...job, state, reason: { ...reason, detail: reason.detail?.slice(0, 500) ?? null } }
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
