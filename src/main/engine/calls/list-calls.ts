import type { JobView } from '../../../shared/contract/jobs.ts'
import { historyOf } from '../../journal/history.ts'
import { jobGroups, jobIndex } from '../../journal/job-index.ts'
import { countRemoved } from '../../journal/removed-jobs.ts'
import { countToReview, markReviewed } from '../../journal/reviews.ts'
import { type CallsDeps, type Handlers, found } from './call-deps.ts'
import { inSlices } from './in-slices.ts'
import { viewOf } from './job-view.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'

/** Reading the job list, and removing jobs from it. */
export function listCalls({ context, makeId, emit }: CallsDeps) {
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
    'jobs.history': ({ id }) => ({ events: historyOf(db, found(store.getAny(id), id).id) }),
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
