import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { Semaphore } from '../../shared/runtime/semaphore.ts'
import type { ImageFailure, PicturePort } from '../core/picture-tasks.ts'
import { toDiskError } from '../files/disk-error.ts'
import { findProgram } from '../files/find-program.ts'
import { imageMemory, type MemoryBudget, type MemoryShare } from './memory-budget.ts'
import { runDecoder, type DecoderEnd, type DecoderLimits } from './run-decoder.ts'

/** As many as there are image workers, which need the results. */
const AT_ONCE = 2
const LIMIT_MS = 120_000
/** libheif's program took 8 bytes for each pixel of 8 bits, and 13 of 10 bits. */
const MEMORY_PER_PIXEL = 16
/** And what it may take besides. A file may declare few pixels and hold many. */
const MEMORY_BASE = 256 * 1_048_576
/** Four channels of 16 bits that do not compress, with room for a profile. */
const OUTPUT_PER_PIXEL = 8
const OUTPUT_BASE = 16 * 1_048_576
const MAX_OUTPUT = 512 * 1_048_576
/** Of pictures on the disk: about 50 of 12 megapixels, which are inspected, copied and encoded one after the other. */
const MAX_KEPT = 1024 * 1_048_576
const MAX_SAID = 160
/** In bytes. A program that fails where less is left may have failed for that. */
const LEAST_ROOM = 65_536

/** What decodes a HEIC, into which format, and how it is asked to. */
interface Program {
  path: string
  suffix: 'png' | 'tiff'
  argsFor: (input: string, output: string) => string[]
}

/** Whether a program is there that decodes HEIC. */
export const readsHeic = async (): Promise<boolean> => (await findDecoder({})) !== null

type Decoded = { ok: true; bytes: Uint8Array } | ImageFailure

/** Decodes HEIC by a program of the system: the decoders in the package read no HEVC. */
export interface HeicDecoder {
  /** Whether there was a program when one was last looked for. */
  readonly isThere: boolean
  /** Removes what a kill left in the folder that was given, unless that was done. */
  empty(): Promise<void>
  /** Looks for a program, unless one was found. */
  look(): Promise<void>
  /** A PNG or TIFF of the main picture. Rejects with `aborted`, and with the disk's error as an `AppError`. */
  decode(worker: Pick<PicturePort, 'isolate'>, bytes: Uint8Array, signal?: AbortSignal): Promise<Decoded>
  /** Ends what runs, and removes what is kept. */
  close(): Promise<void>
}

interface HeicDecoderDeps {
  clock: Pick<Clock, 'setTimer'>
  log: Logger
  /** A folder of its own for what is being decoded and what is kept. By default a fresh one of the system. */
  dir?: string
  platform?: NodeJS.Platform
  env?: NodeJS.ProcessEnv
  /** macOS's own program. */
  sips?: string
  memory?: MemoryBudget
  limitMs?: number
}

export function createHeicDecoder(deps: HeicDecoderDeps): HeicDecoder {
  return new SystemDecoder(deps)
}

/**
 * The first program of its system: libheif's under its two names, or macOS's own. Windows has a decoder for its programs, if a person
 * bought it, but no program to ask.
 */
async function findDecoder({
  platform = process.platform,
  env = process.env,
  sips = '/usr/bin/sips',
}: Pick<HeicDecoderDeps, 'platform' | 'env' | 'sips'>): Promise<Program | null> {
  if (platform === 'win32') return null
  if (platform === 'darwin') {
    const path = await findProgram([sips])
    const argsFor = (input: string, output: string) => ['-s', 'format', 'tiff', input, '--out', output]
    return path === null ? null : { path, suffix: 'tiff', argsFor }
  }
  for (const name of ['heif-dec', 'heif-convert']) {
    const path = await findProgram([], { name, env })
    if (path !== null) return { path, suffix: 'png', argsFor: (input, output) => [input, output] }
  }
  return null
}

class SystemDecoder implements HeicDecoder {
  readonly #deps: HeicDecoderDeps
  readonly #turns = new Semaphore(AT_ONCE)
  readonly #closing = new AbortController()
  /** By the content of the HEIC, the least recently used first. */
  readonly #kept = new Map<string, { path: string; sizeBytes: number }>()
  readonly #running = new Set<Promise<unknown>>()
  #program: Program | null = null
  #emptied: Promise<void> | null = null
  /** Where no folder was given. */
  #scratch: Promise<string> | null = null

  constructor(deps: HeicDecoderDeps) {
    this.#deps = deps
  }

  get isThere(): boolean {
    return this.#program !== null
  }

  async empty(): Promise<void> {
    const { dir } = this.#deps
    if (dir === undefined) return
    this.#emptied ??= rm(dir, { recursive: true, force: true }).catch((error: unknown) => {
      this.#emptied = null
      throw error
    })
    return this.#emptied
  }

  async look(): Promise<void> {
    this.#program ??= await findDecoder(this.#deps)
  }

  async decode(worker: Pick<PicturePort, 'isolate'>, bytes: Uint8Array, signal?: AbortSignal): Promise<Decoded> {
    const key = createHash('sha256').update(bytes).digest('hex')
    const known = await this.#read(key)
    if (known !== null) return { ok: true, bytes: known }
    const isolated = await worker.isolate({ bytes }, signal)
    if (!isolated.ok) return isolated
    await this.look()
    const program = this.#program
    if (program === null) return failure('no_heic_program', say('is_format', { format: 'HEIC' }))
    const stop = AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])])
    const made = this.#turns.run(async () => {
      const share = await reserve(this.#deps.memory ?? imageMemory, isolated.pixels * MEMORY_PER_PIXEL, stop)
      try {
        return await this.#make(program, isolated, key, stop)
      } catch (error) {
        // Of the disk, not of the picture: it is tried again.
        throw toDiskError(error, this.#deps.dir ?? tmpdir())
      } finally {
        share.giveBack()
      }
    })
    this.#running.add(made)
    return made.finally(() => this.#running.delete(made))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#running)
    const dir = this.#deps.dir ?? (await this.#scratch)
    if (dir != null) await rm(dir, { recursive: true, force: true })
  }

  async #make(
    program: Program,
    { bytes, pixels }: { bytes: Uint8Array; pixels: number },
    key: string,
    signal: AbortSignal,
  ): Promise<Decoded> {
    const folder = await mkdtemp(join(await this.#dir(), 'run-'))
    try {
      const [input, output] = [join(folder, 'picture.heic'), join(folder, `picture.${program.suffix}`)]
      await writeFile(input, bytes, { mode: 0o600, flag: 'wx' })
      const { clock, limitMs = LIMIT_MS } = this.#deps
      const maxBytes = Math.min(MAX_OUTPUT, pixels * OUTPUT_PER_PIXEL + OUTPUT_BASE)
      const args = program.argsFor(input, output)
      const maxMemory = pixels * MEMORY_PER_PIXEL + MEMORY_BASE
      const limits = { maxBytes, maxMemory, limitMs }
      const end = await runDecoder({ file: program.path, args, folder, output, ...limits, clock, signal })
      const why = end.how === 'done' ? await whyUnusable(output, maxBytes) : end
      // Throws the disk's error where it is full, which is then why.
      if (why?.how === 'failed') await writeFile(join(folder, 'room'), Buffer.alloc(LEAST_ROOM))
      if (why !== null) return this.#failed(program, why, folder, limits)
      return { ok: true, bytes: await this.#keep(key, output, program.suffix) }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  #failed({ path }: Program, end: DecoderEnd, folder: string, limits: DecoderLimits): ImageFailure {
    const program = basename(path)
    if (end.how === 'stopped') throw new AppError('aborted', say('stopped_on_request'))
    const said = end.how === 'failed' ? firstLine(end.said.replaceAll(folder, '')) : ''
    this.#deps.log.warn('a HEIC was not decoded', { program, how: end.how, said })
    switch (end.how) {
      case 'missing':
        // Another may be installed meanwhile, or this one again.
        this.#program = null
        return failure('no_heic_program', say('heic_gone'))
      case 'too_long':
        return failure('heic_failed', say('took_too_long', { seconds: limits.limitMs / 1000 }))
      case 'too_large':
        return failure('heic_failed', say('heic_too_large', { program, limit: limits.maxBytes }))
      case 'too_much_memory':
        return failure('heic_failed', say('heic_too_much_memory', { program, limit: limits.maxMemory }))
      default:
        return failure(
          'heic_failed',
          said === '' ? say('heic_not_whole') : say('heic_said', { program, why: raw(said) }),
        )
    }
  }

  /** Made again where that failed before, or where it was removed meanwhile. */
  async #dir(): Promise<string> {
    const { dir } = this.#deps
    if (dir !== undefined) {
      await this.empty()
      return made(dir)
    }
    this.#scratch ??= mkdtemp(join(tmpdir(), 'hangar-heic-'))
    try {
      return await this.#scratch
    } catch (error) {
      this.#scratch = null
      throw error
    }
  }

  async #keep(key: string, made: string, suffix: string): Promise<Buffer> {
    const bytes = await readFile(made)
    const path = join(await this.#dir(), `${key}.${suffix}`)
    await rename(made, path)
    this.#kept.delete(key)
    this.#kept.set(key, { path, sizeBytes: bytes.length })
    let total = [...this.#kept.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const [oldest, { path: old, sizeBytes }] of this.#kept) {
      if (total <= MAX_KEPT || oldest === key) break
      total -= sizeBytes
      this.#kept.delete(oldest)
      await rm(old, { force: true })
    }
    return bytes
  }

  async #read(key: string): Promise<Buffer | null> {
    const kept = this.#kept.get(key)
    if (kept === undefined) return null
    this.#kept.delete(key)
    const bytes = await readFile(kept.path).catch(() => null)
    if (bytes !== null) this.#kept.set(key, kept)
    return bytes
  }
}

/** Not the folders around it: the data folder may be gone. */
async function made(dir: string): Promise<string> {
  await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return dir
}

async function whyUnusable(output: string, maxBytes: number): Promise<DecoderEnd | null> {
  const found = await stat(output).catch(() => null)
  if (found?.isFile() !== true || found.size === 0) return { how: 'failed', said: '' }
  return found.size > maxBytes ? { how: 'too_large' } : null
}

/** The wait for memory ends with the signal. */
function reserve(memory: MemoryBudget, bytes: number, signal: AbortSignal): Promise<MemoryShare> {
  const { promise, resolve, reject } = Promise.withResolvers<MemoryShare>()
  const share = memory.ask(bytes, () => queueMicrotask(() => resolve(share)))
  const give = () => {
    share.giveBack()
    reject(new AppError('aborted', say('stopped_on_request')))
  }
  if (signal.aborted) give()
  else signal.addEventListener('abort', give, { once: true })
  return promise.finally(() => signal.removeEventListener('abort', give))
}

/** Of what an unknown program said about an untrusted file. */
const firstLine = (said: string): string => (said.match(/[^\p{C}]+/u)?.[0] ?? '').trim().slice(0, MAX_SAID)

const failure = (reason: ImageFailure['reason'], detail: Sentence): ImageFailure => ({ ok: false, reason, detail })
