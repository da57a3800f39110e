import type { Background } from '../../shared/runtime/background.ts'
import type { EngineEvent, EnginePort } from '../../shared/contract/engine-port.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import type { Clock, Logger } from '../../shared/runtime/ports.ts'
import { activeIn } from '../../shared/presentation/progress-figures.ts'

const SECOND = 1000
/** Jobs that end within this time of each other count as one end of work. */
const QUIET_MS = 2 * SECOND
/** Work without progress for this long, as when the service does not finish a picture, is not waited for. */
const STANDSTILL_MS = 60 * SECOND
/** How long work may go on before the balance is asked for in the middle of it: a folder may keep Hangar busy all day. */
const MIDST_MS = 5 * 60 * SECOND
/** After a question without an answer it is asked again, later each time, at most after an hour. */
const MOST_DOUBLINGS = 6
/** New settings and keys have taken effect by then. */
const SETTLED_MS = SECOND

interface BalanceKeeperDeps {
  engine: Pick<EnginePort, 'perform' | 'subscribe' | 'snapshot'>
  clock: Clock
  log: Logger
  background: Background
}

export interface BalanceKeeper {
  /** To be called when the service in use may have changed or got a key. */
  recheck(): void
  close(): void
}

/**
 * Keeps the displayed balance current: requests it once when an account becomes usable, and once when work has ended that
 * spent credits: the service may charge for a picture when it takes it or when it is done. While pictures are under way it
 * asks every five minutes at most, so as not to take calls from them; the call waits for a free slot of the rate budget
 * like any other.
 */
export function keepBalance({ engine, clock, log, background }: BalanceKeeperDeps): BalanceKeeper {
  let usable: string | null = null
  let hasSpent = false
  let askedAtMs = 0
  let failures = 0
  let isClosed = false
  const [nextCheck, nextMeeting] = [oneTimer(clock, background), oneTimer(clock, background)]

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
  const meet = (service: ServiceStatus | null) => {
    const now = usableService(service)
    if (now !== null && now !== usable && service?.practice === false) ask()
    usable = now
  }
  const check = (atStandstill: boolean) => {
    if (usable === null || !hasSpent) return
    if (atStandstill || activeIn(engine.snapshot().counts) === 0) ask()
    else wait(STANDSTILL_MS - QUIET_MS, true)
  }
  const wait = (delayMs: number, atStandstill: boolean) => nextCheck.set(delayMs, () => check(atStandstill))
  const askAgain = (code: string) => {
    log.debug('the balance could not be asked for', { code })
    hasSpent = true
    wait(STANDSTILL_MS * 2 ** Math.min(failures, MOST_DOUBLINGS), true)
    failures += 1
  }
  const recheck = () => nextMeeting.set(SETTLED_MS, () => meet(engine.snapshot().service))
  const hear = (event: EngineEvent) => {
    if (event.type === 'service') meet(event.status)
    if (event.type === 'settings') recheck()
    if (event.type !== 'job') return
    if ((event.from === 'sending' || event.from === 'waiting') && event.job.state !== 'ready') hasSpent = true
    if (!hasSpent) return
    wait(QUIET_MS, false)
    if (usable !== null && clock.monotonicMs() - askedAtMs >= MIDST_MS) ask()
  }

  const unsubscribe = engine.subscribe(hear)
  meet(engine.snapshot().service)
  return {
    recheck,
    close: () => {
      isClosed = true
      unsubscribe()
      nextCheck.stop()
      nextMeeting.stop()
    },
  }
}

/** A timer that takes the place of the one set before. */
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

/** The service that can be asked; null without one that has a key and is neither held nor unreachable. */
function usableService(service: ServiceStatus | null): string | null {
  if (service === null || !service.hasKey || service.hold !== null || service.unreachable !== null) return null
  return service.serviceId
}
