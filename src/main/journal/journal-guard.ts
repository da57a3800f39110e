import { statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { LOCK_NAME } from './data-folder.ts'
import { JOURNAL_NAME, type Db } from './journal.ts'
import { journalTrouble } from './journal-trouble.ts'
import { writeSentMark } from './sent-mark.ts'

/** Knows whether the journal can still be relied on. Once it cannot, that stays so until the next start. */
export interface JournalGuard {
  /** `journal_damaged` or `data_folder_gone`. */
  readonly broken: AppError | null
  /**
   * Before money is spent. Throws `data_folder_gone` when journal or lock are no longer the files that were opened: another
   * Hangar that starts at that path knows nothing of what this one pays.
   */
  check(): void
  /** Called once it cannot be relied on; returns unsubscribe. */
  onBroken(listener: () => void): () => void
  /** Remembers, outside the journal, the dispatch that is about to be made. */
  sent(): void
  /** Takes note of a failure, which may be the first sign of a damaged journal. */
  note(error: unknown): void
}

/** Guards the journal and the lock that this process has just opened in the data folder. */
export function guardJournal(dataDir: string, db: Db): JournalGuard {
  const files = [JOURNAL_NAME, LOCK_NAME].map((name) => join(dataDir, name))
  const opened = files.map(identityOf)
  let broken: AppError | null = null
  const listeners = new Set<() => void>()
  const breakFor = (why: AppError) => {
    broken = why
    for (const listener of listeners) listener()
  }
  return {
    get broken() {
      return broken
    },
    check() {
      if (broken === null && files.some((file, at) => opened[at] !== identityOf(file)))
        breakFor(new AppError('data_folder_gone', say('data_folder_gone', { dir: dataDir })))
      if (broken !== null) throw broken
    },
    sent: () => writeSentMark(files[0]!, db),
    note(error) {
      const trouble = journalTrouble(error, files[0]!)
      if (broken === null && trouble?.code === 'journal_damaged') breakFor(trouble)
    },
    onBroken(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function identityOf(path: string): string | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? null : `${stats.dev} ${stats.ino}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null
    throw error
  }
}
