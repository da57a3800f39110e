import type { AwayBatch } from '../../shared/contract/intake.ts'
import { awayAmong, openBatches, type OpenBatches } from '../intake/run-intake.ts'
import { documentsOf } from './settings-store.ts'
import { readJournal } from './stored-settings.ts'

/** Batches that wait for a drive, even while no engine is running. */
export async function storedAwayBatches(dataDir: string): Promise<AwayBatch[]> {
  const open = readJournal<OpenBatches>(dataDir, [], (db) => openBatches(documentsOf(db)))
  return awayAmong(open)
}
