import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { assertNever } from '../shared/sentences/errors.ts'
import type { ConvertFormat, UploadType } from '../shared/recipes/recipe.ts'
import { Semaphore } from '../shared/runtime/semaphore.ts'
import { describePicture } from './describe-picture.ts'
import type { PartKind } from './job-schedule.ts'
import type { PartResult } from './job-view.ts'
import { readTraits } from './picture-traits.ts'
import type { PictureTraits } from './picture-traits.ts'
import { convertedSize, recompressPicture, type Compression } from './recompress-picture.ts'

/** Max concurrent pictures; the work itself runs outside the event loop. */
const AT_A_TIME = 2
/** Total size of compressed pictures kept for download; beyond it the oldest are deleted and their downloads answer 404. */
const KEEP_BYTES = 512 * 1024 * 1024
/** Maximum number of cached traits and sizes: a few hundred bytes each. */
const KEEP_RESULTS = 20_000

interface PictureTask {
  kind: PartKind
  /** The upload; it must stay until the task has ended. */
  path: string
  sha256: string
  type: UploadType
  filename: string
  languages: string[]
  format: ConvertFormat
}

type Made = { traits: PictureTraits } | { sizeBytes: number; path?: string }

/** Does the real work behind jobs: once per content and kind, a few at a time, kept within bounds. */
export class PictureWork {
  readonly #folder: string
  readonly #compression: Compression
  readonly #made = new Map<string, Promise<Made>>()
  readonly #kept = new Map<string, number>()
  readonly #turns = new Semaphore(AT_A_TIME)
  #keptBytes = 0

  constructor(folder: string, compression: Compression) {
    this.#folder = folder
    this.#compression = compression
  }

  /** Rejects when the picture cannot be decoded. */
  async run(task: PictureTask): Promise<PartResult> {
    const made = await this.#makeOnce(task)
    if ('traits' in made) {
      return {
        kind: 'analyze',
        translations: task.languages.map((code) => describePicture(task.filename, made.traits, code)),
      }
    }
    return made.path === undefined
      ? { kind: 'convert', sizeBytes: made.sizeBytes }
      : { kind: 'optimize', sizeBytes: made.sizeBytes, path: made.path }
  }

  #makeOnce(task: PictureTask): Promise<Made> {
    const key = `${task.sha256} ${task.kind}${task.kind === 'convert' ? ` ${task.format}` : ''}`
    const known = this.#made.get(key)
    if (known) return known
    const making = this.#turns.run(() => this.#make(task, key))
    this.#made.set(key, making)
    // It may have failed for lack of disk space or memory: the next upload of the same picture tries again.
    making.catch(() => this.#made.delete(key))
    const oldest = this.#made.keys().next().value
    if (this.#made.size > KEEP_RESULTS && oldest !== undefined && !this.#kept.has(oldest)) this.#made.delete(oldest)
    return making
  }

  async #make(task: PictureTask, key: string): Promise<Made> {
    switch (task.kind) {
      case 'analyze':
        return { traits: await readTraits(task.path) }
      case 'convert':
        return { sizeBytes: await convertedSize(task.path, task.format) }
      case 'optimize': {
        const path = join(this.#folder, `${task.sha256}.optimized`)
        const sizeBytes = await recompressPicture(task.path, task.type, path, this.#compression)
        await this.#keep(key, sizeBytes)
        return { sizeBytes, path }
      }
      default:
        return assertNever(task.kind)
    }
  }

  async #keep(key: string, sizeBytes: number): Promise<void> {
    this.#kept.set(key, sizeBytes)
    this.#keptBytes += sizeBytes
    for (const [oldKey, oldBytes] of this.#kept) {
      if (this.#keptBytes <= KEEP_BYTES || oldKey === key) break
      this.#kept.delete(oldKey)
      this.#made.delete(oldKey)
      this.#keptBytes -= oldBytes
      await rm(join(this.#folder, `${oldKey.split(' ')[0]}.optimized`), { force: true })
    }
  }
}
