import { basename, dirname, join } from 'node:path'
import type { ImageFacts, Job, Output, ServiceResult } from '../../shared/job.ts'
import { say, type Sentence } from '../../shared/sentence.ts'
import type { Recipe } from '../../shared/recipe.ts'
import type { FailReason, NoteCode } from '../../shared/reasons.ts'
import type { OutputShape, Sidecar } from '../../shared/sidecar.ts'
import { isSameShape, leavesOutAlike, shapeOf, shapeUnsaid, type ShapedRole } from '../core/output-shape.ts'
import { makesNothing, paidKeyOf, planWork, recipeSignature, sendsCopy, type WorkPlan } from '../core/plan-work.ts'
import type { LookContext } from './context.ts'
import type { PictureOrder } from './new-job.ts'
import { findOutput, outputHash } from '../journal/outputs.ts'
import type { Placement, SourceRead } from './ports.ts'

export type Snapshot = Extract<SourceRead, { kind: 'snapshot' }>

/**
 * What a sidecar says about this picture and recipe, as far as the files confirm it. It applies only to results in its own
 * folder and to this request, and is never stored as knowledge about the content: anyone who can write to the folder may have
 * made it.
 */
export interface Told {
  /** All its results exist. */
  isDone: boolean
  /** The sidecar, and those of the results it lists whose bytes match. */
  outputs: Output[]
  /** The paid result. */
  result: ServiceResult | null
  remoteJobId: string | null
}

/** What is known about a requested picture. */
export type Look =
  /** `isNews`: only a sidecar or its bytes identify it, the journal does not know it under this path. */
  | { kind: 'ownOutput'; isNews: boolean }
  /** A job for the same content and recipe is under way, unknown, or done with every output still in place. */
  | { kind: 'ordered'; job: Job }
  | { kind: 'refused'; reason: FailReason; detail: Sentence; image: ImageFacts | null }
  | { kind: 'nothingToDo'; image: ImageFacts; plan: WorkPlan }
  | { kind: 'work'; image: ImageFacts; plan: WorkPlan; paidKey: string | null; told: Told }

/**
 * Finds out what one picture needs, and changes nothing. Whether it is done, or one of Hangar's own outputs, is checked before
 * it is decoded. Throws `AppError` `unreadable` when a sidecar exists but cannot be read now, and `aborted`.
 */
export async function lookAtPicture(
  context: LookContext,
  order: PictureOrder,
  read: Snapshot,
  signal?: AbortSignal,
): Promise<Look> {
  const { db, files } = context
  if (findOutput(db, order.path)?.sha256 === read.sha256) return { kind: 'ownOutput', isNews: false }
  if (await isOwnOutput(context, order, read)) return { kind: 'ownOutput', isNews: true }
  const earlier = order.force ? null : await earlierJob(context, order, read)
  if (earlier !== null) return { kind: 'ordered', job: earlier }
  const seen = await files.inspect(read.bytes, signal)
  if (seen.kind === 'refused') return { kind: 'refused', reason: seen.reason, detail: seen.detail, image: null }
  const { type, width, height, animated, frames, extras } = seen
  const image: ImageFacts = { sha256: read.sha256, type, width, height, animated, frames, extras }
  const plan = planWork(order.recipe, image)
  if ('cannot' in plan) return { kind: 'refused', reason: plan.reason, detail: plan.cannot, image }
  if (animated && sendsCopy(order.recipe, read.sizeBytes)) {
    const detail = say('large_animation', { bytes: read.sizeBytes })
    return { kind: 'refused', reason: 'too_large', detail, image }
  }
  if (makesNothing(plan)) return { kind: 'nothingToDo', image, plan }
  const paidKey = plan.send === null ? null : paidKeyOf(order.serviceId, read, plan.send, order.recipe)
  const told = order.force ? NOTHING_TOLD : await toldBySidecar(context, order, read, plan)
  return { kind: 'work', image, plan, paidKey, told }
}

async function isOwnOutput({ db, files }: LookContext, order: PictureOrder, read: Snapshot): Promise<boolean> {
  const known = outputHash(db, read.sha256)
  // `force` overrules only a hash that proves nothing, and only for a named file, since a shell's glob names every result in a
  // folder.
  if (known === 'written' || (known === 'unclear' && !(order.force && order.isNamed))) return true
  return (await files.outputsToldOf(dirname(order.path), read.changedNs)).hashes.has(read.sha256)
}

async function earlierJob(context: LookContext, order: PictureOrder, read: Snapshot): Promise<Job | null> {
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

async function allThere(context: LookContext, job: Job): Promise<boolean> {
  for (const output of job.outputs.filter(({ role }) => role !== 'sidecar'))
    if (!(await context.files.hasHash(output.path, output.sha256))) return false
  const sidecar = job.outputs.find(({ role }) => role === 'sidecar')
  // A person may have edited the sidecar: its existence is enough.
  if (sidecar === undefined) return true
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, null)
  return (await context.files.readSidecar(place, basename(job.source.path))) !== null
}

const NOTHING_TOLD: Told = { isDone: false, outputs: [], result: null, remoteJobId: null }

async function toldBySidecar(context: LookContext, order: PictureOrder, read: Snapshot, plan: WorkPlan): Promise<Told> {
  const { files } = context
  const place = files.place(order.path, order.rootDir, order.recipe.output, null)
  const found = await files.readSidecar(place, basename(order.path))
  if (found === null || !isSamePayment(found.sidecar, order, read, plan)) return NOTHING_TOLD
  const { sidecar } = found
  const { recipe } = order
  const wanted: { role: ShapedRole; width?: number }[] = [
    ...(['optimized', 'converted'] as const).filter((role) => plan[role]).map((role) => ({ role })),
    ...plan.widths.map((width) => ({ role: 'variant' as const, width })),
  ]
  let complete = true
  const ofSidecar = await files.measure(found.path)
  const outputs: Output[] =
    ofSidecar === null ? [] : [{ role: 'sidecar', path: found.path, ...ofSidecar, type: 'json', state: 'published' }]
  for (const { role, width } of wanted) {
    const isOfRole = ({ role: told, type }: Sidecar['outputs'][number]): boolean =>
      role === 'optimized' ? told === role : told === 'converted' && type === recipe.format
    // Outputs of earlier runs stay listed under their names: one that exists is enough.
    const there = await Promise.all(
      sidecar.outputs
        .filter(isOfRole)
        .filter((output) => isSameShape(shapeTold(context, sidecar, output, place), shapeOf(recipe, role, width)))
        .map(async ({ name, sha256, type, width: wide, height }): Promise<Output[]> => {
          const path = join(place.targetDir, name)
          const file = await files.measure(path)
          const size = wide === undefined || height === undefined ? {} : { width: wide, height }
          return file?.sha256 === sha256 ? [{ role, path, ...file, type, state: 'published', ...size }] : []
        }),
    )
    outputs.push(...there.flat())
    complete &&= there.some(({ length }) => length > 0) || isLeftOut(sidecar, recipe, plan, role, width)
  }
  const isDone = complete && sidecar.recipe.naming === order.recipe.naming
  return { isDone, outputs, result: resultTold(sidecar), remoteJobId: sidecar.service.jobId }
}

/** Whether the last run left a file out, and this one would too. */
function isLeftOut(sidecar: Sidecar, recipe: Recipe, plan: WorkPlan, role: ShapedRole, width?: number): boolean {
  const left = (code: NoteCode) => sidecar.notes.find((note) => note.startsWith(code))
  switch (role) {
    case 'optimized':
      return (
        left('frames_lost') !== undefined ||
        (left('saved_too_little') !== undefined && leavesOutAlike(sidecar, recipe, role)) ||
        (left('optimized_not_cleaned') !== undefined && recipe.metadata !== 'keep-all')
      )
    case 'converted':
      return left('converted_not_kept') !== undefined && leavesOutAlike(sidecar, recipe, role)
    case 'variant': {
      // Each variant is compared with the next wider one.
      const isSameSet = sidecar.recipe.widths?.join() === plan.widths.join()
      const widths = left('widths_not_kept')?.match(/\d+/g)
      return isSameSet && widths?.includes(`${width}`) === true && leavesOutAlike(sidecar, recipe, 'converted')
    }
  }
}

/** The settings that shaped an output: from the sidecar's entry, or else from the local job that wrote it. */
function shapeTold(
  { db, store }: LookContext,
  sidecar: Sidecar,
  { name, role, sha256, made }: Sidecar['outputs'][number],
  { targetDir }: Placement,
): Partial<OutputShape> {
  if (made !== undefined) return made
  const known = findOutput(db, join(targetDir, name))
  const recipe = known?.sha256 === sha256 ? store.get(known.jobId)?.recipe : undefined
  return recipe === undefined ? shapeUnsaid(sidecar, role) : shapeOf(recipe, role)
}

/** Whether the sidecar is about the same payment as this request. What is made here from the result is separate, and free. */
function isSamePayment(sidecar: Sidecar, order: PictureOrder, read: Snapshot, plan: WorkPlan): boolean {
  const languages = (list: readonly string[]) => [...new Set(list)].sort().join(',')
  const speaks = plan.send === 'process' || plan.send === 'analyze'
  const converts = plan.send === 'process' || plan.send === 'convert'
  return (
    sidecar.source.sha256 === read.sha256 &&
    sidecar.recipe.sent === plan.send &&
    (plan.send === null || sidecar.service.id === order.serviceId) &&
    (!speaks || languages(sidecar.recipe.languages) === languages(order.recipe.languages)) &&
    (!converts || sidecar.recipe.format === order.recipe.format)
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
