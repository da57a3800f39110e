import { execFile } from 'node:child_process'
import type { Clock } from '../../shared/runtime/ports.ts'
import { childEnvironment } from '../children/fork-child.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Engine } from '../engine/start-engine.ts'
import type { Cli } from './command.ts'
import { picturesText } from './figures.ts'

/** It answers within milliseconds; one that hangs must not hold up the next message for longer. */
const TELL_MS = 10_000
/** However short the interval of the watchdog is: each message is a process. */
const SHORTEST_BEAT_MS = 1000

/** What a service manager, such as systemd, hears of a command that runs until it is stopped. */
export interface ServiceManager {
  /** The command does its work; from now on the manager hears again and again that it still does. */
  ready(): void
  /** Resolves once the manager was told: the process must not end before. */
  stopping(): Promise<void>
}

export interface ServiceManagerDeps {
  env: NodeJS.ProcessEnv
  pid: number
  engine: Pick<Engine, 'passed' | 'snapshot'>
  clock: Pick<Clock, 'setTimer'>
  /** Hands over assignments such as `READY=1`. Resolves when that is over, and never rejects. */
  tell: (assignments: readonly string[]) => Promise<void>
}

/**
 * Speaks to systemd where it asks for that, by `NOTIFY_SOCKET` (sd_notify(3)), and does nothing elsewhere. With a watchdog
 * (sd_watchdog_enabled(3)) it says twice in each interval, but at most once a second, that the queue was gone through: a process that
 * hangs says no more, and is restarted. Each message waits for the one before it.
 */
export function serviceManager({ env, pid, engine, clock, tell }: ServiceManagerDeps): ServiceManager {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return { ready: () => undefined, stopping: async () => undefined }
  const beatMs = Math.max(SHORTEST_BEAT_MS, watchdogMs(env, pid) / 2)
  let isStopping = false
  let isBeating = false
  let told = Promise.resolve()
  const tellNext = (assignments: readonly string[]) => {
    told = told.then(() => tell(assignments))
  }
  const beat = () => {
    clock.setTimer(beatMs, () => {
      if (isStopping) return
      beat()
      if (isBeating) return
      isBeating = true
      engine
        .passed()
        .then(() => {
          if (!isStopping) tellNext(['WATCHDOG=1', ...statusOf(engine)])
          return told
        })
        .catch(() => undefined)
        .finally(() => (isBeating = false))
    })
  }
  return {
    ready: () => {
      if (isStopping) return
      tellNext(['READY=1', ...statusOf(engine)])
      if (Number.isFinite(beatMs)) beat()
    },
    stopping: () => {
      if (!isStopping) tellNext(['STOPPING=1', 'STATUS=Stopping'])
      isStopping = true
      return told
    },
  }
}

/** What `systemctl status` shows; nothing while the journal cannot be read, which ends no watch. */
function statusOf(engine: Pick<Engine, 'snapshot'>): string[] {
  try {
    return [`STATUS=${picturesText(engine.snapshot().counts)}`]
  } catch {
    return []
  }
}

/** The interval within which systemd wants to hear something; infinite if it does not, or from another process. */
function watchdogMs({ WATCHDOG_USEC: usec, WATCHDOG_PID: of }: NodeJS.ProcessEnv, pid: number): number {
  const isOurs = of === undefined || of === '' || Number(of) === pid
  return isOurs && /^[1-9]\d{0,15}$/.test(usec ?? '') ? Number(usec) / 1000 : Infinity
}

/** For this process. Node has no datagram sockets, so a program of systemd's is used. */
export function ownServiceManager({ env, terminal }: Cli, engine: Pick<Engine, 'passed' | 'snapshot'>): ServiceManager {
  const options = { env: childEnvironment(env, ['NOTIFY_SOCKET']), timeout: TELL_MS }
  let hasFailed = false
  const tell = (assignments: readonly string[]) =>
    new Promise<void>((resolve) => {
      execFile('systemd-notify', assignments, options, (error) => {
        if (error !== null && !hasFailed) terminal.err(`Could not notify systemd: ${error.message.split('\n')[0]}`)
        hasFailed ||= error !== null
        resolve()
      })
    })
  return serviceManager({ env, pid: process.pid, engine, clock: realClock, tell })
}
