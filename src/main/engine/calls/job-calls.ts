import type { Job } from '../../../shared/jobs/job.ts'
import type { JobState } from '../../../shared/sentences/reasons.ts'
import { canTake, type JobEvent } from '../../core/transition.ts'
import { quarantined, stateBefore } from '../../journal/history.ts'
import { jobIds, jobGroups, jobIndex } from '../../journal/job-index.ts'
import { forgetKnownFile } from '../../journal/known-files.ts'
import { type CallsDeps, type HandlersOf, found, type Handlers, inSlices } from './call-deps.ts'
import { textCalls } from './text-calls.ts'
import type { JobView } from '../../../shared/contract/jobs.ts'
import { countRemoved } from '../../journal/removed-jobs.ts'
import { countToReview, markReviewed } from '../../journal/reviews.ts'
import { isReplaced, viewOf } from './job-view.ts'
import { tryRestore } from '../engine-files.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'

export function jobCalls(deps: CallsDeps): HandlersOf<'jobs'> {
  const { context } = deps
  const { store, db } = context
  const applyToMany = (...what: What) => applyEach(deps, ...what)
  return {
    ...listCalls(deps),
    ...textCalls(deps),
    'jobs.retry': async ({ ids, all }) => {
      deps.lanes.askSoon()
      const refused = all ? store.list({ states: ['failed'] }) : ids.flatMap((id) => store.get(id) ?? [])
      const { changed } = await applyToMany(ids, all, ['failed', 'held'], () => ({ type: 'retry' }))
      const retried = await retryRefused(deps, refused)
      // The job may belong to a service that has no lane yet.
      await deps.lanes.refresh()
      return { changed: changed + retried }
    },
    'jobs.resolve': async ({ ids, all, how }) => {
      if (how === 'resend') deps.lanes.askSoon()
      const events = { resend: 'resend', drop: 'drop', fetch_again: 'fetchAgain', ask_again: 'pollAgain' } as const
      const result = await applyToMany(ids, all, ['unknown', 'failed'], (job) =>
        // "All" means all unknown ones; failed pictures have to be named.
        all && job.state === 'failed' && how !== 'fetch_again' ? null : { type: events[how] },
      )
      await deps.lanes.refresh()
      return result
    },
    'jobs.reopen': async ({ ids }) => {
      const listed = ids.filter((id) => store.get(id) !== null)
      return applyToMany(listed, false, [], ({ id }) => {
        const before = stateBefore(db, id, 'drop')
        return before?.state === 'unknown' || before?.state === 'failed'
          ? { type: 'reopen', state: before.state, reason: before.reason }
          : null
      })
    },
    'jobs.cancel': async ({ ids, all }) => {
      let underWay = 0
      const { changed } = await applyToMany(
        ids,
        all,
        ['ready', 'waiting', 'fetching', 'writing', 'held', 'sending'],
        (job) => {
          if (job.state !== 'sending') return { type: 'cancel' }
          // Its request is in flight: it is cancelled once the answer arrives.
          context.cancelRequested.add(job.id)
          underWay += 1
          return null
        },
      )
      return { changed: changed + underWay }
    },
    'jobs.restore': async ({ ids, force }) => {
      const results: Restored[] = []
      for (const id of ids) results.push(await restore(deps, id, force))
      return { results }
    },
    'jobs.quarantined': () => ({ rows: quarantined(db) }),
  }
}

type Restored = EngineResponse<'jobs.restore'>['results'][number]

async function restore({ context, fileWork }: CallsDeps, id: string, force: boolean): Promise<Restored> {
  const job = context.store.getAny(id)
  if (job === null) return { id, restored: false, problem: 'not_found', why: say('picture_gone') }
  if (!isReplaced(job)) return { id, restored: false, problem: 'not_replaced', why: say('restore_nothing_kept') }
  return { id, ...(await fileWork.run(() => tryRestore(job.source.path, job.rootDir, force))) }
}

type What = [ids: string[], all: boolean, states: JobState[], event: (job: Job) => JobEvent | null]

/** Applies an event to these jobs, or to all in these states, where it is allowed. */
async function applyEach({ context, runner, team }: CallsDeps, ...[ids, all, states, event]: What) {
  const { store, db } = context
  const wanted = all ? jobIds(db, { states }) : ids.map((id) => found(store.get(id), id).id)
  let changed = 0
  await inSlices(wanted, (id) => {
    const job = store.get(id)
    const change = job === null ? null : event(job)
    if (job === null || change === null || !canTake(job, change)) return
    runner.abandon(id)
    store.apply(id, change, () => {
      if (change.type === 'drop' && job.state === 'unknown') team.decided(job, true)
      if (change.type === 'reopen' && change.state === 'unknown') team.decided(job, false)
    })
    changed += 1
  })
  return { changed }
}

/** Takes in again what a watched folder still has and could not be taken in. */
async function retryRefused({ context, folders }: CallsDeps, jobs: Job[]): Promise<number> {
  const watched = new Set<string | null>(folders.list().map(({ id }) => id))
  const refused = jobs.filter((job) => job.state === 'failed' && job.image === null && watched.has(job.folderId))
  for (const job of refused) forgetKnownFile(context.db, job.source.path)
  for (const folderId of new Set(refused.map((job) => job.folderId!))) await folders.restart(folderId)
  return refused.length
}

function listCalls({ context, makeId, emit }: CallsDeps) {
  const { store, db } = context
  return {
    'jobs.list': (query) => ({ jobs: store.list(withoutUndefined(query)).map((job) => viewOf(db, job)) }),
    'jobs.index': ({ filter, groupBy, order }) => ({ sections: jobIndex(db, filter, groupBy, order) }),
    'jobs.groups': ({ filter, groupBy }) => ({ groups: jobGroups(db, filter, groupBy) }),
    'jobs.get': async ({ ids }) => {
      const jobs: JobView[] = []
      await inSlices(ids, (id) => {
        const job = store.getAny(id)
        if (job !== null) jobs.push(viewOf(db, job))
      })
      return { jobs }
    },
    'jobs.counts': (query) => {
      const which = withoutUndefined(query)
      return { counts: store.count(which), needsReview: countToReview(db, which), removed: countRemoved(db) }
    },
    'jobs.review': async ({ ids, reviewed }) => {
      let changed = 0
      await inSlices(ids, (id) => {
        const job = store.get(id)
        if (job === null || !markReviewed(db, id, reviewed)) return
        changed += 1
        emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview: reviewed ? -1 : 1 })
      })
      return { changed }
    },
    'jobs.remove': (which) => {
      const undo = makeId()
      const { removed, left } = store.remove(which, undo)
      if (removed > 0) emit({ type: 'removed', jobs: removed })
      return { removed, left, undo: removed === 0 ? null : undo }
    },
    'jobs.putBack': ({ undo, ids }) => {
      const putBack = store.putBack({ undoId: undo, ids })
      // Pages that show the list have to fetch it again, as after a removal.
      if (putBack > 0) emit({ type: 'removed', jobs: -putBack })
      return { putBack }
    },
  } satisfies Partial<Handlers>
}
