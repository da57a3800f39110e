const MINUTE = 60_000
const RELOADS_A_MINUTE = 3

/** A page that crashed is loaded again, but not for ever: says whether it may be now, and remembers that it was. */
export function createReloadLimit(): (nowMs: number) => boolean {
  let reloadsMs: number[] = []
  return (nowMs) => {
    reloadsMs = reloadsMs.filter((atMs) => nowMs - atMs < MINUTE && atMs <= nowMs)
    if (reloadsMs.length >= RELOADS_A_MINUTE) return false
    reloadsMs.push(nowMs)
    return true
  }
}
