import type { PracticeOptions } from '../../practice/protocol.ts'
import type { ChildPort, Clock, Logger } from '../../shared/ports.ts'
import type { Settings } from '../../shared/settings.ts'
import type { PracticeAccess } from '../lanes.ts'
import { startPracticeChild, type PracticeChild } from '../practice-child.ts'

/** A practice service that ended by itself is started again after so long, and again, ever more slowly. */
const AGAIN_MS = 1000
const MOST_AGAIN_MS = 60_000

export interface PracticeKeeperDeps {
  child: ChildPort
  clock: Clock
  log: Logger & { hideSecret(secret: string): void }
  options: PracticeOptions
}

/** The practice service of a desktop: there whenever one of the two services has no address of its own. */
export class PracticeKeeper {
  readonly #deps: PracticeKeeperDeps
  #running: PracticeChild | null = null
  #starting: Promise<void> | null = null
  #failures = 0
  #cancel = () => undefined as void
  #isStopped = false
  /** It answers at another address, with another key. */
  onRestart: () => void = () => undefined

  constructor(deps: PracticeKeeperDeps) {
    this.#deps = deps
  }

  current(): PracticeAccess | null {
    return this.#running
  }

  static isNeeded(settings: Pick<Settings, 'imageBaseUrl' | 'chargerBaseUrl'>): boolean {
    return settings.imageBaseUrl === null || settings.chargerBaseUrl === null
  }

  /** Starts it unless it runs. Throws when it does not come up. */
  async ensure(): Promise<void> {
    if (this.#running !== null || this.#isStopped) return
    this.#starting ??= this.#start().finally(() => (this.#starting = null))
    await this.#starting
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#running?.stop()
    this.#running = null
  }

  async #start(): Promise<void> {
    const { child, log, options } = this.#deps
    const practice = await startPracticeChild(child, options)
    if (this.#isStopped) return practice.stop()
    for (const key of [practice.apiKey, practice.partnerToken]) log.hideSecret(key)
    this.#running = practice
    practice.onEnd(() => this.#ended())
  }

  #ended(): void {
    this.#running = null
    if (this.#isStopped) return
    const { clock, log } = this.#deps
    const delayMs = Math.min(MOST_AGAIN_MS, AGAIN_MS * 2 ** this.#failures)
    this.#failures += 1
    log.warn('the practice service ended; starting it again', { delayMs })
    this.#cancel = clock.setTimer(delayMs, () => {
      this.ensure().then(
        () => {
          if (!this.#isStopped) this.onRestart()
        },
        () => this.#ended(),
      )
    })
  }
}
