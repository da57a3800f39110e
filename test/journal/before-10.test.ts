import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDecorative, editsOf, textViews } from '../../src/main/journal/text-edits.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { historyOf } from '../../src/main/journal/history.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { type Db, JOURNAL_VERSION, openJournal, openJournalForReading } from '../../src/main/journal/journal.ts'
import { removedAt } from '../../src/main/journal/removed-jobs.ts'
import { sentenceBefore10 } from '../../src/main/journal/migrations/sentences-before-10.ts'
import { stoppedIn } from '../../src/main/journal/stopped-tasks.ts'
import { draftsOf } from '../../src/main/journal/text-drafts.ts'
import type { Reason } from '../../src/shared/sentences/reasons.ts'
import germanReasons from '../../src/shared/text/de/reasons.json' with { type: 'json' }
import germanSentences from '../../src/shared/text/de/sentences.json' with { type: 'json' }
import englishReasons from '../../src/shared/text/en/reasons.json' with { type: 'json' }
import englishSentences from '../../src/shared/text/en/sentences.json' with { type: 'json' }
import { noteSentence, saidText } from '../../src/shared/sentences/reason-sentences.ts'

/**
 * What the last version that kept English in its journal left after pictures had met everything that can be said of them, and
 * what its window showed of it. Where the wording of a sentence has changed since, `shown.json` has the new one.
 */
const BEFORE = join(import.meta.dirname, 'before-10')
const english = { ...englishReasons, own: englishSentences }
const german = { ...germanReasons, own: germanSentences }

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-before-10-'))
  writeFileSync(join(dir, 'journal.db'), gunzipSync(readFileSync(join(BEFORE, 'journal.db.gz'))))
})

afterEach(() => rmSync(dir, { recursive: true, force: true }))

function shownOf(db: Db): unknown {
  const store = new JobStore(db, () => 1)
  const said = (reason: Reason | null, language: 'en' | 'de') =>
    reason === null ? null : saidText(language === 'en' ? english : german, reason, language)
  const ids = db.prepare<[], string>('SELECT id FROM jobs ORDER BY id').pluck().all()
  return {
    stopped: stoppedIn(new Documents(db, () => 1)),
    jobs: ids.map((id) => {
      const job = store.getAny(id)!
      const sha256 = job.image?.sha256 ?? ''
      return {
        id,
        path: job.source.path,
        state: job.state,
        resume: job.resume,
        removed: removedAt(db, id) !== null,
        notes: job.notes.map((note) => noteSentence(english, note, 'en')),
        texts: textViews(job.result?.translations ?? [], editsOf(db, sha256)),
        drafts: draftsOf(db, sha256).map(({ altText }) => altText),
        decorative: isDecorative(db, sha256),
        outputs: job.outputs.map(({ path }) => path),
        history: historyOf(db, id).map(({ event, state, reason }) => ({
          event,
          state,
          reason: reason?.code ?? null,
          en: said(reason, 'en'),
          de: said(reason, 'de'),
        })),
        enSaid: said(job.reason, 'en'),
        deSaid: said(job.reason, 'de'),
        reason: job.reason?.code ?? null,
      }
    }),
  }
}

describe('a journal in which details were English', () => {
  const shown: unknown = JSON.parse(readFileSync(join(BEFORE, 'shown.json'), 'utf8'))

  it('shows the same jobs, texts and reasons once it is migrated', () => {
    const db = openJournal(dir)
    expect(shownOf(db)).toEqual(shown)
    expect(db.prepare('SELECT count(*) FROM quarantine').pluck().get()).toBe(0)
    db.close()
  })

  it('shows the same to a reader that may not change it', () => {
    const db = openJournal(dir, { readonly: true })
    expect(shownOf(db)).toEqual(shown)
    expect(db.pragma('user_version', { simple: true })).toBe(9)
    db.close()
  })

  it('has codes for what Hangar said, and the words of others as they were', () => {
    const db = openJournal(dir)
    const details = db
      .prepare<[], string>('SELECT DISTINCT detail FROM job_events WHERE detail IS NOT NULL')
      .pluck()
      .all()
    const raws = details.map((detail) => JSON.parse(detail) as object).filter((detail) => 'raw' in detail)
    expect(raws).toEqual([{ raw: '422: The picture is too dark. {{why}} $&' }, { raw: '503: out of order' }])
    db.close()
  })
})

describe('an English detail', () => {
  it('becomes the code that it was made of, with figures as numbers, and a sentence within as a sentence', () => {
    expect(sentenceBefore10('12582913 bytes; the service takes at most 10485760')).toEqual({
      code: 'over_service_limit',
      values: { bytes: 12_582_913, limit: 10_485_760 },
    })
    expect(sentenceBefore10('The folder /2024 is not there any more. Bring it back or choose another.')).toEqual({
      code: 'folder_gone',
      values: { dir: '/2024' },
    })
    expect(sentenceBefore10('what was downloaded is no whole picture: the file is empty')).toEqual({
      code: 'download_not_whole',
      values: { why: { code: 'file_empty' } },
    })
    expect(sentenceBefore10('reset')).toEqual({ code: 'network_reset' })
  })

  it('stays as it is where others said it', () => {
    for (const text of ['422: the file is empty', 'The picture is too dark.', '', 'EIO: i/o error'])
      expect(sentenceBefore10(text)).toEqual({ raw: text })
  })
})

it('is migrated in memory for a look, with nothing changed on the disk', () => {
  const before = readFileSync(join(dir, 'journal.db'))
  const db = openJournalForReading(dir)
  expect(shownOf(db)).toEqual(JSON.parse(readFileSync(join(BEFORE, 'shown.json'), 'utf8')))
  expect(db.pragma('user_version', { simple: true })).toBe(JOURNAL_VERSION)
  db.close()
  expect(readFileSync(join(dir, 'journal.db')).equals(before)).toBe(true)
})
