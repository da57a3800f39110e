import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import type { ChildHandle, ChildPort, Clock } from '../../shared/runtime/ports.ts'

export type ProbeOutcome = 'usable' | KeychainTrouble

/** How the probe program tells its outcome; any other exit counts as `no_service`. */
export const PROBE_EXIT_CODES: Record<ProbeOutcome, number> = {
  usable: 0,
  locked: 10,
  no_service: 11,
  not_loadable: 12,
  silent: 13,
}

/** What the probe needs of the environment to find the session's keychain. */
export const PROBE_ENVIRONMENT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
] as const

/** What the probe sends once it has started and asks the keychain. */
export const ASKING = 'asking'
/** A busy computer may take long to start a process; that says nothing about the keychain. */
const START_TIMEOUT_MS = 30_000

/** Asks in a child process, and kills it when the keychain has not answered within `timeoutMs`. Never throws. */
export function probeKeychain(children: ChildPort, clock: Clock, timeoutMs: number): Promise<ProbeOutcome> {
  return new Promise((resolve) => {
    let child: ChildHandle
    try {
      child = children.spawn('keychain-probe')
    } catch {
      resolve('no_service')
      return
    }
    const giveUp = (): void => {
      resolve('silent')
      child.kill()
    }
    let cancel = clock.setTimer(START_TIMEOUT_MS, giveUp)
    child.onMessage((message) => {
      if (message !== ASKING) return
      cancel()
      cancel = clock.setTimer(timeoutMs, giveUp)
    })
    child.onExit((code) => {
      cancel()
      const known = Object.entries(PROBE_EXIT_CODES).find(([, exitCode]) => exitCode === code)
      resolve(known === undefined ? 'no_service' : (known[0] as ProbeOutcome))
    })
  })
}
