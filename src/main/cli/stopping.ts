import type { Terminal } from './terminal.ts'

/** A stopped command waits this long for answers to what was being sent; later ones leave their pictures in doubt. */
export const GRACE_MS = 30_000
/** What else stopping takes is written and let go of within this. */
const LEEWAY_MS = 10_000

/**
 * Ends the process when stopping has taken longer than the grace and what comes with it, whatever hangs. Nothing is lost
 * by that: the journal is made for being cut off at any moment.
 */
export function endAtDeadline(
  terminal: Pick<Terminal, 'err'>,
  end: () => void,
  deadlineMs = GRACE_MS + LEEWAY_MS,
): void {
  const timer = setTimeout(() => {
    terminal.err(
      `Stopping took longer than ${Math.round(deadlineMs / 1000)} s and was cut short. What was being sent is in doubt.`,
    )
    end()
  }, deadlineMs)
  // A command that has ended is not kept for it.
  timer.unref()
}

/** What comes of `work`, or null once `stop` aborts: then the work is left to end by itself. */
export function unlessStopped<Value>(work: Promise<Value>, stop: AbortSignal): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const stopped = () => resolve(null)
    if (stop.aborted) stopped()
    stop.addEventListener('abort', stopped, { once: true })
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', stopped))
  })
}
