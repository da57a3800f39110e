import { readFileSync } from 'node:fs'

/**
 * Whether this process may read from its terminal. One in the background (`hangar serve &`) that tries is stopped by
 * the system. Where that cannot be found out it counts as the foreground.
 */
export function isInForeground(): boolean {
  try {
    // proc(5): after the command's name in brackets come state, ppid, pgrp, session, tty_nr and tpgid.
    const fields = readFileSync('/proc/self/stat', 'latin1').replace(/^.*\)/s, '').trim().split(' ')
    return fields[2] === fields[5]
  } catch {
    return true
  }
}
