import type { Logger } from '../../shared/runtime/ports.ts'

/** A log for parts that exist before the real log is open. */
export interface SwitchableLog extends Logger {
  /** From now on lines go to this log. */
  switchTo(log: Logger): void
}

export function switchableLog(first: Logger): SwitchableLog {
  let log = first
  return {
    debug: (message, facts) => log.debug(message, facts),
    info: (message, facts) => log.info(message, facts),
    warn: (message, facts) => log.warn(message, facts),
    error: (message, facts) => log.error(message, facts),
    switchTo: (next) => {
      log = next
    },
  }
}
