import type { Translation } from '../../shared/jobs/job.ts'
import { encodingOf, type Recipe } from '../../shared/recipes/recipe.ts'
import { editsOf, withEdits } from '../journal/text-edits.ts'
import { embedsTexts, isShown } from '../../shared/recipes/recipe-facts.ts'
import type { MetadataLoss, Note } from '../../shared/sentences/reasons.ts'
import type { EncodedFile } from '../core/picture-tasks.ts'
import { failed } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import { noteLost, stageFor, type Finishing, type Step } from './finishing.ts'
import { isSmallerThanOriginal } from './sent-copy.ts'

const KB = 1000

/**
 * Encodes and stages the converted file and its variants. Unless the recipe keeps larger files, each must be smaller than the next wider
 * one, which a page would serve in its place.
 */
export async function encodeHere(context: QueueContext, work: Finishing): Promise<Step> {
  const { files, db } = context
  const { job, plan, bytes, signal } = work
  const widths = [...(plan.converted ? [null] : []), ...plan.widths]
  if (widths.length === 0) return { stop: null }
  const { format, metadata, keepLarger } = job.recipe
  const texts = withEdits(job.result?.translations ?? [], editsOf(db, work.image.sha256))
  const encoded = await files.pictures.encode(
    { bytes, options: { ...encodingOf(job.recipe), format, metadata, widths, maxBytes: bytesLeft(job.recipe, texts) } },
    signal,
  )
  signal.throwIfAborted()
  if (!encoded.ok) return { stop: failed(encoded.reason, encoded.detail) }
  const lost: MetadataLoss[] = []
  const stage = async (picture: EncodedFile, width: number | null): Promise<void> => {
    const role = width === null ? 'converted' : 'variant'
    const file = await stageFor(context, work, role, (sink) => sink(picture.bytes), width ?? undefined)
    work.staged.push({ role, type: format, file, width: picture.width, height: picture.height, extras: [] })
    lost.push(...(picture.lost ?? []))
  }
  const without = bytesWithout(work)
  const notes: Note[] = []
  let leastBytes = without
  const leftOut: number[] = []
  const made: readonly EncodedFile[] = [encoded, ...(encoded.others ?? [])]
  for (const [n, width] of widths.entries()) {
    const picture = made[n]
    if (picture === undefined) continue
    const { byteLength } = picture.bytes
    const isSmaller = byteLength < leastBytes
    if (width === null && !isSmaller) notes.push(noteOnLarger(byteLength / without, keepLarger))
    if (width !== null && !isSmaller && !keepLarger) leftOut.push(width)
    if (isSmaller) leastBytes = byteLength
    if (isSmaller || keepLarger) await stage(picture, width)
  }
  noteLost(work, lost)
  work.notes.push(...notes)
  if (leftOut.length > 0) work.notes.push({ code: 'widths_not_kept', detail: leftOut.join(', ') })
  return { stop: null }
}

/** What texts in a file take at most besides their words, in all and each. */
const TEXTS_BYTES = 600
const TEXT_BYTES = 80
/** Characters that stand as references in XML. */
const ESCAPED = /[<>&"']/g

/** How large a converted file may be before the texts are written into it; null for any size. */
function bytesLeft(recipe: Recipe, texts: readonly Translation[]): number | null {
  if (recipe.maxSizeKb === null) return null
  const maxBytes = recipe.maxSizeKb * KB
  if (!embedsTexts(recipe)) return maxBytes
  const sizes = texts.map(({ seoAltText }) => TEXT_BYTES + Buffer.byteLength(seoAltText.replaceAll(ESCAPED, '&quot;')))
  // The first language is there as the default, too.
  return maxBytes - TEXTS_BYTES - sizes.reduce((sum, bytes) => sum + bytes, Math.max(0, ...sizes))
}

/** Notes the size of the largest converted file if the recipe wants a smaller one. */
export function noteOversized({ job, staged, notes }: Finishing): void {
  const most = (job.recipe.maxSizeKb ?? Infinity) * KB
  const sizes = staged.filter(({ role }) => role !== 'optimized').map(({ file }) => file.sizeBytes)
  const largest = Math.max(0, ...sizes)
  if (largest > most) notes.push({ code: 'size_not_reached', detail: `${Math.ceil(largest / KB)}` })
}

/** The size of the file that a page would serve without a converted one; infinite where it could serve none. */
function bytesWithout(work: Finishing): number {
  const { image, bytes, kept, staged } = work
  const original = isShown(image.type) ? bytes.byteLength : Infinity
  // The result of a smaller copy cannot be compared with a file made from the original.
  if (isSmallerThanOriginal(work)) return original
  const optimized = kept?.output ?? staged.find(({ role }) => role === 'optimized')?.file
  return optimized?.sizeBytes ?? original
}

function noteOnLarger(ratio: number, isKept: boolean): Note {
  const percent = Math.round((ratio - 1) * 100)
  return { code: isKept ? 'converted_larger' : 'converted_not_kept', detail: percent < 1 ? null : `${percent}` }
}
