import { basename, dirname } from 'node:path'
import type { JobDetail, JobRow, JobView, OutputRow } from '../../shared/contract/jobs.ts'
import type { TextView } from '../../shared/contract/texts.ts'
import type { ExportedJob } from '../../shared/presentation/export-jobs.ts'
import type { Output } from '../../shared/jobs/job.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import type { Note, NoteCode } from '../../shared/sentences/reasons.ts'
import { canChangeRecipe } from '../core/next-steps.ts'
import { nameAmong, publishedOf } from '../core/published-output.ts'
import { isReplaced } from '../engine/calls/job-view.ts'

export function rowOf(job: JobView): JobRow {
  return {
    id: job.id,
    batchId: job.batchId,
    folderId: job.folderId,
    name: basename(job.source.path),
    dir: dirname(job.source.path),
    state: job.state,
    reason: job.reason,
    nextSteps: job.nextSteps,
    review: job.review,
    notes: job.notes.length,
    note: foremostNote(job.notes),
    sizeBytes: job.source.sizeBytes,
    optimizedBytes: publishedOf(job.outputs, 'optimized')?.sizeBytes ?? null,
    convertedBytes: publishedOf(job.outputs, 'converted')?.sizeBytes ?? null,
    languages: makesTexts(job) ? job.recipe.languages : [],
    width: job.image?.width ?? null,
    height: job.image?.height ?? null,
    replaced: isReplaced(job),
    recipeCanChange: canChangeRecipe(job),
    removedAtMs: job.removedAtMs,
    practice: job.serviceId === PRACTICE_SERVICE,
    notBeforeMs: job.notBeforeMs,
    createdAtMs: job.createdAtMs,
    updatedAtMs: job.updatedAtMs,
  }
}

/** What the details show beside the job itself. */
interface DetailFacts extends Pick<
  JobDetail,
  'recipe' | 'texts' | 'earlier' | 'decorative' | 'history' | 'restorable'
> {
  /** Outputs that would have another name now, by index. */
  renames: readonly { index: number; to: string }[]
  /** In the order of the outputs. */
  present: readonly boolean[]
}

export function detailOf(job: JobView, { renames, present, ...facts }: DetailFacts): JobDetail {
  const { image, result } = job
  const figures = job.operation === 'convert' && result !== null
  return {
    row: rowOf(job),
    path: job.source.path,
    ...facts,
    service: { id: job.serviceId, practice: job.serviceId === PRACTICE_SERVICE },
    image: image === null ? null : shownImage(image),
    notes: job.notes,
    outputs: job.outputs.map((output, index) => ({
      ...outputRow(output, index, present[index] === true),
      name: nameAmong(job.outputs, output.path),
      ...renameOf(renames, index, present),
    })),
    figures: figures ? { format: result.convertedFormat, sizeBytes: result.convertedSize } : null,
  }
}

function shownImage({ sha256, type, width, height, animated }: NonNullable<JobView['image']>) {
  return { sha256, type, width, height, animated }
}

/** With its files as the journal has them: a look at the disk for each of a hundred thousand would take too long. */
export function exportedJob(job: JobView, words: { texts: TextView[]; decorative: boolean }): ExportedJob {
  const { output } = job.recipe
  // Files are named beside each other, wherever they are.
  const recipe = { ...job.recipe, output: output.kind === 'folder' ? ({ kind: 'beside' } as const) : output }
  const present = job.outputs.map(() => true)
  const { texts, decorative } = words
  return detailOf(job, { recipe, texts, decorative, earlier: [], history: [], renames: [], present, restorable: false })
}

function renameOf(renames: DetailFacts['renames'], index: number, present: readonly boolean[]) {
  const to = renames.find((one) => one.index === index)?.to
  return to === undefined || present[index] !== true ? {} : { renameTo: to }
}

function outputRow(output: Output, index: number, isPresent: boolean): Omit<OutputRow, 'name'> {
  const { role, path, sizeBytes, type, state, width, height } = output
  const size = width === undefined || height === undefined ? {} : { width, height }
  const shown = state === 'published' && !isPresent ? 'missing' : state
  return { index, role, path, sizeBytes, type, state: shown, ...size }
}

/** `optimize` and `convert` make no texts; a job whose operation is not decided yet may still get some. */
function makesTexts(job: JobView): boolean {
  const operation = job.operation ?? job.recipe.operation
  return operation === 'process' || operation === 'analyze'
}

/** Notes that say how a picture was processed; all others say what is missing. */
const EXPECTED: ReadonlySet<NoteCode> = new Set<NoteCode>([
  'analyzed_only',
  'animation_kept',
  'animation_may_be_lost',
  'figures_only',
  'nothing_to_convert',
  'published_from_kept_result',
  'sent_downscaled',
  'sent_converted',
])

/** The note that a list shows in place of all. */
function foremostNote(notes: readonly Note[]): Note | null {
  return notes.find(({ code }) => !EXPECTED.has(code)) ?? notes[0] ?? null
}
