import type { Background } from '../../shared/background.ts'
import type { EngineEvent, EnginePort, ServiceStatus } from '../../shared/contract.ts'
import type { Clock, Logger } from '../../shared/ports.ts'
import { activeIn } from './progress.ts'

const SECOND = 1000
/** Jobs that end within so long of each other are one end. */
const QUIET_MS = 2 * SECOND
/** Work that stands still for this long, as when the service does not finish a picture, is not waited for. */
const STANDSTILL_MS = 60 * SECOND
/** New settings and keys have taken effect by then. */
const SETTLED_MS = SECOND

export interface BalanceKeeperDeps {
  engine: Pick<EnginePort, 'call' | 'subscribe' | 'snapshot'>
  clock: Clock
  log: Logger
  background: Background
}

export interface BalanceKeeper {
  /** The service in use may be another, or have a key now. */
  lookAgain(): void
  close(): void
}

/**
 * Keeps the balance that people see true: it is asked for once when a service becomes usable, and once when the work that
 * spent credits has ended. Never while pictures are under way, so that no call is taken from them; the call waits for a
 * free slot of the rate budget like any other.
 */
export function keepBalance({ engine, clock, log, background }: BalanceKeeperDeps): BalanceKeeper {
  let usable: string | null = null
  let hasSpent = false
  let isClosed = false
  const stops = { look: () => {}, meet: () => {} }

  const ask = () => {
    hasSpent = false
    background.run('balance', async () => {
      const answer = await engine.call('credits.balance', {})
      if (!answer.ok && !isClosed) log.debug('the balance could not be asked for', { code: answer.error.code })
    })
  }
  const meet = (service: ServiceStatus | null) => {
    const now = usableService(service)
    if (now !== null && now !== usable) ask()
    usable = now
  }
  const look = (atStandstill: boolean) => {
    if (usable === null || !hasSpent) return
    if (atStandstill || activeIn(engine.snapshot().counts) === 0) ask()
    else wait(STANDSTILL_MS - QUIET_MS, true)
  }
  const wait = (delayMs: number, atStandstill: boolean) => {
    stops.look()
    stops.look = clock.setTimer(delayMs, () => background.run('balance', () => look(atStandstill)))
  }
  const lookAgain = () => {
    stops.meet()
    stops.meet = clock.setTimer(SETTLED_MS, () => background.run('balance', () => meet(engine.snapshot().service)))
  }
  const hear = (event: EngineEvent) => {
    if (event.type === 'service') meet(event.status)
    if (event.type === 'settings') lookAgain()
    if (event.type !== 'job') return
    if (event.from === 'sending' && event.job.state !== 'ready') hasSpent = true
    if (hasSpent) wait(QUIET_MS, false)
  }

  const unsubscribe = engine.subscribe(hear)
  meet(engine.snapshot().service)
  return {
    lookAgain,
    close: () => {
      isClosed = true
      unsubscribe()
      stops.look()
      stops.meet()
    },
  }
}

/** The service that would answer; null while there is none, or none that has a key and no trouble. */
function usableService(service: ServiceStatus | null): string | null {
  if (service === null || !service.hasKey || service.hold !== null || service.unreachable !== null) return null
  return service.serviceId
}
