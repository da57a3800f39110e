import { type CallsDeps, type HandlersOf, found, inSlices } from './call-deps.ts'
import { endStops } from '../../journal/credit-limits.ts'
import { Previews } from './preview.ts'
import { creditsPerImage } from './credit-calls.ts'
import { processSamples } from './sample-calls.ts'
import { isUnsent } from '../../core/next-steps.ts'
import type { ServiceId } from '../../../shared/recipes/recipe.ts'
import { spendGroups } from '../../core/spend-guard.ts'
import { confirmBatch } from '../../journal/batches.ts'
import { guardedKeys, guardedServices } from '../../journal/spending.ts'
import { heldBatches, serviceToPrice } from '../../queue/spend.ts'
import { creditsWanted } from '../../queue/short-of-credits.ts'
import { jobIds } from '../../journal/job-index.ts'
import { priceOf } from './ask-service.ts'

type QueueHandlers = HandlersOf<'queue'> & HandlersOf<'intake'>

export function queueCalls(deps: CallsDeps): QueueHandlers {
  const { context, settingsStore, runner, intake, lanes } = deps
  const previews = new Previews(deps)
  const setPaused = (paused: boolean) => settingsStore.change((stored) => ({ ...stored, paused }))
  return {
    'intake.add': async (request) => {
      const price = request.maxCredits === null ? null : await creditsPerImage(deps, request.recipe)
      const batchId = await intake.start({ ...request, creditsPerImage: price, boundTo: null })
      // Starting a run approves it. If the next refusal is charged too, everything stops again.
      if (lanes.activeId !== null) endStops(context.db, lanes.activeId)
      deps.onBatch(batchId)
      return { batchId }
    },
    'intake.preview': (request) => previews.start(request),
    'intake.morePreview': ({ id }) => previews.more(id),
    'intake.stopPreview': ({ id }) => previews.stop(id),
    'intake.samples': () => processSamples(deps),
    'queue.pause': () => setPaused(true),
    'queue.resume': async () => {
      await setPaused(false)
      lanes.askSoon()
      runner.wake()
    },
    'queue.status': () => ({
      paused: context.settings().paused,
      counts: context.store.count(),
      service: deps.status(),
      progress: deps.progress(),
      stopped: deps.background.stopped(),
    }),
  }
}

export function batchCalls(deps: CallsDeps): HandlersOf<'batches'> {
  const { context, runner, intake, lanes } = deps
  const { store, db } = context
  const guarded = (batchId: string, serviceId: ServiceId) => {
    const [held] = store.list({ batchId, states: ['held'], reasons: ['spend_guard'], limit: 1 })
    return spendGroups(guardedKeys(db, batchId, serviceId), held?.recipe.format ?? 'webp')
  }
  return {
    'batches.get': ({ id }) => found(intake.view(id), id),
    'batches.stopWaiting': async ({ id }) => ({ changed: await intake.stopWaiting(id) }),
    'batches.waiting': () => ({ confirmations: heldBatches(context) }),
    'batches.price': async ({ id }) => {
      if (id !== null) found(intake.view(id), id)
      const serviceId = id === null ? lanes.activeId : serviceToPrice(db, id, lanes.activeId)
      const groups = serviceId === null ? [] : id === null ? creditsWanted(db, serviceId).held : guarded(id, serviceId)
      const price = await priceOf(deps, groups, deps.stopping, serviceId === null ? undefined : lanes.get(serviceId))
      return { ...price, images: groups.reduce((sum, { images }) => sum + images, 0) }
    },
    'batches.confirm': ({ id }) => {
      confirmBatch(db, found(intake.view(id), id).id)
      endStops(db, id, ...guardedServices(db, id))
      runner.requestSweep()
      runner.wake()
    },
    'batches.cancel': async ({ id }) => {
      found(intake.view(id), id)
      context.cancelledBatches.add(id)
      intake.cancel(id)
      let changed = 0
      await inSlices(jobIds(db, { batchId: id, states: ['ready', 'held'] }), (jobId) => {
        const job = store.get(jobId)
        // What was sent is paid for, so its results are still fetched.
        if (job === null || !isUnsent(job)) return
        runner.abandon(jobId)
        store.apply(jobId, { type: 'cancel' })
        changed += 1
      })
      return { changed }
    },
  }
}
