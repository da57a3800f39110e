import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Background } from '../../src/shared/runtime/background.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import type { Logger } from '../../src/shared/runtime/ports.ts'
import type { Recipe } from '../../src/shared/recipes/recipe.ts'
import { Settings } from '../../src/shared/settings/settings.ts'
import type { Slot } from '../../src/main/core/image-service.ts'
import { RateBudget } from '../../src/main/core/rate-budget.ts'
import { insertBatch, type Batch } from '../../src/main/journal/batches.ts'
import type { QueueContext } from '../../src/main/queue/context.ts'
import { takeIn } from '../../src/main/queue/intake.ts'
import type { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal, type Db } from '../../src/main/journal/journal.ts'
import type { Lane } from '../../src/main/queue/lane.ts'
import { recover } from '../../src/main/queue/recovery.ts'
import type { Runner } from '../../src/main/queue/runner.ts'
import { MemoryFiles, picture } from '../simulation/memory-files.ts'
import { openQueue } from '../simulation/open-queue.ts'
import { quiet } from '../simulation/world.ts'
import { SimulatedService, statusAnswer } from '../simulation/simulated-service.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { makeBatch, makeRequest, SERVICE } from './make-job.ts'

/** A call that is answered at once, and always with this status. */
export const refusing =
  (code: number, onCall: () => unknown = () => undefined) =>
  async (_about: unknown, { slot }: { slot: Slot }) => {
    onCall()
    slot.answered()
    return statusAnswer(code)
  }

/** The queue with all of its parts in reach: real SQLite, the rest in memory and in virtual time. */
export class QueueBench {
  readonly clock: VirtualClock
  readonly files = new MemoryFiles()
  readonly service: SimulatedService
  settings = Settings.parse({})
  readonly problems: string[] = []
  /** What the lane told of the balance. */
  readonly balances: number[] = []
  readonly db: Db
  readonly store: JobStore
  readonly context: QueueContext
  readonly lane: Lane
  readonly runner: Runner
  readonly background: Background
  /** The service that new work is sent to. */
  activeService = SERVICE
  /** What writing the rate log does. */
  saveBudget: () => void = () => undefined
  onBalance = (credits: number): unknown => this.balances.push(credits)
  readonly #dir = mkdtempSync(join(tmpdir(), 'hangar-queue-'))
  #ids = 0

  /** Computers that share an account are given the same clock and service. */
  constructor(clock = new VirtualClock(), service = new SimulatedService(clock, () => 0.5), random = () => 0.5) {
    this.clock = clock
    this.service = service
    this.db = openJournal(this.#dir)
    const note: Logger['warn'] = (message, facts) => this.problems.push(`${message} ${JSON.stringify(facts)}`)
    const log: Logger = { ...quiet, warn: note, error: note }
    const queue = openQueue({
      db: this.db,
      clock,
      files: this.files,
      random,
      log,
      settings: () => this.settings,
      lanes: [
        {
          serviceId: SERVICE,
          service,
          accountId: 'account-1',
          budget: new RateBudget({ limit: 60 }),
          saveBudget: () => this.saveBudget(),
        },
      ],
      activeService: () => this.activeService,
      onBalance: (credits) => this.onBalance(credits),
      onError: (error) => this.problems.push(String(error)),
    })
    ;({ store: this.store, context: this.context, background: this.background, runner: this.runner } = queue)
    this.lane = queue.lanes[0]!
    this.batch('B')
    recover(this.context)
  }

  makeId(): string {
    this.#ids += 1
    return `01J${String(this.#ids).padStart(23, '0')}`
  }

  batch(id: string, changes: Partial<Batch> = {}): void {
    insertBatch(this.db, makeBatch(id, changes), this.clock.nowMs())
  }

  /** Puts a picture on the disk and takes it in. */
  async add(
    name: string,
    content = name,
    order: { batchId?: string; force?: boolean; recipe?: Partial<Recipe> } = {},
  ): Promise<Job> {
    const path = `/pictures/${name}.jpg`
    this.files.put(path, picture('jpeg', `${content} ${'x'.repeat(200)}`))
    const request = makeRequest(path)
    const recipe = { ...request.recipe, ...order.recipe }
    const outcome = await takeIn(this.context, () => this.makeId(), { ...request, ...order, recipe })
    if (outcome.kind !== 'job') throw new Error(`taken in as ${outcome.kind}`)
    return outcome.job
  }

  /** Starts the queue, and lets this much time pass. */
  async run(ms: number): Promise<void> {
    this.runner.start()
    await this.clock.advance(ms)
  }

  /** A picture that is done. */
  async done(name: string, content?: string, order?: Parameters<QueueBench['add']>[2]): Promise<Job> {
    const job = await this.add(name, content, order)
    await this.run(60_000)
    if (this.get(job).state !== 'done') throw new Error(`it is ${this.get(job).state}`)
    return this.get(job)
  }

  get(job: Job): Job {
    return this.store.get(job.id)!
  }

  async dispose(): Promise<void> {
    const stopped = this.runner.stop(1000)
    await this.clock.advance(5000)
    await stopped
    this.db.close()
    rmSync(this.#dir, { recursive: true, force: true })
  }
}
