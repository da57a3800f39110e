import type { PracticeAddress, PracticeOptions } from '../../practice/protocol.ts'
import type { ChildPort, Clock, Logger } from '../../shared/runtime/ports.ts'
import { toAppError, type AppError } from '../../shared/sentences/errors.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { startPracticeChild, type PracticeChild } from '../children/practice-child.ts'

/** Delay before restarting a practice service that ended on its own. */
const AGAIN_MS = 5000

interface PracticeKeeperDeps {
  child: ChildPort
  clock: Clock
  log: Logger & { hideSecret(secret: string): void }
  options: PracticeOptions
  /** Whether anything would use it now. */
  isNeeded: () => boolean
}

/** The practice service of a desktop: runs whenever one of the two services has no address of its own. */
export class PracticeKeeper {
  readonly #deps: PracticeKeeperDeps
  #running: PracticeChild | null = null
  #starting: Promise<void> | null = null
  #cancel = () => undefined as void
  #isStopped = false
  /** Called after a restart: it now has another address and key. */
  onRestart: () => void = () => undefined

  constructor(deps: PracticeKeeperDeps) {
    this.#deps = deps
  }

  current(): PracticeAddress | null {
    return this.#running
  }

  static isNeeded(settings: Pick<Settings, 'imageBaseUrl' | 'chargerBaseUrl'>): boolean {
    return settings.imageBaseUrl === null || settings.chargerBaseUrl === null
  }

  /** Like `ensure`, but returns why it did not start, and retries on its own. */
  async begin(): Promise<AppError | null> {
    try {
      await this.ensure()
      return null
    } catch (error) {
      const why = toAppError(error)
      this.#ended(why)
      return why
    }
  }

  /** Starts it unless it is running. Throws when it does not start. */
  async ensure(): Promise<void> {
    if (this.#running !== null || this.#isStopped) return
    this.#starting ??= this.#start().finally(() => (this.#starting = null))
    await this.#starting
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    const running = this.#running
    this.#running = null
    await running?.stop()
  }

  async #start(): Promise<void> {
    const { child, log, options } = this.#deps
    const practice = await startPracticeChild(child, options)
    if (this.#isStopped) return practice.stop()
    for (const key of [practice.apiKey, practice.partnerToken]) log.hideSecret(key)
    this.#cancel()
    this.#running = practice
    practice.onEnd(() => this.#ended())
  }

  /** It ended or did not start: restarts it after a delay, if something needs it then. */
  #ended(error?: AppError): void {
    const { clock, log, isNeeded } = this.#deps
    this.#running = null
    if (this.#isStopped) return
    log.warn('the practice service does not run; starting it again', error && { error: error.message })
    this.#cancel()
    this.#cancel = clock.setTimer(AGAIN_MS, () => {
      if (!isNeeded()) return
      this.ensure().then(
        () => {
          if (!this.#isStopped) this.onRestart()
        },
        (error: unknown) => this.#ended(toAppError(error)),
      )
    })
  }
}
