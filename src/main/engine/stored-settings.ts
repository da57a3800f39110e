import { join } from 'node:path'
import { Folder } from '../../shared/contract/folders.ts'
import type { AwayBatch } from '../../shared/contract/intake.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { awayAmong, openBatches } from '../intake/run-intake.ts'
import { Documents } from '../journal/documents.ts'
import { JOURNAL_NAME, openJournalForReading, type Db } from '../journal/journal.ts'
import { journalTrouble } from '../journal/journal-trouble.ts'
import { settingsIn } from './settings-store.ts'

/** Reads from the journal without its lock. Nothing is created or changed. Throws as `openJournalForReading`. */
export function readJournal<Value>(dataDir: string, read: (db: Db) => Value): Value {
  const db = openJournalForReading(dataDir)
  try {
    return read(db)
  } catch (error) {
    throw journalTrouble(error, join(dataDir, JOURNAL_NAME)) ?? error
  } finally {
    db.close()
  }
}

export function storedSettings(dataDir: string): Settings {
  return readJournal(dataDir, settingsIn)
}

export function storedFolders(dataDir: string): Folder[] {
  return readJournal(dataDir, (db) => new Documents(db).list('folder', Folder).map(({ value }) => value))
}

/** Batches that wait for a drive, even while no engine is running. */
export async function storedAwayBatches(dataDir: string): Promise<AwayBatch[]> {
  return awayAmong(readJournal(dataDir, (db) => openBatches(new Documents(db))))
}
