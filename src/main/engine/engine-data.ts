import { randomBytes } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { z } from 'zod'
import type { Settings } from '../../shared/settings/settings.ts'
import { lockDataFolder, prepareDataFolder } from '../journal/data-folder.ts'
import { Documents } from '../journal/documents.ts'
import { openJournal, type Db } from '../journal/journal.ts'
import { guardJournal, type JournalGuard } from '../journal/journal-guard.ts'
import { keyFingerprint } from '../secrets/key.ts'
import type { EngineRun } from './engine-run.ts'
import { beginSettings, SettingsStore } from './settings-store.ts'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'

/** The data folder, locked by this process, and its contents. */
export interface EngineData {
  db: Db
  documents: Documents
  guard: JournalGuard
  settingsStore: SettingsStore
  /** The stored ones with this run's overrides. */
  settings: () => Settings
  /** ULIDs: they sort by creation time. */
  makeId: () => string
  /** Distinguishes keys without storing them. */
  fingerprint: (key: string) => string
}

/** Adds its clean-up to `opened`. Throws `too_few_files`, `data_folder_in_use`, `data_folder_unusable`, and as `openJournal` does. */
export async function openData({ dataDir, overrides, firstLanguage, clock, opened }: EngineRun): Promise<EngineData> {
  assertEnoughFiles()
  await prepareDataFolder(dataDir)
  const lock = lockDataFolder(dataDir)
  opened.push(() => lock.release())
  const db = openJournal(dataDir)
  opened.push(() => db.close())
  const documents = new Documents(db)
  if (firstLanguage !== undefined) beginSettings(db, firstLanguage)
  const settingsStore = new SettingsStore(db, overrides)
  const ulid = monotonicFactory()
  return {
    db,
    guard: guardJournal(dataDir, db),
    documents,
    settingsStore,
    settings: () => settingsStore.get(),
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

/** About 50 are enough to start and send; beyond them come image workers, connections of pages and watched folders. */
const NEEDED_FILES = 128

/** Throws `too_few_files` if a picture could be paid for and then not be written. macOS allows more; Windows has no limit. */
function assertEnoughFiles(): void {
  const limit = openFilesLimit()
  if (limit < NEEDED_FILES) throw new AppError('too_few_files', say('too_few_files', { limit, needed: NEEDED_FILES }))
}

function openFilesLimit(): number {
  if (process.platform !== 'linux') return Infinity
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
