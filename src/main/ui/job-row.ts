import { basename, dirname } from 'node:path'
import type { JobView, TextDraft, TextView } from '../../shared/contract.ts'
import type { Output, OutputRole } from '../../shared/job.ts'
import { PRACTICE_SERVICE } from '../../shared/recipe.ts'
import type { HistoryLine, JobDetail, JobRow, OutputRow, UiRecipe } from '../../shared/ui-contract.ts'

/** A job as a line of the list. */
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
    sizeBytes: job.source.sizeBytes,
    optimizedBytes: publishedOf(job, 'optimized')?.sizeBytes ?? null,
    convertedBytes: publishedOf(job, 'converted')?.sizeBytes ?? null,
    languages: makesTexts(job) ? job.recipe.languages : [],
    width: job.image?.width ?? null,
    height: job.image?.height ?? null,
    replaced: isReplaced(job),
    removedAtMs: job.removedAtMs,
    practice: job.serviceId === PRACTICE_SERVICE,
    notBeforeMs: job.notBeforeMs,
    createdAtMs: job.createdAtMs,
    updatedAtMs: job.updatedAtMs,
  }
}

/** What a person is shown of the disk and the journal beside the job itself. */
export interface DetailFacts {
  recipe: UiRecipe
  texts: TextView[]
  drafts: TextDraft[]
  decorative: boolean
  history: HistoryLine[]
  /** Whether each output's file is there, in the order of the job's outputs. */
  present: readonly boolean[]
  /** The original was replaced, is kept, and another file stands in its place now. */
  restorable: boolean
}

export function detailOf(
  job: JobView,
  { recipe, texts, drafts, decorative, history, present, restorable }: DetailFacts,
): JobDetail {
  const { image, result } = job
  const figures = job.operation === 'convert' && result !== null
  return {
    row: rowOf(job),
    path: job.source.path,
    recipe,
    service: { id: job.serviceId, practice: job.serviceId === PRACTICE_SERVICE },
    image:
      image === null ? null : { type: image.type, width: image.width, height: image.height, animated: image.animated },
    texts,
    drafts,
    decorative,
    notes: job.notes,
    outputs: job.outputs.map((output, index) => outputRow(output, index, present[index] === true)),
    history,
    figures: figures ? { format: result.convertedFormat, sizeBytes: result.convertedSize } : null,
    restorable,
  }
}

function outputRow(output: Output, index: number, isPresent: boolean): OutputRow {
  const { role, path, sizeBytes, type, state } = output
  const shown = state === 'published' && !isPresent ? 'missing' : state
  return { index, role, name: basename(path), path, sizeBytes, type, state: shown }
}

/** The newest published output of this role. */
export function publishedOf(job: Pick<JobView, 'outputs'>, role: OutputRole): Output | null {
  return job.outputs.findLast((output) => output.role === role && output.state === 'published') ?? null
}

/** What a finished job saved: by compression where it was compressed, else by conversion; 0 for everything else. */
export function savedBytesOf(job: JobView): number {
  const after = publishedOf(job, 'optimized') ?? publishedOf(job, 'converted')
  return job.state === 'done' && after !== null ? Math.max(0, job.source.sizeBytes - after.sizeBytes) : 0
}

/** An output stands where the original was: it was replaced, and is kept. */
export function isReplaced(job: JobView): boolean {
  return (
    job.recipe.output.kind === 'replace' &&
    job.outputs.some(({ state, role, path }) => state === 'published' && role !== 'sidecar' && path === job.source.path)
  )
}

/** `optimize` and `convert` describe nothing; a job that was never looked into may still come to texts. */
function makesTexts(job: JobView): boolean {
  const operation = job.operation ?? job.recipe.operation
  return operation === 'process' || operation === 'analyze'
}
