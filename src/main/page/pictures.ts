import { dirname } from 'node:path'
import type { JobView, PictureKind } from '../../shared/contract/jobs.ts'
import type { ChildPort, Clock, Logger } from '../../shared/runtime/ports.ts'
import { MAX_SOURCE_BYTES } from '../../shared/recipes/recipe.ts'
import { Semaphore } from '../../shared/runtime/semaphore.ts'
import { createImageWorker, type ImageWorker } from '../images/image-worker-client.ts'
import { keptOriginalsOf } from '../files/kept-originals.ts'
import type { SetAside } from '../files/set-aside.ts'
import { takeSnapshot } from '../files/snapshot.ts'
import { publishedOf } from '../core/published-output.ts'
import { isReplaced } from '../engine/calls/job-view.ts'
import { THUMB_PX, type ThumbCache } from './thumb-cache.ts'

const LARGE_PX = 1600
/** One is rendered while one more is read. */
const AT_ONCE = 2
/** A page requests only what it shows. */
const MAX_WAITING = 2000
/** Enough to go back and forth between a few pictures. */
const MAX_LARGE_BYTES = 48 * 1_048_576

interface PicturesDeps {
  child: ChildPort
  clock: Clock
  cache: ThumbCache
  setAside: SetAside
  log: Logger
}

interface Picture {
  bytes: Uint8Array
  type: string
}

type JobPicture = Exclude<PictureKind, 'file'>

interface Candidate {
  path: string
  rootDir: string
}

/**
 * Renderings for a page: decoded and encoded again, in a child process that gets bytes and no paths, so no untrusted file reaches a
 * page. Null if there is nothing to show.
 */
export class Pictures {
  readonly #worker: ImageWorker
  readonly #cache: ThumbCache
  readonly #setAside: SetAside
  readonly #log: Logger
  readonly #underWay = new Map<string, Promise<Picture | null>>()
  readonly #large = new Map<string, Picture>()
  readonly #turns = new Semaphore(AT_ONCE)
  #isClosed = false

  constructor(deps: PicturesDeps) {
    this.#worker = createImageWorker({ child: deps.child, clock: deps.clock, size: 1 })
    this.#cache = deps.cache
    this.#setAside = deps.setAside
    this.#log = deps.log
  }

  of(job: JobView, kind: JobPicture): Promise<Picture | null> {
    return this.#shared(`${job.id} ${kind} ${job.updatedAtMs}`, { job: job.id }, () => this.#make(job, kind))
  }

  /** The thumbnail of a file that has no job yet. */
  ofFile(path: string): Promise<Picture | null> {
    return this.#shared(path, {}, () => this.#first([{ path, rootDir: dirname(path) }], 'thumb'))
  }

  /** Concurrent requests for a rendering share one answer. */
  #shared(key: string, about: { job?: string }, make: () => Promise<Picture | null>): Promise<Picture | null> {
    const known = this.#underWay.get(key)
    if (known !== undefined) return known
    const making = make()
      .catch((error: unknown) => {
        this.#log.warn('a preview could not be made', { ...about, error: String(error) })
        return null
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, making)
    return making
  }

  /** Resolves once nothing more is written to the data folder. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker.close()
    await Promise.all(this.#underWay.values())
  }

  async #make(job: JobView, kind: JobPicture): Promise<Picture | null> {
    if (kind === 'thumb' && job.image !== null) {
      const kept = await this.#cache.get(job.image.sha256)
      if (kept !== null) return webp(kept)
    }
    return this.#first(await candidatesOf(job, kind, this.#setAside), kind)
  }

  async #first(candidates: readonly Candidate[], kind: JobPicture): Promise<Picture | null> {
    if (this.#turns.waiting >= MAX_WAITING) return null
    return this.#turns.run(async () => {
      for (const candidate of candidates) {
        if (this.#isClosed) return null
        const picture = await this.#render(candidate, kind)
        if (picture !== null) return picture
      }
      return null
    })
  }

  async #render({ path, rootDir }: Candidate, kind: JobPicture): Promise<Picture | null> {
    const read = await takeSnapshot(path, rootDir, MAX_SOURCE_BYTES).catch(() => null)
    if (read?.kind !== 'snapshot') return null
    if (kind === 'thumb') {
      const kept = await this.#cache.get(read.sha256)
      if (kept !== null) return webp(kept)
    }
    const known = this.#large.get(read.sha256)
    if (kind !== 'thumb' && known !== undefined) return this.#remember(read.sha256, known)
    const made = await this.#worker.thumbnail({ bytes: read.bytes, px: kind === 'thumb' ? THUMB_PX : LARGE_PX })
    if (!made.ok) return null
    const picture = webp(made.bytes)
    if (kind !== 'thumb') return this.#remember(read.sha256, picture)
    await this.#cache.put(read.sha256, made.bytes)
    return picture
  }

  /** An LRU cache: the most recently used last. */
  #remember(sha256: string, picture: Picture): Picture {
    this.#large.delete(sha256)
    this.#large.set(sha256, picture)
    let total = [...this.#large.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
    for (const [oldest, { bytes }] of this.#large) {
      if (total <= MAX_LARGE_BYTES) break
      this.#large.delete(oldest)
      total -= bytes.byteLength
    }
    return picture
  }
}

/** The files to try, best first. A thumbnail may show a result when the original is gone. */
async function candidatesOf(job: JobView, kind: JobPicture, setAside: SetAside): Promise<Candidate[]> {
  const outputRoot = job.recipe.output.kind === 'folder' ? job.recipe.output.dir : job.rootDir
  const outputs = (role: 'optimized' | 'converted'): Candidate[] => {
    const output = publishedOf(job.outputs, role)
    return output === null ? [] : [{ path: output.path, rootDir: outputRoot }]
  }
  const source = { path: job.source.path, rootDir: job.rootDir }
  switch (kind) {
    case 'thumb':
      return [source, ...outputs('optimized'), ...outputs('converted')]
    case 'original':
      return isReplaced(job) ? [...(await keptOriginal(job)), source] : [source]
    case 'optimized':
    case 'converted':
      return outputs(kind)
    case 'served': {
      const kept = await setAside.find(job.id)
      return kept === null ? [] : [kept]
    }
  }
}

async function keptOriginal({ source, rootDir, image }: JobView): Promise<Candidate[]> {
  const kept = (await keptOriginalsOf(source.path, rootDir)).find(({ record }) => record.sha256 === image?.sha256)
  return kept === undefined ? [] : [{ path: kept.filePath, rootDir }]
}

const webp = (bytes: Uint8Array): Picture => ({ bytes, type: 'image/webp' })
