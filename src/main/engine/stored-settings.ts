import { join } from 'node:path'
import { Folder } from '../../shared/contract/folders.ts'
import type { AwayBatch } from '../../shared/contract/intake.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings/settings.ts'
import { awayAmong, openBatches, type OpenBatches } from '../intake/run-intake.ts'
import { JOURNAL_NAME, openJournalForReading, type Db } from '../journal/journal.ts'
import { journalTrouble } from '../journal/journal-trouble.ts'
import { documentsOf, settingsIn } from './settings-store.ts'

/**
 * Reads from the journal without its lock; `otherwise` if there is no journal yet. Nothing is created or changed. Throws what
 * `openJournalForReading` throws for a journal that is there.
 */
export function readJournal<Value>(dataDir: string, otherwise: Value, read: (db: Db) => Value): Value {
  let db: Db
  try {
    db = openJournalForReading(dataDir)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return otherwise
    throw error
  }
  try {
    return read(db)
  } catch (error) {
    throw journalTrouble(error, join(dataDir, JOURNAL_NAME)) ?? error
  } finally {
    db.close()
  }
}

/** The stored settings, or the defaults. */
export function storedSettings(dataDir: string): Settings {
  return readJournal(dataDir, DEFAULT_SETTINGS, settingsIn)
}

export function storedFolders(dataDir: string): Folder[] {
  return readJournal<Folder[]>(dataDir, [], (db) =>
    documentsOf(db)
      .list('folder', Folder)
      .map(({ value }) => value),
  )
}

/** Batches that wait for a drive, even while no engine is running. */
export async function storedAwayBatches(dataDir: string): Promise<AwayBatch[]> {
  return awayAmong(readJournal<OpenBatches>(dataDir, [], (db) => openBatches(documentsOf(db))))
}
