import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { libraryOn } from '../../shared/jobs/foreign-folders.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { folderReasonText } from '../../shared/sentences/folder-reason.ts'
import type { CheckedRequest } from '../../shared/contract/calls.ts'
import { NO_FOREIGN_FOLDERS } from '../../shared/contract/intake.ts'
import type { AwayBatch, BatchView, ForeignFolders } from '../../shared/contract/intake.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { namesUse } from '../../shared/recipes/name-template.ts'
import { Recipe, type ServiceId } from '../../shared/recipes/recipe.ts'
import { findBatch, insertBatch, pathsOfBatch, setOpen, type Batch } from '../journal/batches.ts'
import { mayRetry, RETRIES } from '../core/retries.ts'
import { sleep } from '../core/sleep.ts'
import { untilJournalled, type QueueContext } from '../queue/context.ts'
import type { Documents } from '../journal/documents.ts'
import { takeIn, type IntakeOutcome } from '../queue/intake.ts'
import { transact } from '../journal/journal.ts'
import { awayOf, devicesOf, type Devices } from '../watch/away-drives.ts'
import { sampleFile } from '../watch/file-sample.ts'
import { realAsFarAsItExists } from '../watch/real-path.ts'
import { isHangarsOwn, isSample, NO_OWN_PLACES, type OwnPlaces } from '../watch/own-places.ts'
import { findImages, type FindOptions, type Found, type FoundImage } from '../watch/find-images.ts'
import { z } from 'zod'

/** Max folders left out, and paths of a waiting batch, that are listed. */
const SHOWN = 3
/** What a view counts before anything was looked at. */
const NOTHING_YET = { found: 0, takenIn: 0, known: 0, leftOut: 0, missed: 0, foreign: NO_FOREIGN_FOLDERS }
const WORKERS = 3
/** A file modified less than this ago is checked twice, this far apart. */
const SETTLE_MS = RETRIES.unfinishedFile.firstMs

/** What `hangar run` or a drop asks for. */
interface RunRequest extends CheckedRequest<'intake.add'> {
  creditsPerImage: number | null
  /** The service that its pictures go to; null for the one in use. */
  boundTo: ServiceId | null
}

export interface IntakeDeps {
  context: QueueContext
  documents: Documents
  makeId: () => string
  serviceId: () => ServiceId
  own: () => OwnPlaces
}

interface RunIntakeDeps extends IntakeDeps {
  /** A batch that is not finished when Hangar ends continues at the next start. */
  keepsOpenBatches: boolean
  onBatch: (batch: BatchView) => void
  /** The batches that wait for a drive have changed. */
  onAway: (away: AwayBatch[]) => void
  onKnown: (batchId: string, path: string, outcome: Extract<IntakeOutcome, { kind: 'known' }>) => void
}

/** What applies to all files of one batch. */
interface Terms {
  serviceId: () => ServiceId
  own: OwnPlaces
  /** Another program may still be writing the files. */
  mayGrow: boolean
  insteadOf: ReadonlySet<string>
}

/** Takes in everything below some paths, once. */
export class RunIntake {
  readonly #deps: RunIntakeDeps
  readonly #abort = new AbortController()
  readonly #views = new Map<string, BatchView>()
  readonly #running = new Set<Promise<void>>()
  readonly #cancelled = new Set<string>()
  /** Paths on a drive that is not there, by batch. */
  readonly #away = new Map<string, readonly string[]>()

  constructor(deps: RunIntakeDeps) {
    this.#deps = deps
  }

  /** Returns once the paths are checked. Throws `bad_request` for a path that does not exist. */
  async start(request: RunRequest): Promise<string> {
    const paths = await checkedPaths(request, this.#deps.own())
    const { context, documents, keepsOpenBatches } = this.#deps
    const id = this.#deps.makeId()
    const { recipe, include, exclude, force, insteadOf, confirmed, maxCredits, creditsPerImage, boundTo } = request
    const devices = await devicesOf(paths)
    const open: OpenBatch = { paths, recipe, include, exclude, force, insteadOf, devices }
    transact(context.db, () => {
      insertBatch(
        context.db,
        { id, kind: 'run', folderId: null, open: true, confirmed, maxCredits, creditsPerImage, boundTo },
        context.clock.nowMs(),
      )
      if (keepsOpenBatches) documents.put(OPEN_BATCH, id, open)
    })
    this.#begin(id, open, request)
    return id
  }

  /** Continues the batches that were not finished when Hangar ended. */
  resume(): void {
    const { context, documents } = this.#deps
    for (const { key: id, value: open } of openBatches(documents)) {
      const batch = findBatch(context.db, id)
      if (batch === null) documents.remove(OPEN_BATCH, id)
      else {
        setOpen(context.db, id, true)
        this.#begin(id, open, batch, pathsOfBatch(context.db, id))
      }
    }
  }

  /** Nothing more is taken in for this batch. */
  cancel(id: string): void {
    this.#cancelled.add(id)
    this.#deps.documents.remove(OPEN_BATCH, id)
    this.#waitsFor(id, [])
  }

  /** Gives up a batch that waits for a drive or, with null, all of them. Jobs already made stay. */
  async stopWaiting(id: string | null): Promise<number> {
    const waiting = await awayAmong(openBatches(this.#deps.documents))
    const given = waiting.filter(({ batchId }) => id === null || batchId === id)
    for (const { batchId } of given) this.cancel(batchId)
    return given.length
  }

  /** Batches that wait for a drive, with their first paths. */
  away(): AwayBatch[] {
    return [...this.#away].map(([batchId, paths]) => asAway({ batchId, paths }))
  }

  #waitsFor(id: string, paths: readonly string[]): void {
    if (paths.length === 0 && !this.#away.has(id)) return
    if (paths.length === 0) this.#away.delete(id)
    else this.#away.set(id, paths)
    this.#deps.onAway(this.away())
  }

  #begin(
    id: string,
    open: OpenBatch,
    { confirmed, boundTo }: Pick<Batch, 'confirmed' | 'boundTo'>,
    done: ReadonlySet<string> = new Set(),
  ): void {
    const { context, serviceId } = this.#deps
    this.#views.set(id, { id, kind: 'run', open: true, ...NOTHING_YET, confirmed })
    const terms: Terms = {
      serviceId: boundTo === null ? serviceId : () => boundTo,
      own: this.#deps.own(),
      mayGrow: boundTo === null,
      insteadOf: new Set(open.insteadOf),
    }
    this.#update(id, {})
    const work: Promise<void> = this.#runAll(id, open, terms, done)
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return
        context.guard.note(error)
        context.log.error('looking through the pictures failed', { error: String(error) })
        const { found, takenIn, known } = this.#views.get(id)!
        this.#update(id, { missed: Math.max(1, found - takenIn - known) })
      })
      .then(() =>
        untilJournalled(context, this.#abort.signal, () => {
          // After an abort the rest is scanned at the next start.
          if (this.#abort.signal.aborted) return
          setOpen(context.db, id, false)
          this.#deps.documents.remove(OPEN_BATCH, id)
        }),
      )
      // Stopped while the disk cannot be written: the next start closes it.
      .catch((error: unknown) => context.log.error('a batch was not closed', { error: String(error) }))
      .finally(() => {
        this.#running.delete(work)
        this.#update(id, { open: false })
      })
    this.#running.add(work)
  }

  view(id: string): BatchView | null {
    const live = this.#views.get(id)
    const stored = findBatch(this.#deps.context.db, id)
    if (stored === null) return null
    return { id, kind: stored.kind, open: false, ...NOTHING_YET, ...live, confirmed: stored.confirmed }
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all(this.#running)
  }

  #update(id: string, change: Partial<BatchView>): void {
    const view = { ...this.#views.get(id)!, ...change }
    this.#views.set(id, view)
    this.#deps.onBatch(view)
  }

  #isOver(id: string): boolean {
    return this.#abort.signal.aborted || this.#cancelled.has(id)
  }

  /** Scans the paths that exist, and waits for those on a drive that is not there. */
  async #runAll(id: string, open: OpenBatch, terms: Terms, done: ReadonlySet<string>): Promise<void> {
    const { context, documents, keepsOpenBatches } = this.#deps
    if (!keepsOpenBatches) return this.#run(id, open, terms, done)
    let [left, taken] = [open.paths, done]
    for (;;) {
      const gone = await awayOf(left, open.devices)
      const there = left.filter((path) => !gone.includes(path))
      if (there.length > 0) await this.#run(id, { ...open, paths: there }, terms, taken)
      if (this.#isOver(id)) return
      // A drive may have been disconnected during the scan.
      left = [...gone, ...(await awayOf(there, open.devices))]
      if (left.length === 0) return
      await untilJournalled(context, this.#abort.signal, () => {
        documents.put(OPEN_BATCH, id, { ...open, paths: left })
        // Pictures that are taken in do not wait for the rest.
        setOpen(context.db, id, false)
      })
      this.#update(id, { open: false })
      await this.#untilBack(id, left, open.devices)
      if (this.#isOver(id)) return
      await untilJournalled(context, this.#abort.signal, () => setOpen(context.db, id, true))
      taken = pathsOfBatch(context.db, id)
      this.#update(id, { open: true })
    }
  }

  async #untilBack(id: string, paths: readonly string[], devices: Devices): Promise<void> {
    try {
      for (let gone = [...paths]; gone.length === paths.length && !this.#isOver(id);) {
        this.#waitsFor(id, gone)
        await sleep(this.#deps.context.clock, RETRIES.awayDrive.firstMs, this.#abort.signal)
        gone = await awayOf(paths, devices)
      }
    } finally {
      if (!this.#abort.signal.aborted) this.#waitsFor(id, [])
    }
  }

  async #run(id: string, open: OpenBatch, terms: Terms, done: ReadonlySet<string>): Promise<void> {
    const { images, problems, foreign } = await findPictures(open, terms.own, this.#abort.signal)
    logLeftOut(this.#deps.context, [...problems, ...foreign])
    const files = images.filter(({ path }) => !done.has(path))
    this.#update(id, {
      found: images.length,
      takenIn: images.length - files.length,
      known: 0,
      missed: 0,
      leftOut: problems.length,
      foreign: foreignFolders(foreign),
    })
    let next = 0
    const worker = async () => {
      while (next < files.length && !this.#isOver(id)) {
        const file = files[next++]!
        await untilJournalled(this.#deps.context, this.#abort.signal, () => this.#takeOne(id, open, terms, file)).catch(
          (error: unknown) => {
            if (this.#isOver(id)) return
            this.#deps.context.guard.note(error)
            this.#miss(id, file.path, String(error))
          },
        )
      }
    }
    // One by one where their order numbers them.
    const workers = namesUse(open.recipe.naming, 'n') ? 1 : WORKERS
    await Promise.all(Array.from({ length: workers }, worker))
  }

  async #takeOne(
    batchId: string,
    open: OpenBatch,
    { serviceId, mayGrow, insteadOf }: Terms,
    file: FoundImage,
  ): Promise<void> {
    const { context, makeId } = this.#deps
    for (let attempt = 1; ; attempt += 1) {
      if (mayGrow) await this.#settled(file.path)
      if (this.#isOver(batchId)) return
      const outcome = await takeIn(context, makeId, {
        path: file.path,
        rootDir: file.rootDir,
        folderId: null,
        batchId,
        recipe: open.recipe,
        serviceId: serviceId(),
        force: open.force,
        insteadOf,
        mayBeUnfinished:
          mayGrow && mayRetry(RETRIES.unfinishedFile, attempt) && (await isFresh(file.path, context.clock.nowMs())),
      })
      if (outcome.kind === 'again' && mayRetry(RETRIES.unfinishedFile, attempt)) {
        await sleep(context.clock, SETTLE_MS, this.#abort.signal)
        continue
      }
      const view = this.#views.get(batchId)!
      if (outcome.kind === 'known') {
        this.#update(batchId, { known: view.known + 1 })
        this.#deps.onKnown(batchId, file.path, outcome)
      } else if (outcome.kind === 'job') this.#update(batchId, { takenIn: view.takenIn + 1 })
      else if (outcome.kind === 'again') this.#miss(batchId, file.path, 'it keeps changing')
      return
    }
  }

  #miss(id: string, path: string, error: string): void {
    this.#deps.context.log.error('taking a picture in failed', { path, error })
    this.#update(id, { missed: this.#views.get(id)!.missed + 1 })
  }

  async #settled(path: string): Promise<void> {
    const { clock } = this.#deps.context
    for (let n = 0; mayRetry(RETRIES.unfinishedFile, n) && (await isFresh(path, clock.nowMs())); n += 1) {
      const before = await sampleFile(path)
      await sleep(clock, SETTLE_MS, this.#abort.signal)
      const after = await sampleFile(path)
      if (typeof before === 'string' || typeof after === 'string') return
      const isSameFile = before.sizeBytes === after.sizeBytes && before.ino === after.ino
      if (isSameFile && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs) return
    }
  }
}

export async function isFresh(path: string, nowMs: number): Promise<boolean> {
  const sample = await sampleFile(path)
  if (typeof sample === 'string') return false
  const newest = sample.mtimeNs > sample.ctimeNs ? sample.mtimeNs : sample.ctimeNs
  return Math.abs(nowMs - Number(newest / 1_000_000n)) < SETTLE_MS
}

/** The real paths. Throws `bad_request` for a missing one, for Hangar's own files, and for results in another program's library. */
export function checkedPaths(
  { paths, recipe }: Pick<RunRequest, 'paths' | 'recipe'>,
  own: OwnPlaces,
): Promise<string[]> {
  const { output } = recipe
  return Promise.all(
    paths.map(async (given) => {
      const path = await realPathOf(given)
      if (isHangarsOwn(path, own) && !isSample(path, own))
        throw new AppError('bad_request', say('path_own', { path: given }))
      const target = output.kind === 'folder' ? await realAsFarAsItExists(resolve(output.dir)) : path
      const library = libraryOn(target)
      if (library !== null) throw new AppError('bad_request', say('path_in_library', { path: given, library }))
      return path
    }),
  )
}

async function realPathOf(given: string): Promise<string> {
  try {
    return await realpath(resolve(given))
  } catch (cause) {
    throw new AppError('bad_request', say('path_missing', { path: given }), { cause })
  }
}

type Patterns = Pick<FindOptions, 'include' | 'exclude' | 'alsoTakes'>

/** Every picture below the paths, except in the output folder. */
export function findPictures(
  { paths, recipe, include, exclude, alsoTakes }: Pick<RunRequest, 'paths' | 'recipe'> & Patterns,
  own: OwnPlaces,
  signal: AbortSignal,
  more: Pick<FindOptions, 'enough' | 'onFound'> = {},
): Promise<Found> {
  const leftOut = recipe.output.kind === 'folder' ? [recipe.output.dir] : []
  const closed = paths.every((path) => isSample(path, own)) ? NO_OWN_PLACES : own
  return findImages(paths, { include, exclude, alsoTakes, leftOut, own: closed, signal, ...more })
}

/** Folders of other programs that were not entered, as they are told. */
export function foreignFolders(foreign: Found['foreign']): ForeignFolders {
  return { count: foreign.length, first: foreign.slice(0, SHOWN).map(({ path }) => basename(path)) }
}

export function logLeftOut({ log }: Pick<QueueContext, 'log'>, problems: Found['problems']): void {
  for (const { path, reason } of problems) log.warn('something was left out', { path, why: folderReasonText(reason) })
}

/** What is stored of a batch until everything below its paths is taken in. */
const OpenBatch = z.object({
  paths: z.array(z.string()),
  recipe: Recipe,
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  force: z.boolean(),
  insteadOf: z.array(z.string()).default([]),
  /** The file system that each path was on at the start. */
  devices: z.record(z.string(), z.string()).default({}),
})
type OpenBatch = z.infer<typeof OpenBatch>
const OPEN_BATCH = 'open_batch'

type OpenBatches = { key: string; value: OpenBatch }[]

export function openBatches(documents: Documents): OpenBatches {
  return documents.list(OPEN_BATCH, OpenBatch)
}

/** Those that are waiting for a drive now. */
export async function awayAmong(open: OpenBatches): Promise<AwayBatch[]> {
  const all = await Promise.all(
    open.map(async ({ key, value }) => ({ batchId: key, paths: await awayOf(value.paths, value.devices) })),
  )
  return all.filter(({ paths }) => paths.length > 0).map(asAway)
}

const asAway = ({ batchId, paths }: { batchId: string; paths: readonly string[] }): AwayBatch => ({
  batchId,
  paths: paths.slice(0, SHOWN),
  count: paths.length,
})
