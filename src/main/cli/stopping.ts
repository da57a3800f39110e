import type { Terminal } from './terminal.ts'

/** For a call that a signal ends together with its command. */
export const NEVER_STOPPED = new AbortController().signal
/** Time for answers to what was being sent; without one the picture is unknown. */
export const GRACE_MS = 30_000
/** Time to write and release everything else. */
const LEEWAY_MS = 10_000

/** Ends the process when stopping took longer, whatever hangs; the journal survives that. */
export function endAtDeadline(
  terminal: Pick<Terminal, 'err'>,
  end: () => void,
  deadlineMs = GRACE_MS + LEEWAY_MS,
): void {
  const timer = setTimeout(() => {
    terminal.err(
      `Stopping took longer than ${Math.round(deadlineMs / 1000)} s and was cut short. Whether what was being sent was charged is unknown.`,
    )
    end()
  }, deadlineMs)
  // Must not keep a command alive that has ended.
  timer.unref()
}

/** Null once `stop` aborts: the work is then left to end by itself. */
export function unlessStopped<Value>(work: Promise<Value>, stop: AbortSignal): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const stopped = () => resolve(null)
    if (stop.aborted) stopped()
    stop.addEventListener('abort', stopped, { once: true })
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', stopped))
  })
}
