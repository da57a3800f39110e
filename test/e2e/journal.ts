import { basename } from 'node:path'
import { Documents } from '../../src/main/journal/documents.ts'
import { openJournal, openJournalForReading, type Db } from '../../src/main/journal/journal.ts'
import { Settings } from '../../src/shared/settings/settings.ts'
import { until } from '../until.ts'
import type { AppWorld } from './app-world.ts'

/* What a test writes into the journal while the app is not running, and reads while it is. */

export function inJournal({ dataDir }: AppWorld, work: (documents: Documents, db: Db) => void): void {
  const db = openJournal(dataDir)
  try {
    work(new Documents(db), db)
  } finally {
    db.close()
  }
}

/** Throws when there are no settings yet: the app keeps them once it has a service. */
export function changeSettings(documents: Documents, changes: Partial<Settings>): void {
  const settings = documents.get('settings', 'all', Settings)
  if (settings === null) throw new Error('the app has no settings yet: give it a service first')
  documents.put('settings', 'all', { ...settings, ...changes })
}

/** Waits until each picture of these names is in the state. */
export async function untilState({ dataDir }: AppWorld, state: string, names: readonly string[]): Promise<void> {
  const db = openJournalForReading(dataDir)
  try {
    const rows = db.prepare<[], { path: string; state: string }>('SELECT path, state FROM jobs')
    const others = () => {
      const found = new Map(rows.all().map((row) => [basename(row.path), row.state]))
      return names.filter((name) => found.get(name) !== state).map((name) => `${name} ${found.get(name)}`)
    }
    await until(`all are ${state}`, () => others().length === 0, { describe: () => others().join(', ') })
  } finally {
    db.close()
  }
}
