import type { AltText } from '../../shared/jobs/job.ts'
import type { MetadataPolicy } from '../../shared/recipes/recipe.ts'
import type { ChildHandle, ChildPort, Clock } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type {
  FileWithMetadata,
  UnparsableFile,
  FileWithTexts,
  ChosenTexts,
  ImageAnswer,
  Encoded,
  EncodeOptions,
  ImageFailure,
  ImageTask,
  InspectOptions,
  Inspected,
  JudgedFile,
  JudgeOptions,
  PixelLimits,
  WorkerReply,
} from './image-messages.ts'
import { imageMemory, type MemoryBudget, type MemoryShare } from './memory-budget.ts'

interface ImageWorkerOptions {
  child: ChildPort
  clock: Clock
  /** Worker processes; each does one task at a time. */
  size?: number
  /** A task that takes longer fails and its worker is replaced. */
  inspectTimeoutMs?: number
  encodeTimeoutMs?: number
  /** More waiting tasks than this are a bug in the caller: each holds a picture in memory. */
  maxWaiting?: number
  limits?: PixelLimits
  /** Shared by default with all other image workers of this process. */
  memory?: MemoryBudget
}

/**
 * Inspects and encodes pictures in worker processes. A crash or time-out affects only its own task (after a crash it is
 * retried once in a fresh process, as the crash may have had another cause). Aborted calls reject with `AppError`
 * `aborted`; calls after `close` and a worker that cannot be started with `internal`.
 */
export interface ImageWorker {
  /**
   * Decodes every pixel, unless `leavesJpegPixels` leaves those of a JPEG to `encode`, which fails for the same reasons where it
   * encodes the picture in its own size.
   */
  inspect(bytes: Uint8Array, signal?: AbortSignal, options?: InspectOptions): Promise<Inspected | ImageFailure>
  encode(bytes: Uint8Array, options: EncodeOptions, signal?: AbortSignal): Promise<Encoded | ImageFailure>
  thumbnail(bytes: Uint8Array, px: number, signal?: AbortSignal): Promise<Encoded | ImageFailure>
  /** A copy in the same type with at most `maxBytes`; `too_large` where there is none, as for an animation. */
  shrink(bytes: Uint8Array, maxBytes: number, signal?: AbortSignal): Promise<Encoded | ImageFailure>
  /**
   * Whether the service's file shows its original. `copy`: what was sent instead of the original. What inspecting a file made of its
   * pixels need not be decoded again.
   */
  judge(
    served: Uint8Array,
    original: Uint8Array,
    options: JudgeOptions,
    signal?: AbortSignal,
  ): Promise<JudgedFile | ImageFailure>
  applyMetadata(
    bytes: Uint8Array,
    original: Uint8Array,
    metadata: MetadataPolicy,
    signal?: AbortSignal,
  ): Promise<FileWithMetadata | UnparsableFile | ImageFailure>
  /** The facts that decide which texts go into the files of an original, under this policy. */
  chooseTexts(
    original: Uint8Array,
    metadata: MetadataPolicy,
    texts: readonly AltText[],
    signal?: AbortSignal,
  ): Promise<ChosenTexts | ImageFailure>
  /** A file with its alt texts replaced by these. */
  writeTexts(
    bytes: Uint8Array,
    texts: readonly AltText[],
    signal?: AbortSignal,
  ): Promise<FileWithTexts | UnparsableFile | ImageFailure>
  close(): Promise<void>
}

const SECOND = 1000
const DEFAULT_LIMITS: PixelLimits = { framePixels: 100_000_000, totalPixels: 400_000_000 }
const MAX_FAILED_STARTS = 3

interface QueuedTask {
  id: number
  task: ImageTask
  timeoutMs: number
  crashes: number
  resolve(answer: ImageAnswer): void
  reject(error: AppError): void
}

interface WorkerProcess {
  child: ChildHandle | null
  ready: boolean
  queued: QueuedTask | null
  /** The memory that its task has reserved or waits for. */
  share: MemoryShare | null
  stopTimer: () => void
}

export function createImageWorker(options: ImageWorkerOptions): ImageWorker {
  const { child: childPort, clock, size = 1, maxWaiting = 256 } = options
  const { limits = DEFAULT_LIMITS, memory = imageMemory } = options
  const inspectTimeoutMs = options.inspectTimeoutMs ?? 60 * SECOND
  const encodeTimeoutMs = options.encodeTimeoutMs ?? 900 * SECOND
  const workers: WorkerProcess[] = Array.from({ length: size }, () => ({
    child: null,
    ready: false,
    queued: null,
    share: null,
    stopTimer: () => undefined,
  }))
  const waiting: QueuedTask[] = []
  let nextId = 1
  let failedStarts = 0
  let closed = false

  function start(worker: WorkerProcess): void {
    const child = childPort.spawn('image-worker')
    worker.child = child
    worker.ready = false
    child.onMessage((message) => {
      if (worker.child !== child) return
      const reply = message as WorkerReply
      if (reply.kind === 'ready') {
        worker.ready = true
        failedStarts = 0
        give(worker)
      } else if (reply.id !== worker.queued?.id) return
      else if (reply.kind === 'needs') admit(worker, worker.queued, reply.bytes)
      else finish(worker, (queued) => queued.resolve(reply.answer))
    })
    child.onExit(() => {
      if (worker.child === child) crashed(worker)
    })
  }

  /** Hands the worker's task to its worker and starts the time-out. */
  function give(worker: WorkerProcess): void {
    const { queued, child } = worker
    if (queued === null || child === null) return
    startTimer(worker, queued)
    child.send({ id: queued.id, task: queued.task })
  }

  /** Lets the worker decode once there is memory. The wait does not count towards the time-out. */
  function admit(worker: WorkerProcess, queued: QueuedTask, bytes: number): void {
    const { child } = worker
    worker.stopTimer()
    worker.share?.giveBack()
    worker.share = memory.ask(bytes, () => {
      startTimer(worker, queued)
      child?.send({ id: queued.id, go: true })
    })
  }

  function startTimer(worker: WorkerProcess, queued: QueuedTask): void {
    worker.stopTimer = clock.setTimer(queued.timeoutMs, () => {
      stop(worker)
      const detail = say('took_too_long', { seconds: queued.timeoutMs / SECOND })
      finish(worker, () => queued.resolve({ ok: false, reason: reasonFor(queued), detail }))
    })
  }

  function crashed(worker: WorkerProcess): void {
    const { queued, ready } = worker
    stop(worker)
    if (!ready) failedStarts += 1
    if (queued === null) return
    if (failedStarts >= MAX_FAILED_STARTS) {
      failedStarts = 0
      const error = new AppError('internal', say('image_worker_missing'))
      return finish(worker, () => queued.reject(error))
    }
    if (ready) queued.crashes += 1
    if (queued.crashes < 2) return start(worker)
    const detail = say('library_crashed')
    finish(worker, () => queued.resolve({ ok: false, reason: reasonFor(queued), detail }))
  }

  function stop(worker: WorkerProcess): void {
    const { child } = worker
    worker.stopTimer()
    worker.child = null
    worker.ready = false
    // A killed process may take a moment to exit; its memory is not counted for that moment.
    child?.kill()
    leave(worker)
  }

  function leave(worker: WorkerProcess): void {
    worker.share?.giveBack()
    worker.share = null
  }

  function finish(worker: WorkerProcess, tell: (queued: QueuedTask) => void): void {
    const { queued } = worker
    worker.stopTimer()
    worker.queued = null
    leave(worker)
    if (queued !== null) tell(queued)
    next()
  }

  function next(): void {
    for (const worker of workers) {
      if (worker.queued !== null) continue
      const queued = waiting.shift()
      if (queued === undefined) return
      worker.queued = queued
      if (worker.child === null) start(worker)
      else if (worker.ready) give(worker)
    }
  }

  function withdraw(id: number): void {
    const index = waiting.findIndex((queued) => queued.id === id)
    if (index >= 0) waiting.splice(index, 1)
    const worker = workers.find(({ queued }) => queued?.id === id)
    if (worker === undefined) return
    stop(worker)
    finish(worker, () => undefined)
  }

  function run(task: ImageTask, timeoutMs: number, signal?: AbortSignal): Promise<ImageAnswer> {
    if (closed) return Promise.reject(new AppError('internal', say('image_worker_closed')))
    if (signal?.aborted === true) return Promise.reject(abortedError())
    if (waiting.length >= maxWaiting) return Promise.reject(new AppError('internal', say('image_worker_full')))
    return new Promise((resolve, reject) => {
      const id = nextId++
      const onAbort = (): void => {
        withdraw(id)
        reject(abortedError())
      }
      const done = (): void => signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push({
        id,
        task,
        timeoutMs,
        crashes: 0,
        resolve: (answer) => (done(), resolve(answer)),
        reject: (error) => (done(), reject(error)),
      })
      next()
    })
  }

  return {
    inspect: (bytes, signal, inspectOptions) =>
      run({ kind: 'inspect', bytes, limits, ...inspectOptions }, inspectTimeoutMs, signal) as Promise<
        Inspected | ImageFailure
      >,
    encode: (bytes, encodeOptions, signal) =>
      run(
        { kind: 'encode', bytes, limits, options: encodeOptions },
        // Each variant may take as long as the whole picture, from which it differs by a pixel at the least.
        encodeTimeoutMs * (encodeOptions.widths?.length ?? 1),
        signal,
      ) as Promise<Encoded | ImageFailure>,
    thumbnail: (bytes, px, signal) =>
      run({ kind: 'thumbnail', bytes, limits, px }, inspectTimeoutMs, signal) as Promise<Encoded | ImageFailure>,
    shrink: (bytes, maxBytes, signal) =>
      run({ kind: 'shrink', bytes, limits, maxBytes }, encodeTimeoutMs, signal) as Promise<Encoded | ImageFailure>,
    judge: (served, original, judgeOptions, signal) =>
      run({ kind: 'judge', bytes: served, limits, original, ...judgeOptions }, inspectTimeoutMs, signal) as Promise<
        JudgedFile | ImageFailure
      >,
    applyMetadata: (bytes, original, metadata, signal) =>
      run({ kind: 'applyMetadata', bytes, limits, original, metadata }, inspectTimeoutMs, signal) as Promise<
        FileWithMetadata | UnparsableFile | ImageFailure
      >,
    chooseTexts: (original, metadata, texts, signal) =>
      run({ kind: 'chooseTexts', bytes: original, metadata, texts }, inspectTimeoutMs, signal) as Promise<
        ChosenTexts | ImageFailure
      >,
    writeTexts: (bytes, texts, signal) =>
      run({ kind: 'writeTexts', bytes, texts }, inspectTimeoutMs, signal) as Promise<
        FileWithTexts | UnparsableFile | ImageFailure
      >,
    async close() {
      closed = true
      const error = new AppError('aborted', say('hangar_closing'))
      for (const queued of waiting.splice(0)) queued.reject(error)
      for (const worker of workers) {
        stop(worker)
        finish(worker, (queued) => queued.reject(error))
      }
    },
  }
}

function abortedError(): AppError {
  return new AppError('aborted', say('stopped_on_request'))
}

/** What a crash or time-out says about the picture. */
function reasonFor(queued: QueuedTask): ImageFailure['reason'] {
  switch (queued.task.kind) {
    case 'inspect':
    case 'judge':
      return 'unreadable'
    case 'shrink':
      return 'copy_failed'
    case 'applyMetadata':
    case 'chooseTexts':
    case 'writeTexts':
      return 'not_cleaned'
    case 'encode':
    case 'thumbnail':
      return 'encode_failed'
  }
}
