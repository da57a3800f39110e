import type { Background } from '../../shared/runtime/background.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { Job } from '../../shared/jobs/job.ts'
import type { Reason } from '../../shared/sentences/reasons.ts'
import type { Clock, Logger, Random } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import type { KeyedMutex } from '../core/keyed-mutex.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'
import type { AccountSpend } from '../core/account-ledger.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { RETRIES, retryMs } from '../core/retries.ts'
import { waits, type JobEvent } from '../core/transition.ts'
import { sleep } from '../core/sleep.ts'
import type { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import type { JournalGuard } from '../journal/journal-guard.ts'
import type { FilesPort } from './ports.ts'

export interface QueueContext {
  db: Db
  store: JobStore
  files: FilesPort
  clock: Clock
  random: Random
  log: Logger
  settings: () => Settings
  /** Above this many new pictures in one batch a person has to approve (`Infinity`: never); `null`: a batch of no watched folder. */
  askAbove: (folderId: string | null) => number
  /** What all computers of the account sent; null, or missing, without a team. */
  accountSpent?: (serviceId: ServiceId) => AccountSpend | null
  /** Jobs that a person cancelled while their dispatch was in flight: cancelled as soon as its answer arrives. */
  cancelRequested: Set<string>
  /** Batches that a person cancelled: what still comes for them is cancelled too. */
  cancelledBatches: Set<string>
  /** One intake at a time per path, so that the second command for a file finds the job of the first. */
  intakeMutex: KeyedMutex
  /** Texts are rewritten in one file at a time. */
  textMutex: KeyedMutex
  /** The last write of a result found the disk full, or could open no file: nothing more is sent. */
  writing: { isBlocked: boolean }
  guard: JournalGuard
  /** Told of a journal that cannot be used, and again once it can. */
  background: Background
}

/** What a decision about a picture is based on; deciding changes none of it. */
export interface DecisionContext extends Pick<
  QueueContext,
  'db' | 'clock' | 'log' | 'settings' | 'askAbove' | 'accountSpent'
> {
  store: Pick<JobStore, 'get' | 'list'>
  files: Pick<
    FilesPort,
    | 'imageWorkers'
    | 'readSource'
    | 'pictures'
    | 'place'
    | 'hasHash'
    | 'measure'
    | 'readSidecar'
    | 'nameRoom'
    | 'resultDir'
    | 'whyNoFolder'
    | 'listedOutputs'
  >
}

/** Applies an event that records an answer of the service: retries while the journal's disk is full or broken. Throws other errors. */
export function applyForSure(
  context: QueueContext,
  id: string,
  event: JobEvent,
  signal: AbortSignal,
  alongside?: () => void,
): Promise<Job> {
  return untilJournalled(context, signal, () => context.store.apply(id, event, alongside))
}

/** The file is being written: it is read again in a moment. */
export function whileFileChanges({ clock, random }: QueueContext): JobEvent {
  const reason: Reason = { code: 'backoff', detail: say('file_changing') }
  return waits(reason, clock.nowMs() + retryMs(RETRIES.changingFile, 1, random))
}

/** Retries what is read from or written to the journal while its disk is full or broken. Throws as `applyForSure`. */
export async function untilJournalled<Result>(
  { clock, background }: Pick<QueueContext, 'clock' | 'background'>,
  signal: AbortSignal,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await work()
      if (tries > 0) background.run('queue_work', () => undefined)
      return result
    } catch (error) {
      if (!isDiskTrouble(error) || signal.aborted) throw error
      background.run('queue_work', () => Promise.reject(error))
      await sleep(clock, RETRIES.journal.firstMs, signal)
    }
  }
}

/** Whether SQLite reports a disk that is full, broken, read-only or briefly locked. */
export function isDiskTrouble(error: unknown): error is Error & { code: string } {
  return /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN)/.test(errorCode(error))
}
