import { basename, dirname } from 'node:path'
import type { LeftFile } from '../../shared/contract/texts.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import type { EmbeddedTexts, Job, Output } from '../../shared/jobs/job.ts'
import { MAX_SOURCE_BYTES } from '../../shared/recipes/recipe.ts'
import { listedName } from '../core/result-name.ts'
import type { QueueContext } from './context.ts'
import { isDecorative, editsOf } from '../journal/text-edits.ts'
import { currentTexts, entriesFor } from './embed-texts.ts'
import { type Db, durably } from '../journal/journal.ts'
import { findOutput, rememberOutputHash } from '../journal/outputs.ts'
import { forgetStale, planFresh, type StaleText, staleTexts } from '../journal/stale-texts.ts'
import { jobsOfContent } from './write-edits.ts'

/*
 * Rewrites results after the alt texts in them have changed. `stale_texts` has the work from the transaction of the edit on, so that a
 * crash, a full disk or an unmounted drive only delays it. Before a file replaces another, its hash is in the journal and in the sidecar.
 */

/**
 * Writes the newest texts into all files that lack them, or into those of some originals. Returns the files that keep their earlier texts.
 * What fails, or is left when aborted, stays recorded. With `unheard` nobody gets the answer: what keeps its texts stays recorded
 * too, so that the edit can name it.
 */
export function refreshTexts(
  context: QueueContext,
  sourcePaths?: readonly string[],
  { unheard = false, signal }: { unheard?: boolean; signal?: AbortSignal } = {},
): Promise<LeftFile[]> {
  return context.textMutex('', async () => {
    const left: LeftFile[] = []
    const rows = staleTexts(context.db)
    for (const row of rows) {
      if (signal?.aborted === true) break
      const job = context.store.get(row.job_id)
      if (sourcePaths !== undefined && !(job !== null && sourcePaths.includes(job.source.path))) continue
      const why = await refreshOne(context, row, job).catch((error: unknown) => {
        context.log.warn('a file could not be given its texts', { job: row.job_id, error: toAppError(error).message })
        return 'failed' as const
      })
      if (why === null) continue
      left.push({ name: basename(row.path), why })
      if (!unheard && (why === 'changed' || why === 'unparsable')) forgetStale(context.db, row.path)
    }
    return left
  })
}

async function refreshOne(context: QueueContext, row: StaleText, job: Job | null): Promise<LeftFile['why'] | null> {
  const { db, files, store } = context
  let output = job?.outputs.find(({ path }) => path === row.path)
  // The file was made again since, by a job that refreshes texts when it ends.
  if (job === null || output?.texts === undefined || findOutput(db, row.path)?.jobId !== job.id)
    return upToDate(db, row)
  if (job.state !== 'done' || store.countUpTo(1, { path: job.source.path, states: ['fetching', 'writing'] }) > 0)
    return null
  for (let planned = row.planned_sha256; ; planned = null) {
    const edits = editsNow(db, job)
    const place = files.place(job.source.path, job.rootDir, job.recipe.output, null)
    const read = await files.readSource(row.path, place.targetRoot, MAX_SOURCE_BYTES)
    if (read.kind === 'changing') return 'failed'
    if (read.kind === 'gone' && !(await files.isFolder(dirname(row.path)))) return 'away'
    if (read.kind !== 'snapshot') return 'changed'
    if (read.sha256 === planned) {
      output = await complete(context, job, output, { ...output, sha256: planned, sizeBytes: read.sizeBytes })
      continue
    }
    if (read.sha256 !== output.sha256) return 'changed'
    const texts = await currentTexts(context, job, place)
    const made = await files.pictures.writeTexts({
      bytes: read.bytes,
      texts: entriesFor(context, job, texts, output.texts ?? NONE_OWN),
    })
    if (!made.ok) return 'failed'
    if (made.bytes === null) return 'unparsable'
    if (Buffer.compare(made.bytes, read.bytes) !== 0) {
      const after = await exchange(context, job, output, made.bytes)
      if (after === 'changed') return after
      output = after
    }
    // Edited since then: another round.
    if (editsNow(db, job) === edits) return upToDate(db, row)
  }
}

function upToDate(db: Db, { path }: StaleText): null {
  forgetStale(db, path)
  return null
}

const NONE_OWN: EmbeddedTexts = { own: [], withheld: [] }

/** A person's edits of this content, as a string to compare. */
function editsNow(db: Db, { image }: Job): string {
  const sha256 = image?.sha256 ?? ''
  const texts = editsOf(db, sha256).map(({ languageCode, altText }) => [languageCode, altText])
  return JSON.stringify([texts, isDecorative(db, sha256)])
}

async function exchange(
  context: QueueContext,
  job: Job,
  output: Output,
  bytes: Uint8Array,
): Promise<Output | 'changed'> {
  const { db, files } = context
  // The replaced file's permissions are kept.
  const target = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  const place = { ...target, targetDir: dirname(output.path), sourcePath: output.path }
  const ofWidth = output.role === 'variant' ? output.width : undefined
  const staged = await files.stage(place, job.id, output.role, (sink) => sink(bytes), ofWidth)
  const after = { ...output, sha256: staged.sha256, sizeBytes: staged.sizeBytes }
  try {
    const onPlanned = async (): Promise<void> => {
      durably(db, () => {
        planFresh(db, after.path, after.sha256)
        rememberOutputHash(db, after.sha256)
      })
      await noteInSidecar(context, job, after, true)
    }
    const isReplacement = output.path === job.source.path
    const outcome = isReplacement
      ? await files.replaceOriginal(place, staged, { sha256: output.sha256 }, onPlanned)
      : await files.exchange(place, staged, output.sha256, onPlanned)
    if (typeof outcome === 'object') throw new AppError('not_writable', outcome.refused)
    if (outcome === 'changed') {
      await files.discard(staged)
      return outcome
    }
  } catch (error) {
    await files.discard(staged)
    throw error
  }
  return complete(context, job, output, after)
}

async function complete(context: QueueContext, job: Job, before: Output, after: Output): Promise<Output> {
  await noteInSidecar(context, job, after, false)
  const { store, db } = context
  // Earlier jobs that wrote the same file are done as long as it exists.
  const isIt = ({ path, sha256 }: Output): boolean => path === before.path && sha256 === before.sha256
  for (const twin of jobsOfContent(context, job, job.image?.sha256 ?? ''))
    if (twin.id !== job.id && twin.state === 'done' && twin.outputs.some(isIt))
      store.apply(twin.id, { type: 'rewritten', output: { ...after, texts: twin.outputs.find(isIt)?.texts } })
  store.apply(job.id, { type: 'rewritten', output: after }, () => planFresh(db, after.path, null))
  return after
}

function noteInSidecar({ files }: QueueContext, job: Job, output: Output, beside: boolean): Promise<unknown> {
  const place = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  const { sha256, sizeBytes } = output
  const rewritten = {
    name: listedName(place.targetDir, output.path) ?? basename(output.path),
    sha256,
    sizeBytes,
    beside,
  }
  return files.editSidecar(place, job.id, job.image?.sha256 ?? '', () => ({ texts: [], decorative: null, rewritten }))
}
