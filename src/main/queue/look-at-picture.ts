import { basename, dirname, join } from 'node:path'
import type { ImageFacts, Job, Output, ServiceResult } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { FailReason, NoteCode } from '../../shared/reasons.ts'
import type { Sidecar } from '../../shared/sidecar.ts'
import { paidKeyOf, planWork, recipeSignature, sendsCopy, type WorkPlan } from '../core/plan-work.ts'
import type { QueueContext } from './context.ts'
import type { PictureOrder } from './new-job.ts'
import { findOutput, outputHash } from './outputs.ts'
import type { SourceRead } from './ports.ts'

export type Snapshot = Extract<SourceRead, { kind: 'snapshot' }>

/**
 * What a sidecar says about an order, as far as the files confirm it. It counts for results in its own folder and for
 * this order, and is never stored as knowledge about the content: anyone who can write in the folder may have made it.
 */
export interface Told {
  /** All its results are there. */
  isDone: boolean
  /** The sidecar, and those of its listed results whose bytes match. */
  outputs: Output[]
  /** What was paid for. */
  result: ServiceResult | null
  remoteJobId: string | null
}

/** What is known about a picture that was ordered. */
export type Look =
  /** `isNews`: only a sidecar or its bytes say so, the journal does not know it under this path. */
  | { kind: 'ownOutput'; isNews: boolean }
  /** The same order is under way, in doubt, or done with everything it wrote still there. */
  | { kind: 'ordered'; job: Job }
  | { kind: 'refused'; reason: FailReason; detail: string; image: ImageFacts | null }
  | { kind: 'nothingToDo'; image: ImageFacts; plan: WorkPlan }
  | { kind: 'work'; image: ImageFacts; plan: WorkPlan; paidKey: string | null; dataAfterEnd: boolean; told: Told }

/**
 * Finds out what one picture needs, and changes nothing. What shows that it is done, or one of Hangar's own, is asked
 * before it is decoded. Throws `AppError` `unreadable` when a sidecar is there and cannot be read now.
 */
export async function lookAtPicture(context: QueueContext, order: PictureOrder, read: Snapshot): Promise<Look> {
  const { db, files } = context
  if (findOutput(db, order.path)?.sha256 === read.sha256) return { kind: 'ownOutput', isNews: false }
  if (await isOwnOutput(context, order, read)) return { kind: 'ownOutput', isNews: true }
  const earlier = order.force ? null : await earlierJob(context, order, read)
  if (earlier !== null) return { kind: 'ordered', job: earlier }
  const seen = await files.inspect(read.bytes)
  if (seen.kind === 'refused') return { kind: 'refused', reason: seen.reason, detail: seen.detail, image: null }
  const { type, width, height, animated, dataAfterEnd } = seen
  const image: ImageFacts = { sha256: read.sha256, type, width, height, animated }
  const plan = planWork(order.recipe, image)
  if ('cannot' in plan) return { kind: 'refused', reason: plan.reason, detail: plan.cannot, image }
  if (animated && sendsCopy(order.recipe, read.sizeBytes)) {
    const detail = ownSentence('large_animation', { bytes: read.sizeBytes })
    return { kind: 'refused', reason: 'too_large', detail, image }
  }
  if (plan.send === null && !plan.converted) return { kind: 'nothingToDo', image, plan }
  const paidKey = plan.send === null ? null : paidKeyOf(order.serviceId, read, plan.send, order.recipe)
  const told = order.force ? NOTHING_TOLD : await toldBySidecar(context, order, read, plan)
  return { kind: 'work', image, plan, paidKey, dataAfterEnd, told }
}

async function isOwnOutput({ db, files }: QueueContext, order: PictureOrder, read: Snapshot): Promise<boolean> {
  const known = outputHash(db, read.sha256)
  // Only what is no proof is overruled, and only for a file that was named. A shell's pattern names every result of a folder.
  if (known === 'written' || (known === 'unclear' && !(order.force && order.isNamed))) return true
  return (await files.outputsToldOf(dirname(order.path))).hashes.has(read.sha256)
}

async function earlierJob(context: QueueContext, order: PictureOrder, read: Snapshot): Promise<Job | null> {
  const signature = recipeSignature(order.recipe, read.sizeBytes)
  const same = context.store
    .list({ path: order.path, newestFirst: true, limit: 50 })
    .filter((job) => job.image?.sha256 === read.sha256 && job.signature === signature)
    .filter((job) => job.serviceId === order.serviceId || job.paidKey === null)
  for (const job of same) {
    if (job.state === 'done' && (await allThere(context, job))) return job
    if (!['done', 'skipped', 'failed', 'cancelled'].includes(job.state)) return job
  }
  return null
}

async function allThere(context: QueueContext, job: Job): Promise<boolean> {
  for (const output of job.outputs.filter(({ role }) => role !== 'sidecar'))
    if (!(await context.files.hasHash(output.path, output.sha256))) return false
  const sidecar = job.outputs.find(({ role }) => role === 'sidecar')
  // A person may edit the sidecar: that it is there is enough.
  if (sidecar === undefined) return true
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, null)
  return (await context.files.readSidecar(place, basename(job.source.path))) !== null
}

const NOTHING_TOLD: Told = { isDone: false, outputs: [], result: null, remoteJobId: null }

async function toldBySidecar(
  { files }: QueueContext,
  order: PictureOrder,
  read: Snapshot,
  plan: WorkPlan,
): Promise<Told> {
  const place = files.place(order.path, order.rootDir, order.recipe.output, null)
  const found = await files.readSidecar(place, basename(order.path))
  if (found === null || !isSameOrder(found.sidecar, order, read, plan)) return NOTHING_TOLD
  const { sidecar } = found
  const wanted = (['optimized', 'converted'] as const).filter((role) => plan[role])
  const left = (code: NoteCode) => sidecar.notes.some((note) => note.startsWith(code))
  const isLeftOut = {
    optimized: left('saved_too_little'),
    converted: left('converted_not_kept') && !order.recipe.keepLarger,
  }
  let complete = true
  const ofSidecar = await files.measure(found.path)
  const outputs: Output[] =
    ofSidecar === null ? [] : [{ role: 'sidecar', path: found.path, ...ofSidecar, type: 'json', state: 'published' }]
  for (const role of wanted) {
    // Outputs of earlier rounds stay listed under their names: one that is there is enough.
    const there = await Promise.all(
      sidecar.outputs
        .filter((output) => output.role === role)
        .map(async ({ name, sha256, type }): Promise<Output[]> => {
          const path = join(place.targetDir, name)
          const file = await files.measure(path)
          return file?.sha256 === sha256 ? [{ role, path, ...file, type, state: 'published' }] : []
        }),
    )
    outputs.push(...there.flat())
    complete &&= there.some(({ length }) => length > 0) || isLeftOut[role]
  }
  const isDone = complete && sidecar.recipe.naming === order.recipe.naming
  return { isDone, outputs, result: resultTold(sidecar), remoteJobId: sidecar.service.jobId }
}

function isSameOrder(sidecar: Sidecar, order: PictureOrder, read: Snapshot, plan: WorkPlan): boolean {
  const languages = (list: readonly string[]) => [...new Set(list)].sort().join(',')
  const speaks = plan.send === 'process' || plan.send === 'analyze'
  return (
    sidecar.source.sha256 === read.sha256 &&
    sidecar.recipe.sent === plan.send &&
    (plan.send === null || sidecar.service.id === order.serviceId) &&
    (!speaks || languages(sidecar.recipe.languages) === languages(order.recipe.languages)) &&
    (!plan.converted || sidecar.recipe.format === order.recipe.format)
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
