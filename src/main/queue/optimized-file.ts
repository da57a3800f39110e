import { join } from 'node:path'
import type { Extra, Output } from '../../shared/jobs/job.ts'
import { embedsTexts, isShown } from '../../shared/recipes/recipe-facts.ts'
import type { CreditCode, MetadataLoss, Note } from '../../shared/sentences/reasons.ts'
import { isSameShape, shapeOf } from '../core/output-shape.ts'
import { maxSourceBytes, namesFollowLanguage, uploadTypeOf } from '../core/plan-work.ts'
import { findOutput } from '../journal/outputs.ts'
import { failed } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import { fetchOptimized } from './fetch-optimized.ts'
import { noteLost, stageFor, type Finishing, type KeptOptimized, type Step } from './finishing.ts'
import type { Lane } from './lane.ts'
import type { StagedFile } from '../core/published-output.ts'
import { copyThatWasSent } from './sent-copy.ts'

/** Adds the existing compressed file, or the service's with the recipe's metadata; only a note if it saves too little or lacks some. */
export async function addOptimized(context: QueueContext, lane: Lane | null, work: Finishing): Promise<Step> {
  const { job, image, bytes } = work
  if (!work.plan.optimized) return DONE
  const largest = bytes.byteLength * (1 - job.recipe.minSavingPercent / 100)
  const isWorthIt = ({ sizeBytes }: { sizeBytes: number }): boolean =>
    !isShown(image.type) || (job.recipe.minSavingPercent === 0 ? sizeBytes < largest : sizeBytes <= largest)
  const kept = await keptOptimized(context, work)
  if (kept !== null && isWorthIt(kept.output)) {
    work.kept = kept
    work.outputs.push(kept.output)
    return DONE
  }
  const fetched = await fetchOptimized(context, lane, work)
  if (fetched.stop !== null) return fetched
  const { frames } = fetched
  const judged = await publishable(context, work, fetched.file)
  if (judged.stop !== null) return judged
  const served = judged.file
  const original = work.image.frames
  if (frames < original) {
    await context.files.discard(served)
    work.notes = work.notes.filter(({ code }) => code !== 'animation_may_be_lost')
    work.notes.push({ code: 'frames_lost', detail: `${original} → ${frames}` })
    return DONE
  }
  if (original > 1)
    work.notes = work.notes.map((note) => (note.code === 'animation_may_be_lost' ? ANIMATION_KEPT : note))
  let file = served
  // Removing metadata is not compression: the service's file must save enough before it.
  if (isWorthIt(served)) {
    const applied = await withRecipeMetadata(context, work, served)
    if (applied.stop !== null) return applied
    if (applied.part === null) {
      await context.files.discard(served)
      work.notes.push({ code: 'optimized_not_cleaned', detail: job.recipe.metadata === 'strip' ? 'all' : 'place' })
      return DONE
    }
    const { extras, lost, unchecked } = applied.part
    file = applied.part.file
    if (isWorthIt(file)) {
      noteLost(work, lost)
      if (unchecked.length > 0) work.notes.push({ code: 'credits_unchecked', detail: unchecked.join(',') })
      work.staged.push({ role: 'optimized', type: uploadTypeOf(image), file, extras })
      return DONE
    }
  }
  await context.files.discard(file)
  const saved = Math.round((1 - file.sizeBytes / bytes.byteLength) * 100)
  work.notes.push({ code: 'saved_too_little', detail: `${saved}` })
  return DONE
}

const DONE = { stop: null } as const
const ANIMATION_KEPT: Note = { code: 'animation_kept', detail: null }

/**
 * The existing compressed file if it is exactly what this job would write: only settings for files made here have changed. The sidecar
 * says what shaped it, the journal that it is ours, its bytes that it is unchanged. Null where files carry
 * texts, which may have changed, and for a job that was sent itself.
 */
async function keptOptimized(
  { db, files }: QueueContext,
  { job, place, signal }: Finishing,
): Promise<KeptOptimized | null> {
  const { recipe, source, image } = job
  if (embedsTexts(recipe)) return null
  if (job.sentAtMs !== null || recipe.output.kind === 'replace' || image === null || image.animated) return null
  const earlier = (await files.readSidecar(place, image.sha256))?.sidecar
  if (earlier === undefined) return null
  const isNamedAlike =
    earlier.recipe.naming === recipe.naming &&
    (!namesFollowLanguage(recipe) || earlier.recipe.languages[0] === recipe.languages[0])
  // What it lacks is known only after making it.
  if (
    !isNamedAlike ||
    earlier.notes.some((note) => /^(?:credits_(?:lost|unchecked)|(?:descriptions|details)_lost)/.test(note))
  )
    return null
  const wanted = shapeOf(recipe, 'optimized')
  for (const { role, name, sha256, type, made, of } of earlier.outputs) {
    if (role !== 'optimized' || of !== undefined || made === undefined || !isSameShape(made, wanted)) continue
    const path = join(place.targetDir, name)
    const known = findOutput(db, path)
    if (known?.sourcePath !== source.path || known.sha256 !== sha256 || known.state !== 'published') continue
    const read = await files.readSource(path, place.targetRoot, maxSourceBytes(recipe))
    if (read.kind !== 'snapshot' || read.sha256 !== sha256) continue
    const seen = await files.pictures.inspect({ bytes: read.bytes }, signal)
    signal.throwIfAborted()
    if (!seen.ok || seen.type !== type) continue
    const output: Output = { role, path, sha256, sizeBytes: read.sizeBytes, type, state: 'published' }
    return { output, extras: seen.extras }
  }
  return null
}

/**
 * Lets only a file through that shows its original, with what the service dropped put back. Otherwise the job fails, and the file is
 * kept aside for a person. The service was paid and is not asked again.
 */
async function publishable(
  context: QueueContext,
  work: Finishing,
  served: StagedFile,
): Promise<Step<{ file: StagedFile }>> {
  const { files, log } = context
  const { job, image, bytes: original, signal } = work
  const given = await files.readStaged(served)
  const judged = await files.pictures.judge({ bytes: given, original, copy: copyThatWasSent(work) }, signal)
  signal.throwIfAborted()
  if (!judged.ok) return { stop: failed('download_broken', judged.detail) }
  if (!judged.fits) {
    await files.setAside(job.id, given, uploadTypeOf(image)).catch((error: unknown) => {
      log.warn('a file that was not taken could not be kept', { job: job.id, error: String(error) })
    })
    return { stop: failed('not_this_picture', judged.why) }
  }
  work.losses = judged.losses
  const { bytes } = judged
  return {
    stop: null,
    file: bytes === null ? served : await stageFor(context, work, 'optimized', (sink) => sink(bytes)),
  }
}

interface PartWithMetadata {
  file: StagedFile
  extras: readonly Extra[]
  /** Metadata of the original. */
  lost: readonly MetadataLoss[]
  /** Credits of the original that the file may lack: its own metadata cannot be parsed. */
  unchecked: readonly CreditCode[]
}

/** Stages the service's file with the recipe's metadata. `part` is null when metadata that must go cannot be removed for certain. */
async function withRecipeMetadata(
  context: QueueContext,
  work: Finishing,
  served: StagedFile,
): Promise<Step<{ part: PartWithMetadata | null }>> {
  const { files } = context
  const before = await files.readStaged(served)
  const asked = { bytes: before, original: work.bytes, metadata: work.job.recipe.metadata }
  const applied = await files.pictures.applyMetadata(asked, work.signal)
  work.signal.throwIfAborted()
  if (!applied.ok) return { stop: failed('not_cleaned', applied.detail) }
  if (applied.bytes === null) return { stop: null, part: null }
  const { bytes: made, lost, unchecked, extras } = applied
  const isSame = Buffer.compare(before, made) === 0
  const file = isSame ? served : await stageFor(context, work, 'optimized', (sink) => sink(made))
  return { stop: null, part: { file, lost, unchecked, extras } }
}
