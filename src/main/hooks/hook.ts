import { basename } from 'node:path'
import type { Hook } from '../../shared/contract/hooks.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { Problem } from '../core/attention.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'

export interface HookSetup {
  hooks: () => readonly Hook[]
  /** Signs what is posted to an address. */
  secret: () => Promise<string>
  /** Of programs, which get it without what is Hangar's own. */
  env: NodeJS.ProcessEnv
  onEnd: OnHookEnd
}

/** Hears how a hook ended: `why` it failed, null for one that went well. */
export type OnHookEnd = (one: HookRun, why: Sentence | null) => void

/** The JSON that a hook gets. */
export type HookPayload = {
  /** The same each time that an event is posted, so that a receiver can tell what it has seen. */
  id: string
  /** ISO 8601, in UTC. */
  time: string
  /** Of the service in use; null while unknown. */
  credits: number | null
} & (
  | {
      event: 'done'
      batch: string
      /** The watched folder that its pictures came from; null for a command or a drop. */
      folder: string | null
      /** Of the batch. */
      counts: JobCounts
    }
  | { event: 'attention'; batch: null; counts: JobCounts; reasons: readonly Problem[] }
  | { event: 'low_credits'; batch: null; counts: JobCounts; below: number }
)

/** The program's base name, or the host of the address. */
export function hookName({ run, post }: Hook): string {
  return run === undefined ? new URL(post ?? '').host : basename(run[0] ?? '')
}

const MAX_WAITING = 100

export interface HookRun {
  hook: Hook
  payload: HookPayload
}

interface QueueDeps {
  /** Resolves to why it failed. `stop` aborts when it has to end soon. */
  run: (one: HookRun, stop: AbortSignal) => Promise<Sentence | null>
  onEnd: OnHookEnd
  clock: Pick<Clock, 'setTimer'>
  log: Pick<Logger, 'warn'>
}

/** Runs hooks one at a time, in the order of their events. A hook that fails is reported, and the next one runs. */
export class HookQueue {
  readonly #deps: QueueDeps
  readonly #waiting: HookRun[] = []
  readonly #stop = new AbortController()
  #working: Promise<void> | null = null

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  /** Beyond 100 that wait, the oldest is dropped. */
  add(one: HookRun): void {
    this.#waiting.push(one)
    if (this.#waiting.length > MAX_WAITING) this.#end(this.#waiting.shift()!, say('hook_left_out'))
    this.#working ??= this.#work()
  }

  /** Resolves once none waits or runs. */
  async idle(): Promise<void> {
    while (this.#working !== null) await this.#working
  }

  /** As `idle`, but after `graceMs` the running one is asked to end, and those that wait are dropped. */
  async close(graceMs: number): Promise<void> {
    const cancel = this.#deps.clock.setTimer(graceMs, () => this.#stop.abort())
    await this.idle()
    cancel()
  }

  async #work(): Promise<void> {
    // Not before `#working` is set.
    await Promise.resolve()
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift()) {
      if (this.#stop.signal.aborted) this.#end(one, say('hook_stopped'))
      else this.#end(one, await this.#deps.run(one, this.#stop.signal).catch((error: unknown) => raw(String(error))))
    }
    this.#working = null
  }

  #end(one: HookRun, why: Sentence | null): void {
    try {
      this.#deps.onEnd(one, why)
    } catch (error) {
      this.#deps.log.warn('the end of a hook could not be recorded', { error: String(error) })
    }
  }
}
