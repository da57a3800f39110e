import { lstat, lstatSync, type BigIntStats } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Max concurrent calls in the thread pool. */
const CONCURRENCY = 16
/** The longest synchronous work before yielding to the event loop. */
const SLICE_MS = 4
/** Eight direct calls that take longer than this show a disk that must not block the main thread. */
const SLOW_CALLS_MS = 30

/** What one walk has learnt about its disk. `direct` calls bypass the thread pool: four times faster on a fast disk. */
export interface StatPace {
  direct: boolean
}

/** `lstat` of every name in one folder; null where it failed. Direct until the first slow call. Rejects when `signal` is aborted. */
export async function lstatMany(
  dir: string,
  names: readonly string[],
  pace: StatPace,
  signal?: AbortSignal,
): Promise<(BigIntStats | null)[]> {
  const results: (BigIntStats | null)[] = []
  while (pace.direct && results.length < names.length) {
    directSlice(dir, names, results, pace)
    if (results.length < names.length) await nextTurn()
    signal?.throwIfAborted()
  }
  if (results.length < names.length) await throughThreadPool(dir, names, results, signal)
  return results
}

function directSlice(dir: string, names: readonly string[], results: (BigIntStats | null)[], pace: StatPace): void {
  const startedAt = performance.now()
  let before = startedAt
  for (let index = results.length; index < names.length; index++) {
    results.push(lstatNow(`${dir}/${names[index]}`))
    // Reading the clock costs a tenth of a call, so only every eighth is timed.
    if (index % 8 !== 7) continue
    const now = performance.now()
    pace.direct = now - before <= SLOW_CALLS_MS
    if (!pace.direct || now - startedAt > SLICE_MS) return
    before = now
  }
}

function lstatNow(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function throughThreadPool(
  dir: string,
  names: readonly string[],
  results: (BigIntStats | null)[],
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = results.length
    let active = 0
    const advance = (): void => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error)
        return
      }
      if (next === names.length) {
        if (active === 0) resolve()
        return
      }
      const index = next++
      active += 1
      lstat(`${dir}/${names[index]}`, { bigint: true }, (error, stats) => {
        active -= 1
        results[index] = error === null ? stats : null
        advance()
      })
    }
    const workers = Math.min(CONCURRENCY, names.length - next)
    for (let worker = 0; worker < workers; worker++) advance()
  })
}
