import type { ChildHandle, ChildPort, Clock } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { TASKS } from '../core/picture-tasks.ts'
import type { ImageAnswer, ImageTask, PicturePort, PixelLimits, TaskName, WorkerReply } from '../core/picture-tasks.ts'
import { MAX_ENCODINGS } from './fit-quality.ts'
import { imageMemory, type MemoryBudget, type MemoryShare } from './memory-budget.ts'

interface ImageWorkerOptions {
  child: ChildPort
  clock: Clock
  /** Worker processes; each does one task at a time. */
  size?: number
  /** A task that takes longer fails and its worker is replaced. */
  timeoutsMs?: { seconds: number; minutes: number }
  /** More waiting tasks than this are a bug in the caller: each holds a picture in memory. */
  maxWaiting?: number
  /** Shared by default with all other image workers of this process. */
  memory?: MemoryBudget
}

/**
 * Does tasks with pictures in worker processes. A crash or time-out affects only its own task; after a crash it is retried once. Aborted calls
 * reject with `AppError` `aborted`; calls after `close` and a worker that cannot be started with `internal`.
 */
export interface ImageWorker extends PicturePort {
  close(): Promise<void>
}

const SECOND = 1000
const TIMEOUTS_MS = { seconds: 60 * SECOND, minutes: 900 * SECOND }
const LIMITS: PixelLimits = { framePixels: 100_000_000, totalPixels: 400_000_000 }
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
  const workers = new ImageWorkers(options)
  const { timeoutsMs = TIMEOUTS_MS } = options
  const does = (kind: TaskName) => (asks: object, signal?: AbortSignal) => {
    const task = { kind, limits: LIMITS, ...asks } as ImageTask
    return workers.run(task, timeoutsMs[TASKS[kind].takes] * timesAsLong(task), signal)
  }
  const port = Object.fromEntries(Object.keys(TASKS).map((kind) => [kind, does(kind as TaskName)]))
  return { ...(port as unknown as PicturePort), close: async () => workers.close() }
}

function timesAsLong(task: ImageTask): number {
  if (task.kind !== 'encode') return 1
  const { widths, maxBytes = null } = task.options
  // Each variant may take as long as the whole picture, from which it differs by a pixel at the least.
  return (widths?.length ?? 1) * (maxBytes === null ? 1 : MAX_ENCODINGS)
}

/** The processes and their queue; each process does one task at a time. */
class ImageWorkers {
  readonly #child: ChildPort
  readonly #clock: Clock
  readonly #memory: MemoryBudget
  readonly #maxWaiting: number
  readonly #workers: WorkerProcess[]
  readonly #waiting: QueuedTask[] = []
  #nextId = 1
  #failedStarts = 0
  #isClosed = false

  constructor({ child, clock, size = 1, maxWaiting = 256, memory = imageMemory }: ImageWorkerOptions) {
    this.#child = child
    this.#clock = clock
    this.#memory = memory
    this.#maxWaiting = maxWaiting
    this.#workers = Array.from({ length: size }, () => ({
      child: null,
      ready: false,
      queued: null,
      share: null,
      stopTimer: () => undefined,
    }))
  }

  run(task: ImageTask, timeoutMs: number, signal?: AbortSignal): Promise<ImageAnswer> {
    if (this.#isClosed) return Promise.reject(new AppError('internal', say('hangar_stopping')))
    if (signal?.aborted === true) return Promise.reject(abortedError())
    if (this.#waiting.length >= this.#maxWaiting)
      return Promise.reject(new AppError('internal', say('image_worker_full')))
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const onAbort = (): void => {
        this.#withdraw(id)
        reject(abortedError())
      }
      const done = (): void => signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push({
        id,
        task,
        timeoutMs,
        crashes: 0,
        resolve: (answer) => (done(), resolve(answer)),
        reject: (error) => (done(), reject(error)),
      })
      this.#next()
    })
  }

  close(): void {
    this.#isClosed = true
    const error = new AppError('aborted', say('hangar_stopping'))
    for (const queued of this.#waiting.splice(0)) queued.reject(error)
    for (const worker of this.#workers) {
      this.#stop(worker)
      this.#finish(worker, (queued) => queued.reject(error))
    }
  }

  #start(worker: WorkerProcess): void {
    const child = this.#child.spawn('image-worker')
    worker.child = child
    worker.ready = false
    child.onMessage((message) => {
      if (worker.child === child) this.#receive(worker, message as WorkerReply)
    })
    child.onExit(() => {
      if (worker.child === child) this.#crashed(worker)
    })
  }

  #receive(worker: WorkerProcess, reply: WorkerReply): void {
    if (reply.kind === 'ready') {
      worker.ready = true
      this.#failedStarts = 0
      this.#give(worker)
    } else if (reply.id !== worker.queued?.id) return
    else if (reply.kind === 'needs') this.#admit(worker, worker.queued, reply.bytes)
    else this.#finish(worker, (queued) => queued.resolve(reply.answer))
  }

  /** Hands the worker its task and starts the time-out. */
  #give(worker: WorkerProcess): void {
    const { queued, child } = worker
    if (queued === null || child === null) return
    this.#startTimer(worker, queued)
    child.send({ id: queued.id, task: queued.task })
  }

  /** Lets the worker decode once there is memory. The wait does not count towards the time-out. */
  #admit(worker: WorkerProcess, queued: QueuedTask, bytes: number): void {
    const { child } = worker
    worker.stopTimer()
    worker.share?.giveBack()
    worker.share = this.#memory.ask(bytes, () => {
      this.#startTimer(worker, queued)
      child?.send({ id: queued.id, go: true })
    })
  }

  #startTimer(worker: WorkerProcess, queued: QueuedTask): void {
    worker.stopTimer = this.#clock.setTimer(queued.timeoutMs, () => {
      this.#stop(worker)
      const detail = say('took_too_long', { seconds: queued.timeoutMs / SECOND })
      this.#finish(worker, () => queued.resolve({ ok: false, reason: TASKS[queued.task.kind].failsAs, detail }))
    })
  }

  #crashed(worker: WorkerProcess): void {
    const { queued, ready } = worker
    this.#stop(worker)
    if (!ready) this.#failedStarts += 1
    if (queued === null) return
    if (this.#failedStarts >= MAX_FAILED_STARTS) {
      this.#failedStarts = 0
      const error = new AppError('internal', say('image_worker_missing'))
      return this.#finish(worker, () => queued.reject(error))
    }
    if (ready) queued.crashes += 1
    if (queued.crashes < 2) return this.#start(worker)
    const detail = say('library_crashed')
    this.#finish(worker, () => queued.resolve({ ok: false, reason: TASKS[queued.task.kind].failsAs, detail }))
  }

  #stop(worker: WorkerProcess): void {
    const { child } = worker
    worker.stopTimer()
    worker.child = null
    worker.ready = false
    // A killed process may take a moment to exit; its memory is not counted for that moment.
    child?.kill()
    this.#giveBack(worker)
  }

  #giveBack(worker: WorkerProcess): void {
    worker.share?.giveBack()
    worker.share = null
  }

  #finish(worker: WorkerProcess, tell: (queued: QueuedTask) => void): void {
    const { queued } = worker
    worker.stopTimer()
    worker.queued = null
    this.#giveBack(worker)
    if (queued !== null) tell(queued)
    this.#next()
  }

  #next(): void {
    for (const worker of this.#workers) {
      if (worker.queued !== null) continue
      const queued = this.#waiting.shift()
      if (queued === undefined) return
      worker.queued = queued
      if (worker.child === null) this.#start(worker)
      else if (worker.ready) this.#give(worker)
    }
  }

  #withdraw(id: number): void {
    const index = this.#waiting.findIndex((queued) => queued.id === id)
    if (index >= 0) this.#waiting.splice(index, 1)
    const worker = this.#workers.find(({ queued }) => queued?.id === id)
    if (worker === undefined) return
    this.#stop(worker)
    this.#finish(worker, () => undefined)
  }
}

function abortedError(): AppError {
  return new AppError('aborted', say('stopped_on_request'))
}
