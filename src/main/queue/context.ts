import type { Job } from '../../shared/job.ts'
import type { Clock, Logger, Random } from '../../shared/ports.ts'
import type { Settings } from '../../shared/settings.ts'
import type { Turns } from '../core/in-turn.ts'
import type { JobEvent } from '../core/transition.ts'
import type { JobStore } from './job-store.ts'
import type { Db } from './journal.ts'
import type { FilesPort } from './ports.ts'

const RETRY_WRITE_MS = 2000

/** What the steps of a job share. */
export interface QueueContext {
  db: Db
  store: JobStore
  files: FilesPort
  clock: Clock
  random: Random
  log: Logger
  settings: () => Settings
  /** A person is asked above this many new pictures at once, in a watched folder or elsewhere; `Infinity` for never. */
  askAbove: (folderId: string | null) => number
  /** Jobs that a person cancelled while their request was under way: cancelled as soon as the answer is there. */
  cancelRequested: Set<string>
  /** By path: two orders for one file are taken in one after the other, so that the second finds the job of the first. */
  intakeTurns: Turns
  /** Set by the last write of a result: while there is no room, sending more would only pile results up. */
  disk: { isFull: boolean }
}

/** Resolves after `ms` of monotonic time, or at once when aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.setTimer(ms, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/**
 * Applies an event that must not be lost, because an answer of the service stands behind it: while the journal's disk
 * is full or broken it is tried again, and nothing else happens to the job. Throws what is no trouble of the disk.
 */
export function applyForSure(
  context: QueueContext,
  id: string,
  event: JobEvent,
  signal: AbortSignal,
  alongside?: () => void,
): Promise<Job> {
  return untilJournalled(context, { job: id }, signal, () => context.store.apply(id, event, alongside))
}

/** Does something that writes to the journal, again and again while its disk is full or broken. Throws as `applyForSure`. */
export async function untilJournalled<Result>(
  { clock, log }: Pick<QueueContext, 'clock' | 'log'>,
  about: Record<string, unknown>,
  signal: AbortSignal,
  write: () => Result | Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isDiskTrouble(error) || signal.aborted) throw error
      log.error('the journal cannot be written; trying again', { ...about, error: error.code })
      await sleep(clock, RETRY_WRITE_MS, signal)
    }
  }
}

/** SQLite's codes for a disk that is full, broken, read-only or briefly locked. */
export function isDiskTrouble(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN)/.test(code)
}
