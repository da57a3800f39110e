import { setTimeout as delay } from 'node:timers/promises'

/**
 * How long a test waits for anything. It only bounds how long a hang takes to be reported: a busy machine may need ten
 * times as long as an idle one, and how fast something is belongs in `bench/`.
 */
export const PATIENCE_MS = 120_000

/** How long a test waits for a page, which then says what did not come before the limit of the test is reached. */
export const PAGE_PATIENCE_MS = 110_000

/** What is waited for now. */
export const waits = new Set<string>()

/** Looking may cost the machine that works as well, such as a read of the journal. */
const LOOK_EVERY_MS = 50

interface Waiting {
  patienceMs?: number
  /** What stands in the way, for the error. */
  describe?: () => string
  /** Resolves when it is worth looking again; by default a little later. */
  pause?: () => Promise<unknown>
}

/** What reading a file fails with while something else writes it: it is not there for a moment, or not whole. */
const isBeingWritten = (error: unknown) =>
  error instanceof SyntaxError || (error as NodeJS.ErrnoException | null)?.code === 'ENOENT'

/**
 * Waits for a condition, not for a time; fails by name when it does not come. A condition that reads a file which is just
 * being written does not hold yet; any other error is thrown.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { patienceMs = PATIENCE_MS, describe = () => '', pause = () => delay(LOOK_EVERY_MS) }: Waiting = {},
): Promise<void> {
  const endMs = performance.now() + patienceMs
  waits.add(what)
  try {
    for (;;) {
      let cause: unknown
      try {
        if (await holds()) return
      } catch (error) {
        if (!isBeingWritten(error)) throw error
        cause = error
      }
      if (performance.now() > endMs) throw new Error(`waited in vain until ${what} ${describe()}`.trimEnd(), { cause })
      await pause()
    }
  } finally {
    waits.delete(what)
  }
}
