import { basename, dirname } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { ImageFacts, Job, Output } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { Note } from '../../shared/reasons.ts'
import { SIDECAR_SUFFIX, SIDECAR_VERSION, type Sidecar } from '../../shared/sidecar.ts'
import { backoffMs } from '../core/backoff.ts'
import { maxSourceBytes, planWork, sendsCopy, type WorkPlan } from '../core/plan-work.ts'
import { applyForSure, type QueueContext } from './context.ts'
import { isDecorative } from './decorative.ts'
import { fetchOptimized } from './fetch-optimized.ts'
import type { Lane } from './lane.ts'
import { prepared } from './journal.ts'
import { eventForMissing } from './missing-source.ts'
import { findOutput, forgetOutput } from './outputs.ts'
import type { Placement, StagedFile } from './ports.ts'
import { notesWithCopy } from './sent-copy.ts'
import { Stopped, type Stop } from './stop.ts'
import { editsOf, withEdits } from './text-edits.ts'
import { hasUnwritten, writeEdits } from './write-edits.ts'

const SECOND = 1000
/** Unexpected failures while writing are tried again so often before the job is failed. */
const WRITE_TRIES = 6

interface Finishing {
  job: Job
  image: ImageFacts
  plan: WorkPlan
  place: Placement
  bytes: Uint8Array
  notes: Note[]
  staged: { role: 'optimized' | 'converted'; type: Output['type']; file: StagedFile }[]
  outputs: Output[]
}

/**
 * Brings a paid (or local) job to its end: downloads and checks what the service made, encodes what is made here, and
 * publishes it. Before each name is taken, the journal and the sidecar know what will stand there; that is what keeps a
 * crash, or another computer, from taking an output for a picture. `lane` is null for work on this computer only.
 */
export async function finishJob(
  context: QueueContext,
  lane: Lane | null,
  start: Job,
  signal: AbortSignal,
): Promise<void> {
  let work: Finishing | null = null
  try {
    work = await begin(context, start)
    if (work.job.state === 'fetching') {
      await fetchPart(context, lane, work, signal)
      work.job = context.store.apply(work.job.id, { type: 'fetched' })
    }
    await encodePart(context, work, signal)
    signal.throwIfAborted()
    await publishAll(context, work)
    await applyForSure(context, work.job.id, { type: 'published', outputs: work.outputs, notes: work.notes }, signal)
    context.disk.isFull = false
  } catch (error) {
    await Promise.all((work?.staged ?? []).map(({ file }) => context.files.discard(file).catch(() => undefined)))
    if (signal.aborted) return
    await stopJob(context, start.id, error)
  }
}

async function begin(context: QueueContext, job: Job): Promise<Finishing> {
  const image = job.image
  if (image === null) throw new Stopped({ kind: 'fail', reason: 'unreadable', detail: null })
  const plan = planWork(job.recipe, image)
  if ('cannot' in plan) throw new Stopped({ kind: 'fail', reason: plan.reason, detail: plan.cannot })
  const read = await context.files.readSource(job.source.path, job.rootDir, maxSourceBytes(job.recipe))
  if (read.kind === 'gone' || read.kind === 'ignored') throw new Stopped({ kind: 'missing' })
  if (read.kind === 'changing')
    throw new Stopped({
      kind: 'later',
      detail: ownSentence('file_changing'),
      notBeforeMs: context.clock.nowMs() + 5 * SECOND,
      countsAsAttempt: false,
    })
  if (read.kind === 'refused' && read.reason === 'unreadable')
    throw new Stopped({ kind: 'hold', reason: 'folder_missing', detail: read.detail })
  if (read.kind === 'refused' || read.sha256 !== image.sha256) {
    const replaced = job.outputs.find((output) => output.path === job.source.path)
    // A restart after `replace` took effect: the original is already what was going to be written.
    if (replaced === undefined || read.kind === 'refused' || read.sha256 !== replaced.sha256)
      throw new Stopped({ kind: 'skip', reason: 'source_changed' })
    throw new Stopped({ kind: 'finished', outputs: job.outputs, notes: [...job.notes, ...plan.notes] })
  }
  const first = job.recipe.languages[0]
  const translation =
    job.result?.translations.find((text) => text.languageCode === first) ?? job.result?.translations[0]
  const seoName = job.recipe.naming === 'seo' ? (translation?.seoFilename ?? null) : null
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, seoName)
  const notes = [...notesWithCopy(context, job), ...plan.notes]
  // Nothing was sent under this job: what another one paid for is used.
  if (job.result !== null && job.sentAtMs === null) notes.push({ code: 'published_from_kept_result', detail: null })
  return { job, image, plan, place, bytes: read.bytes, notes, staged: [], outputs: [] }
}

async function fetchPart(
  context: QueueContext,
  lane: Lane | null,
  work: Finishing,
  signal: AbortSignal,
): Promise<void> {
  if (!work.plan.optimized) return
  const file = await fetchOptimized(context, lane, { ...work, type: work.image.type }, signal)
  const largest = work.bytes.byteLength * (1 - work.job.recipe.minSavingPercent / 100)
  const worthIt = work.job.recipe.minSavingPercent === 0 ? file.sizeBytes < largest : file.sizeBytes <= largest
  if (worthIt) {
    work.staged.push({ role: 'optimized', type: work.image.type, file })
    return
  }
  await context.files.discard(file)
  const saved = Math.round((1 - file.sizeBytes / work.bytes.byteLength) * 100)
  work.notes.push({ code: 'saved_too_little', detail: `${saved}` })
}

async function encodePart(context: QueueContext, work: Finishing, signal: AbortSignal): Promise<void> {
  if (!work.plan.converted) return
  const { format, quality, metadata, keepLarger } = work.job.recipe
  const encoded = await context.files.encode(work.bytes, { format, quality, metadata }, signal)
  signal.throwIfAborted()
  if (encoded.kind === 'refused') throw new Stopped({ kind: 'fail', reason: 'encode_failed', detail: encoded.detail })
  // A result made from a smaller copy is not comparable: a file made from the original is compared with the original.
  const isOfCopy = work.notes.some(({ code }) => code === 'sent_downscaled')
  const optimized = isOfCopy ? undefined : work.staged.find(({ role }) => role === 'optimized')
  const without = optimized?.file.sizeBytes ?? work.bytes.byteLength
  if (encoded.bytes.byteLength >= without) {
    const percent = Math.round((encoded.bytes.byteLength / without - 1) * 100)
    const detail = percent < 1 ? null : `${percent}`
    work.notes.push({ code: keepLarger ? 'converted_larger' : 'converted_not_kept', detail })
    if (!keepLarger) return
  }
  const file = await context.files.stage(work.place, work.job.id, 'converted', (sink) => sink(encoded.bytes))
  work.staged.push({ role: 'converted', type: format, file })
}

async function publishAll(context: QueueContext, work: Finishing): Promise<void> {
  const { job, place } = work
  addTranslationNotes(work)
  if (work.staged.length === 0) await writeSidecar(context, work)
  // The original is replaced last: once it is, there is nothing left to do, whatever happens then.
  if (replaces(job)) work.staged.reverse()
  for (const { role, type, file } of work.staged) {
    const planned = (path: string): Output => ({
      role,
      path,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      type,
      state: 'planned',
    })
    const onPlanned = async (path: string) => {
      // A name that was taken in the last moment is planned no more.
      for (const earlier of work.outputs.filter((output) => output.role === role))
        forgetOutput(context.db, earlier.path)
      work.outputs = [...work.outputs.filter((output) => output.role !== role), planned(path)]
      work.job = context.store.apply(job.id, { type: 'planned', output: planned(path) })
      await writeSidecar(context, work)
    }
    if (role === 'optimized' && replaces(job)) {
      const outcome = await context.files.replaceOriginal(place, file, work.image, onPlanned)
      if (outcome === 'changed') throw new Stopped({ kind: 'skip', reason: 'source_changed' })
    } else {
      const told = await context.files.outputsToldOf(place.targetDir)
      const isOwn = (path: string) => {
        const known = findOutput(context.db, path)
        if (known !== null) return known.sourcePath === job.source.path ? known.sha256 : null
        // A sidecar is not trusted so far that a file makes way for it: only that these very bytes stand there already.
        return told.byName.get(basename(path)) === file.sha256 ? file.sha256 : null
      }
      await context.files.publish(place, job.id, file, role, type as Exclude<Output['type'], 'json'>, isOwn, onPlanned)
    }
  }
  work.outputs = work.outputs.map((output) => ({ ...output, state: 'published' as const }))
}

/** A smaller copy never takes the original's place: pixels would be lost that nobody meant to give up. */
function replaces({ recipe, source }: Job): boolean {
  return recipe.output.kind === 'replace' && !sendsCopy(recipe, source.sizeBytes)
}

function addTranslationNotes(work: Finishing): void {
  if (work.plan.send !== 'process' && work.plan.send !== 'analyze') return
  const there = new Set(work.job.result?.translations.map((text) => text.languageCode))
  const missing = work.job.recipe.languages.filter((language) => !there.has(language))
  if (missing.length > 0) work.notes.push({ code: 'translation_missing', detail: missing.join(', ') })
}

async function writeSidecar(context: QueueContext, work: Finishing): Promise<void> {
  const { job, place } = work
  const make = (): Sidecar => ({
    hangar: SIDECAR_VERSION,
    source: { name: basename(job.source.path), sha256: work.image.sha256, sizeBytes: job.source.sizeBytes },
    service: { id: job.serviceId, jobId: job.remoteJobId, imageId: job.result?.imageId ?? null },
    recipe: {
      operation: job.recipe.operation,
      sent: work.plan.send,
      languages: job.recipe.languages,
      format: job.recipe.format,
      naming: job.recipe.naming,
    },
    translations: withEdits(job.result?.translations ?? [], editsOf(context.db, work.image.sha256)),
    ...(isDecorative(context.db, work.image.sha256) ? { decorative: true } : {}),
    outputs: work.outputs
      .filter((output) => output.role !== 'sidecar' && dirname(output.path) === place.targetDir)
      .map(({ role, path, sha256, sizeBytes, type }) => ({
        role: role as 'optimized' | 'converted',
        name: basename(path),
        sha256,
        sizeBytes,
        type: type as Exclude<Output['type'], 'json'>,
      })),
    notes: work.notes.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`)),
    madeAt: new Date(context.clock.nowMs()).toISOString(),
  })
  const written = await context.files.writeSidecar(place, job.id, make)
  // What a sidecar that was there before says wins over older words, not over those that it never got.
  if (hasUnwritten(context.db, work.image.sha256)) await writeEdits(context, job, work.image.sha256)
  const usual = `${basename(job.source.path)}${SIDECAR_SUFFIX}`
  if (basename(written.path) !== usual && !work.notes.some(({ code }) => code === 'sidecar_name_taken'))
    work.notes.push({ code: 'sidecar_name_taken', detail: basename(written.path) })
  const output: Output = { role: 'sidecar', type: 'json', state: 'planned', ...written }
  work.outputs = [...work.outputs.filter((known) => known.role !== 'sidecar'), output]
}

/** Turns what ended the work into the job's state. */
async function stopJob(context: QueueContext, id: string, error: unknown): Promise<void> {
  const job = context.store.get(id)
  if (job === null) return
  const stop = error instanceof Stopped ? error.stop : stopFor(context, job, error)
  switch (stop.kind) {
    case 'notNow':
      return
    case 'finished': {
      if (job.state === 'fetching') context.store.apply(id, { type: 'fetched' })
      const outputs = stop.outputs.map((output) => ({ ...output, state: 'published' as const }))
      context.store.apply(id, { type: 'published', outputs, notes: stop.notes })
      return
    }
    case 'missing':
      context.store.apply(id, await eventForMissing(context, job))
      return
    case 'skip':
      context.store.apply(id, { type: 'skip', reason: { code: stop.reason, detail: null } })
      return
    case 'fail':
      context.store.apply(id, { type: 'fail', reason: { code: stop.reason, detail: stop.detail } })
      return
    case 'hold':
      context.store.apply(id, { type: 'hold', reason: { code: stop.reason, detail: stop.detail } })
      return
    case 'later':
      context.store.apply(id, {
        type: 'later',
        reason: { code: 'backoff', detail: stop.detail.slice(0, 500) },
        notBeforeMs: stop.notBeforeMs,
        countsAsAttempt: stop.countsAsAttempt,
        missing: stop.missing === true,
      })
  }
}

/** Events that restart all tries. */
const FRESH_STARTS = new Set(['completed', 'reuse', 'retry', 'resend', 'release', 'fetchAgain', 'askAgain'])

/**
 * How often writing was put off since the job last started afresh. `attempts` does not say: each try of a paid job fetches
 * first, and what was fetched starts counting again, so that what never can be written would be fetched for ever.
 */
function failedWrites(context: QueueContext, job: Job): number {
  const events = prepared<[string], string>(context.db, 'SELECT event FROM job_events WHERE job_id = ? ORDER BY rowid')
    .pluck(true)
    .all(job.id)
  let failed = 0
  let isWriting = false
  for (const event of events) {
    if (FRESH_STARTS.has(event)) failed = 0
    if (event === 'later' && isWriting) failed += 1
    if (event !== 'planned') isWriting = event === 'fetched' || event === 'workHere'
  }
  return failed
}

function stopFor(context: QueueContext, job: Job, error: unknown): Stop {
  if (error instanceof AppError && error.code === 'disk_full') {
    context.disk.isFull = true
    return { kind: 'hold', reason: 'disk_full', detail: error.message }
  }
  if (error instanceof AppError && error.code === 'not_writable')
    return { kind: 'hold', reason: 'target_not_writable', detail: error.message }
  if (error instanceof AppError && (error.code === 'path_outside_root' || error.code === 'name_taken'))
    return { kind: 'fail', reason: 'no_free_name', detail: error.message }
  const words = error instanceof Error ? error.message : String(error)
  context.log.warn('writing a result failed', { job: job.id, error: words })
  const attempt = 1 + Math.max(job.attempts, job.state === 'writing' ? failedWrites(context, job) : 0)
  const reason = error instanceof AppError && error.code === 'file_swapped' ? 'part_swapped' : 'encode_failed'
  if (attempt >= WRITE_TRIES) return { kind: 'fail', reason, detail: words.slice(0, 500) }
  const waitMs = backoffMs({ attempt, baseMs: 2 * SECOND, capMs: 60 * SECOND }, context.random)
  return { kind: 'later', detail: words, notBeforeMs: context.clock.nowMs() + waitMs, countsAsAttempt: true }
}
