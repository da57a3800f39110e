import { execFile } from 'node:child_process'
import type { Clock } from '../../shared/runtime/ports.ts'
import { childEnvironment } from '../children/fork-child.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Engine } from '../engine/start-engine.ts'
import type { Cli } from './cli-context.ts'
import { picturesText } from './figures.ts'

/** It answers within milliseconds; one that hangs must not hold up the next word. */
const TELL_MS = 10_000

/** What a service manager, such as systemd, hears of a command that runs until it is stopped. */
export interface ServiceManager {
  /** The command does its work; from now on the manager hears again and again that it still does. */
  ready(): void
  stopping(): void
}

export interface ServiceManagerDeps {
  env: NodeJS.ProcessEnv
  pid: number
  engine: Pick<Engine, 'passed' | 'snapshot'>
  clock: Pick<Clock, 'setTimer'>
  /** Hands over assignments such as `READY=1`. */
  tell: (assignments: readonly string[]) => void
}

/**
 * Speaks to systemd where it asks for that, by `NOTIFY_SOCKET` (sd_notify(3)), and does nothing elsewhere. With a watchdog
 * (sd_watchdog_enabled(3)) it says twice in each interval that the queue was gone through: a process that hangs says no more, and is
 * restarted.
 */
export function serviceManager({ env, pid, engine, clock, tell }: ServiceManagerDeps): ServiceManager {
  if ((env['NOTIFY_SOCKET'] ?? '') === '') return { ready: () => undefined, stopping: () => undefined }
  const beatMs = watchdogMs(env, pid) / 2
  let isStopping = false
  const beat = () => {
    clock.setTimer(beatMs, () => {
      if (isStopping) return
      beat()
      engine
        .passed()
        .then(() => (isStopping ? undefined : tell(['WATCHDOG=1', ...statusOf(engine)])))
        .catch(() => undefined)
    })
  }
  return {
    ready: () => {
      if (isStopping) return
      tell(['READY=1', ...statusOf(engine)])
      if (Number.isFinite(beatMs)) beat()
    },
    stopping: () => {
      if (!isStopping) tell(['STOPPING=1', 'STATUS=Stopping'])
      isStopping = true
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
  const tell = (assignments: readonly string[]) => {
    execFile('systemd-notify', assignments, options, (error) => {
      if (error === null || hasFailed) return
      hasFailed = true
      terminal.err(`systemd could not be told how Hangar is: ${error.message.split('\n')[0]}`)
    })
  }
  return serviceManager({ env, pid: process.pid, engine, clock: realClock, tell })
}
