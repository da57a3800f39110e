import type { Background } from '../../shared/runtime/background.ts'
import type { EngineEvent, EnginePort } from '../../shared/contract/engine-port.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { activeIn } from '../../shared/presentation/progress-figures.ts'
import { isUsable } from '../core/attention.ts'

const SECOND = 1000
/** Jobs that end within this time of each other are one end of work. */
const QUIET_MS = 2 * SECOND
/** While work goes on, the balance is asked for this often: a folder may keep Hangar busy all day. */
const WORKING_MS = 5 * 60 * SECOND
/** A failed question is repeated later each time, at most after an hour. */
const RETRY_MS = 60 * SECOND
const MAX_DOUBLINGS = 6
const RECHECK_MS = SECOND

interface BalanceKeeperDeps {
  engine: Pick<EnginePort, 'perform' | 'subscribe' | 'snapshot'>
  clock: Clock
  log: Logger
  background: Background
}

export interface BalanceKeeper {
  /** To be called if the service in use may have changed or got a key. */
  recheck(): void
  close(): void
}

/**
 * Keeps the displayed balance current: asks for it when an account becomes usable and when work that spent credits has ended. These calls
 * wait for a slot of the rate budget like any other.
 */
export function keepBalance({ engine, clock, log, background }: BalanceKeeperDeps): BalanceKeeper {
  let usable: string | null = null
  let hasSpent = false
  let askedAtMs = 0
  let failures = 0
  let isClosed = false
  const [checkTimer, serviceTimer] = [oneTimer(clock, background), oneTimer(clock, background)]

  const ask = () => {
    hasSpent = false
    askedAtMs = clock.monotonicMs()
    background.run('balance', async () => {
      const answer = await engine.perform('credits.balance', {})
      if (isClosed) return
      if (answer.ok) failures = 0
      else askAgain(answer.error.code)
    })
  }
  const useService = (service: ServiceStatus | null) => {
    const now = isUsable(service) ? service.serviceId : null
    if (now !== null && now !== usable && service?.practice === false) ask()
    usable = now
  }
  const check = () => {
    if (usable === null || !hasSpent) return
    const isIdle = activeIn(engine.snapshot().counts) === 0
    const waitMs = isIdle ? 0 : askedAtMs + WORKING_MS - clock.monotonicMs()
    if (waitMs <= 0) ask()
    else checkTimer.set(waitMs, check)
  }
  const askAgain = (code: string) => {
    log.debug('the balance could not be asked for', { code })
    hasSpent = true
    checkTimer.set(RETRY_MS * 2 ** Math.min(failures, MAX_DOUBLINGS), check)
    failures += 1
  }
  const recheck = () => serviceTimer.set(RECHECK_MS, () => useService(engine.snapshot().service))
  const onEvent = (event: EngineEvent) => {
    if (event.type === 'service') useService(event.status)
    if (event.type === 'settings') recheck()
    if (event.type !== 'job') return
    if ((event.from === 'sending' || event.from === 'waiting') && event.job.state !== 'ready') hasSpent = true
    if (!hasSpent) return
    checkTimer.set(QUIET_MS, check)
    if (usable !== null && clock.monotonicMs() - askedAtMs >= WORKING_MS) ask()
  }

  const unsubscribe = engine.subscribe(onEvent)
  useService(engine.snapshot().service)
  return {
    recheck,
    close: () => {
      isClosed = true
      unsubscribe()
      checkTimer.stop()
      serviceTimer.stop()
    },
  }
}

/** Setting it again cancels what was set before. */
function oneTimer(clock: Clock, background: Background) {
  let stop = () => {}
  return {
    set: (delayMs: number, run: () => void) => {
      stop()
      stop = clock.setTimer(delayMs, () => background.run('balance', run))
    },
    stop: () => stop(),
  }
}
