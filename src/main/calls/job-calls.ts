import type { JobView } from '../../shared/contract.ts'
import type { Job } from '../../shared/job.ts'
import type { JobState } from '../../shared/reasons.ts'
import { nextSteps } from '../core/next-steps.ts'
import { canTake, type JobEvent } from '../core/transition.ts'
import { historyOf, quarantined } from '../queue/history.ts'
import { forgetSeen } from '../queue/seen.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { found, withoutUndefined } from './request-parts.ts'

/** A job with what a person can do about it. */
export function viewOf(job: Job): JobView {
  return { ...job, nextSteps: nextSteps(job) }
}

export function jobCalls(deps: CallsDeps): HandlersOf<'jobs'> {
  const { context, runner } = deps
  const { store, db, clock } = context
  const applyToMany = (ids: string[], all: boolean, states: JobState[], event: (job: Job) => JobEvent | null) => {
    const jobs = all ? store.list({ states }) : ids.map((id) => found(store.get(id), id))
    let changed = 0
    for (const job of jobs) {
      const wanted = event(job)
      if (wanted === null || !canTake(job, wanted)) continue
      if (runner.isBusy(job.id)) runner.abandon(job.id)
      store.apply(job.id, wanted)
      changed += 1
    }
    return { changed }
  }
  return {
    'jobs.list': (query) => ({ jobs: store.list(withoutUndefined(query)).map(viewOf) }),
    'jobs.counts': (query) => ({ counts: store.count(withoutUndefined(query)) }),
    'jobs.history': ({ id }) => ({ events: historyOf(db, found(store.get(id), id).id) }),
    'jobs.retry': async ({ ids, all }) => {
      for (const lane of deps.lanes.all()) if (lane.hold !== null || lane.closed !== null) lane.askSoon()
      const { changed } = applyToMany(ids, all, ['failed', 'held', 'cancelled'], (job) =>
        all && job.state === 'cancelled' ? null : { type: 'retry' },
      )
      return {
        changed:
          changed +
          (await lookAgain(deps, all ? store.list({ states: ['failed'] }) : ids.flatMap((id) => store.get(id) ?? []))),
      }
    },
    'jobs.resolve': ({ ids, all, how }) => {
      const events = { resend: 'resend', drop: 'drop', fetch_again: 'fetchAgain', ask_again: 'askAgain' } as const
      return applyToMany(ids, all, ['unknown', 'failed'], (job) =>
        // "All" is about what is in doubt; failed pictures are named one by one.
        all && job.state === 'failed' && how !== 'fetch_again' ? null : { type: events[how] },
      )
    },
    'jobs.cancel': ({ ids, all }) =>
      applyToMany(ids, all, ['ready', 'waiting', 'fetching', 'writing', 'held', 'sending'], (job) => {
        if (job.state !== 'sending') return { type: 'cancel' }
        context.cancelRequested.add(job.id)
        return null
      }),
    'jobs.clear': ({ states }) => ({ removed: store.clear(states, clock.nowMs() + 1) }),
    'jobs.quarantined': () => ({ rows: quarantined(db) }),
  }
}

/** Pictures that could not be taken in: they are looked at anew, where a watched folder still holds them. */
async function lookAgain({ context, folders }: CallsDeps, jobs: Job[]): Promise<number> {
  const refused = jobs.filter((job) => job.state === 'failed' && job.image === null && job.folderId !== null)
  for (const job of refused) forgetSeen(context.db, job.source.path)
  const watched = new Set(folders.list().map(({ id }) => id))
  const toLookThrough = new Set(
    refused.flatMap(({ folderId }) => (folderId !== null && watched.has(folderId) ? [folderId] : [])),
  )
  for (const folderId of toLookThrough) await folders.restart(folderId)
  return refused.length
}
