import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { z } from 'zod'
import type { Clock } from '../../shared/runtime/ports.ts'
import { Settings } from '../../shared/settings/settings.ts'
import { lockDataFolder, prepareDataFolder } from '../journal/data-folder.ts'
import { Documents } from '../journal/documents.ts'
import { openJournal, type Db } from '../journal/journal.ts'
import { keyFingerprint } from '../secrets/key-fingerprint.ts'

/** The data folder, locked by this process, and its contents. */
export interface EngineData {
  db: Db
  documents: Documents
  /** The current settings: the stored ones with this run's overrides. */
  settings: () => Settings
  /** ULIDs: they sort by creation time. */
  makeId: () => string
  /** Distinguishes keys without storing them. */
  fingerprint: (key: string) => string
}

/** Adds its clean-up to `opened`. Throws `data_folder_in_use`, `data_folder_unusable` or `journal_too_new`. */
export async function openData(
  { dataDir, overrides, clock }: { dataDir: string; overrides: Partial<Settings>; clock: Clock },
  opened: (() => unknown)[],
): Promise<EngineData> {
  await prepareDataFolder(dataDir)
  const lock = lockDataFolder(dataDir)
  opened.push(() => lock.release())
  const db = openJournal(dataDir)
  opened.push(() => db.close())
  const documents = new Documents(db, () => clock.nowMs())
  const ulid = monotonicFactory()
  return {
    db,
    documents,
    settings: () => ({ ...(documents.get('settings', 'all', Settings) ?? Settings.parse({})), ...overrides }),
    makeId: () => ulid(clock.nowMs()),
    fingerprint: (key) => keyFingerprint(saltOf(documents), key),
  }
}

function saltOf(documents: Documents): string {
  const known = documents.get('salt', 'fingerprint', z.string().min(16))
  if (known !== null) return known
  const salt = randomBytes(16).toString('hex')
  documents.put('salt', 'fingerprint', salt)
  return salt
}
