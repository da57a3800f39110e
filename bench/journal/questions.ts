import type { JobOrder } from '../../src/shared/jobs/job-list.ts'
import { viewOf } from '../../src/main/engine/calls/job-view.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { jobIndex } from '../../src/main/journal/job-index.ts'
import type { Db } from '../../src/main/journal/journal.ts'
import { lastEventMs } from '../../src/main/journal/history.ts'
import { knownFilesBelow } from '../../src/main/journal/known-files.ts'
import { countRemoved } from '../../src/main/journal/removed-jobs.ts'
import { countToReview } from '../../src/main/journal/reviews.ts'
import { waitingIn } from '../../src/main/journal/waiting-jobs.ts'
import { servicesBoundTo } from '../../src/main/journal/batches.ts'
import { KnownFiles } from '../../src/main/watch/known-files.ts'
import { SERVICE } from '../ui/seed-journal.ts'

export interface Asked {
  db: Db
  store: JobStore
  batchId: string
  nowMs: number
}

interface Question {
  what: string
  /** `grows`: what is asked for grows with the jobs, so its time may. */
  grows: boolean
  ask(asked: Asked): unknown
}

const sorted = (by: JobOrder['by']): Question => ({
  what: `ids of all, by ${by}`,
  grows: true,
  ask: ({ db }) => jobIndex(db, {}, 'none', { by, descending: false }),
})

const fresh = ({ db, nowMs }: Asked): JobStore => new JobStore(db, () => nowMs)

export const QUESTIONS: readonly Question[] = [
  { what: 'a job by its id', grows: false, ask: ({ store, db }) => store.get(oneId(db)) },
  { what: 'the newest 100 jobs', grows: false, ask: ({ store }) => store.list({ newestFirst: true, limit: 100 }) },
  { what: '100 that failed', grows: false, ask: ({ store }) => store.list({ states: ['failed'], limit: 100 }) },
  { what: 'the jobs of one batch', grows: false, ask: ({ db, batchId }) => jobIndex(db, { batchId }, 'none') },
  {
    what: 'what may be sent now',
    grows: false,
    ask: ({ store, nowMs }) => store.list({ ...ready(nowMs), limit: 200 }),
  },
  {
    what: '… how much, up to 1,000',
    grows: false,
    ask: ({ store, nowMs }) => store.countUpTo(1000, ready(nowMs)),
  },
  { what: 'what waits for the service', grows: false, ask: ({ store }) => store.waitingAt(SERVICE) },
  { what: 'numbers of each state, kept', grows: false, ask: ({ store }) => store.count() },
  { what: 'the time of the last event', grows: false, ask: ({ db }) => [lastEventMs(db)] },
  { what: 'services of unfinished batches', grows: false, ask: ({ db }) => servicesBoundTo(db) },
  {
    what: '200 settled jobs leave, in the end undone',
    grows: false,
    ask: ({ db, store, nowMs }) => undone(db, () => store.clearSettled(nowMs)),
  },
  { what: 'numbers of each state, counted', grows: true, ask: (asked) => fresh(asked).count() },
  { what: 'number of a folder', grows: true, ask: ({ store }) => store.count({ folderId: 'F' }) },
  { what: 'number with texts to review', grows: true, ask: ({ db }) => [countToReview(db), countRemoved(db)] },
  {
    what: 'what needs a person, by reason',
    grows: true,
    ask: ({ db, store }) => waitingIn(db, store, ['held', 'failed', 'unknown']),
  },
  { what: 'ids of all', grows: true, ask: ({ db }) => jobIndex(db, {}, 'none') },
  { what: '… by batch', grows: true, ask: ({ db }) => jobIndex(db, {}, 'batch') },
  { what: '… by folder', grows: true, ask: ({ db }) => jobIndex(db, {}, 'folder') },
  { what: '… failed', grows: true, ask: ({ db }) => jobIndex(db, { states: ['failed'] }, 'none') },
  { what: '… with texts to review', grows: true, ask: ({ db }) => jobIndex(db, { needsReview: true }, 'none') },
  { what: '… by search', grows: true, ask: ({ db }) => jobIndex(db, { search: 'north-0471' }, 'none') },
  { what: '… by search beyond ASCII', grows: true, ask: ({ db }) => jobIndex(db, { search: 'ü' }, 'none') },
  sorted('name'),
  sorted('size'),
  sorted('saving'),
  sorted('changed'),
  sorted('state'),
  {
    what: 'all off the list and back',
    grows: true,
    ask: ({ store }) => {
      store.remove({ ids: [], states: ['done'], kind: 'settled' }, 'undo')
      store.putBack({ undoId: 'undo', ids: [] })
    },
  },
  {
    what: 'known files, for a watch that begins',
    grows: true,
    ask: ({ db }) => {
      const known = new KnownFiles({ compareIno: true })
      known.load(knownFilesBelow(db, '/home/ada'), (path) => path.slice(10))
      return known
    },
  },
  {
    what: 'each job read once, as for an export',
    grows: true,
    ask: ({ db, store }) => {
      let texts = 0
      for (const job of store.each({ newestFirst: true })) texts += viewOf(db, job).outputs.length
      return texts
    },
  },
]

const ready = (nowMs: number) =>
  ({ states: ['ready'], serviceId: SERVICE, dueAtMs: nowMs, free: false, decidable: true }) as const

function oneId(db: Db): string {
  return db.prepare<[], string>('SELECT id FROM jobs LIMIT 1 OFFSET 5000').pluck().get()!
}

function undone(db: Db, work: () => void): void {
  db.exec('SAVEPOINT bench')
  try {
    work()
  } finally {
    db.exec('ROLLBACK TO bench; RELEASE bench')
  }
}
