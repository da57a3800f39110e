// Types only: errors.ts imports zod, which must stay out of the page because it violates the page's content security policy.
import type { AppError, AppErrorCode } from '../sentences/errors.ts'
import { errorCode } from './error-code.ts'
import type { Clock, Logger } from './ports.ts'

/** What runs in the background of the engine and its shells. The window has a sentence for each (`frame:stopped`). */
export const BACKGROUND_TASKS = [
  'balance',
  'chargers_refresh',
  'files_handed_over',
  'folder_arrivals',
  'folder_burst',
  'folder_removals',
  'folder_scan',
  'folder_watch',
  'holds',
  'keychain',
  'link_open',
  'page_call',
  'page_recover',
  'page_updates',
  'queue',
  'queue_work',
  'removed_jobs',
  'retention',
  'sending',
  'service_probe',
  'sign_outs',
  'texts',
  /** Not a task: an exception that nothing else caught. It stays listed until the next start. */
  'unexpected',
] as const
export type BackgroundTask = (typeof BACKGROUND_TASKS)[number]

/** Reasons that the window and `hangar status` have words for (`frame:stopped.why`); any other is `internal`. */
const WORDED = [
  'disk_full',
  'not_writable',
  'too_few_files',
  'data_folder_gone',
  'journal_damaged',
] as const satisfies AppErrorCode[]

export function wordedReason(code: AppErrorCode): (typeof WORDED)[number] | 'internal' {
  return WORDED.find((known) => known === code) ?? 'internal'
}

/** A task that failed and has not worked since. */
export interface StoppedTask<Task extends string = BackgroundTask> {
  task: Task
  /** The id of what the task works on, such as a folder, a picture or a service; null for a task that exists only once. */
  subject: string | null
  code: AppErrorCode
  /** Unix milliseconds of the first failure. */
  sinceMs: number
}

interface BackgroundDeps {
  log: Pick<Logger, 'error' | 'info'>
  nowMs: () => number
}

/** Runs what is not awaited. A failure is logged, and stands in `stopped` until the task, which has to retry itself, succeeds. */
export class Background<Task extends string = BackgroundTask> {
  readonly #deps: BackgroundDeps
  readonly #stopped = new Map<string, StoppedTask<Task>>()
  readonly #listeners = new Set<() => void>()

  constructor(deps: BackgroundDeps) {
    this.#deps = deps
  }

  /** Starts `work` now. Never throws. */
  run(task: Task, work: () => unknown, subject: string | null = null): void {
    try {
      const result = work()
      if (isThenable(result))
        result.then(
          () => this.#worked(task, subject),
          (error: unknown) => this.#failed(task, subject, error),
        )
      else this.#worked(task, subject)
    } catch (error) {
      this.#failed(task, subject, error)
    }
  }

  /** Records an error that belongs to no task, such as an exception in a timer. Nothing can tell that it is over. */
  unexpected(this: Background, error: unknown): void {
    this.#failed('unexpected', null, error)
  }

  stopped(): StoppedTask<Task>[] {
    return [...this.#stopped.values()]
  }

  /** Drops every entry about `subject`, whether or not its task succeeded. */
  forget(subject: string): void {
    const over = [...this.#stopped].filter(([, stopped]) => stopped.subject === subject)
    for (const [key] of over) this.#stopped.delete(key)
    if (over.length > 0) this.#notify()
  }

  /** Called whenever `stopped` changes; returns unsubscribe. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #worked(task: Task, subject: string | null): void {
    if (!this.#stopped.delete(keyOf(task, subject))) return
    this.#deps.log.info('a background task works again', { task, subject })
    this.#notify()
  }

  #failed(task: Task, subject: string | null, error: unknown): void {
    const key = keyOf(task, subject)
    const code = codeOf(error)
    this.#deps.log.error('a background task failed', { task, subject, code, error: String(error) })
    const before = this.#stopped.get(key)
    this.#stopped.set(key, { task, subject, code, sinceMs: before?.sinceMs ?? this.#deps.nowMs() })
    if (before?.code !== code) this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners)
      try {
        listener()
      } catch (error) {
        this.#deps.log.error('a listener failed', { error: String(error) })
      }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function keyOf(task: string, subject: string | null): string {
  return subject === null ? task : `${task} ${subject}`
}

/** Disk errors come as SQLite or system error codes; any other error is a bug in Hangar. */
function codeOf(error: unknown): AppErrorCode {
  if (error instanceof Error && error.name === 'AppError') return (error as AppError).code
  const code = errorCode(error)
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) return 'disk_full'
  if (/^E[MN]FILE$/.test(code)) return 'too_few_files'
  if (/^(SQLITE_(IOERR|READONLY|CANTOPEN|BUSY)|EROFS|EIO)/.test(code)) return 'not_writable'
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return 'journal_damaged'
  return 'internal'
}

/** Wraps the clock so that an exception in a timer does not end the process but is reported as unexpected. */
export function guardTimers(clock: Clock, background: Background): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    setTimer: (delayMs, callback) =>
      clock.setTimer(delayMs, () => {
        try {
          callback()
        } catch (error) {
          background.unexpected(error)
        }
      }),
  }
}
