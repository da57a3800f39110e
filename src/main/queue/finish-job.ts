import type { AltText, Job } from '../../shared/jobs/job.ts'
import type { Note } from '../../shared/sentences/reasons.ts'
import { maxSourceBytes, needsDownload, planWork } from '../core/plan-work.ts'
import { failed, held, skipped, waits } from '../core/transition.ts'
import { durably } from '../journal/journal.ts'
import { applyForSure, whileFileChanges, type QueueContext } from './context.ts'
import { eventForMissing } from './missing-original.ts'
import { currentTexts, embedTexts, entriesFor } from './embed-texts.ts'
import { encodeHere, noteOversized } from './encode-here.ts'
import { eventOnError, type Finishing, type Step, type Stop } from './finishing.ts'
import type { Lane } from './lane.ts'
import { addOptimized } from './optimized-file.ts'
import { publishAll } from './publish-results.ts'
import { anyStale, markStale } from '../journal/stale-texts.ts'
import { refreshTexts } from './refresh-texts.ts'
import { nameFactsOf } from './name-facts.ts'
import { notesWithCopy } from './sent-copy.ts'

/** Fetches what the service made, encodes what is made here, embeds texts and publishes. `lane` is null for local work only. */
export async function finishJob(
  context: QueueContext,
  lane: Lane | null,
  start: Job,
  signal: AbortSignal,
): Promise<void> {
  let work: Finishing | null = null
  let stop: Stop | null
  try {
    const begun = await begin(context, start, signal)
    if (begun.stop === null) work = begun.work
    stop = begun.stop ?? (await carryOut(context, lane, begun.work))
  } catch (error) {
    const job = signal.aborted ? null : context.store.get(start.id)
    stop = job === null ? 'not now' : eventOnError(context, job, error)
  }
  if (stop === null) return
  await Promise.all((work?.parts ?? []).map((file) => context.files.discard(file).catch(() => undefined)))
  if (stop !== 'not now' && !signal.aborted) context.store.apply(start.id, stop)
}

/** Null once the job is done. */
async function carryOut(context: QueueContext, lane: Lane | null, work: Finishing): Promise<Stop | null> {
  const { signal } = work
  // The staged file was discarded, and the journal could not note why: fetch it again.
  if (work.job.state === 'writing' && needsDownload(work.job)) return waits(null, null)
  if (work.job.state === 'fetching') {
    const fetched = await addOptimized(context, lane, work)
    if (fetched.stop !== null) return fetched.stop
    work.job = context.store.apply(work.job.id, { type: 'fetched' })
  }
  const encoded = await encodeHere(context, work)
  if (encoded.stop !== null) return encoded.stop
  const embedded = await embedTexts(context, work)
  if (embedded.stop !== null) return embedded.stop
  noteOversized(work)
  signal.throwIfAborted()
  const published = await publishAll(context, work)
  if (published.stop !== null) return published.stop
  await applyForSure(context, work.job.id, { type: 'published', outputs: work.outputs, notes: work.notes }, signal)
  context.writing.isBlocked = false
  await keepInStep(context, work, embedded.texts).catch((error: unknown) => {
    if (!signal.aborted) context.log.error('texts not kept in step', { job: work.job.id, error: String(error) })
  })
  return null
}

/** Reads the original again: it may have been removed or changed since intake. */
async function begin(context: QueueContext, job: Job, signal: AbortSignal): Promise<Step<{ work: Finishing }>> {
  const image = job.image
  if (image === null) return { stop: failed('unreadable') }
  const plan = planWork(job.recipe, image)
  if ('cannot' in plan) return { stop: failed(plan.reason, plan.cannot) }
  const read = await context.files.readSource(job.source.path, job.rootDir, maxSourceBytes(job.recipe))
  if (read.kind === 'gone' || read.kind === 'ignored') return { stop: await eventForMissing(context, job) }
  if (read.kind === 'changing') return { stop: whileFileChanges(context) }
  if (read.kind === 'refused' && read.reason === 'unreadable') return { stop: held('folder_missing', read.detail) }
  if (read.kind === 'refused' || read.sha256 !== image.sha256) {
    const replaced = job.outputs.find((output) => output.path === job.source.path)
    // A restart after `replace` took effect: the original already is the file that would be written.
    if (replaced === undefined || read.kind === 'refused' || read.sha256 !== replaced.sha256)
      return { stop: skipped('source_changed') }
    if (job.state === 'fetching') context.store.apply(job.id, { type: 'fetched' })
    const outputs = job.outputs.map((output) => ({ ...output, state: 'published' as const }))
    return { stop: { type: 'published', outputs, notes: withoutRepeats([...job.notes, ...plan.notes]) } }
  }
  const target = context.files.place(job.source.path, job.rootDir, job.recipe.output, nameFactsOf(context, job))
  const place = { ...target, source: { ino: read.ino, sha256: read.sha256 } }
  const notes = withoutRepeats([...notesWithCopy(context, job), ...plan.notes])
  // This job was not sent itself: it uses the result that another job paid for.
  if (job.result !== null && job.sentAtMs === null) notes.push({ code: 'published_from_kept_result', detail: null })
  return {
    stop: null,
    work: {
      job,
      image,
      plan,
      place,
      signal,
      bytes: read.bytes,
      notes,
      lostCredits: new Set(),
      staged: [],
      parts: [],
      kept: null,
      outputs: [],
      losses: [],
    },
  }
}

function withoutRepeats(notes: readonly Note[]): Note[] {
  return notes.filter(({ code }, index) => notes.findIndex((note) => note.code === code) === index)
}

/** Updates files whose texts have changed since they were embedded, and those of this original that waited for this job. */
async function keepInStep(context: QueueContext, work: Finishing, embedded: AltText[] | null): Promise<void> {
  const job = context.store.get(work.job.id)
  const chosen = job?.outputs.find(({ texts }) => texts !== undefined)?.texts
  if (job !== null && chosen !== undefined) {
    const now = entriesFor(context, job, await currentTexts(context, job, work.place), chosen)
    if (JSON.stringify(now) !== JSON.stringify(embedded)) durably(context.db, () => markStale(context.db, [job]))
  }
  if (anyStale(context.db)) await refreshTexts(context, [work.job.source.path], { unheard: true })
}
