import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { endStops } from '../../journal/credit-limits.ts'
import { Previews } from './preview.ts'
import { creditsPerImage } from './credit-calls.ts'
import { processSamples } from './sample-calls.ts'

type QueueHandlers = HandlersOf<'queue'> & HandlersOf<'intake'>

export function queueCalls(deps: CallsDeps): QueueHandlers {
  const { context, settingsStore, runner, intake, lanes } = deps
  const previews = new Previews(deps)
  const setPaused = (paused: boolean) => settingsStore.change((stored) => ({ ...stored, paused }))
  return {
    'intake.add': async (request) => {
      // Starting a run approves it. If the next refusal is charged too, everything stops again.
      if (lanes.activeId !== null) endStops(context.db, context.clock, lanes.activeId)
      const price = request.maxCredits === null ? null : await creditsPerImage(deps, request.recipe)
      const batchId = await intake.start({ ...request, creditsPerImage: price, boundTo: null })
      deps.onBatch(batchId)
      return { batchId }
    },
    'intake.preview': (request) => previews.start(request),
    'intake.morePreview': ({ id }) => previews.more(id),
    'intake.stopPreview': ({ id }) => {
      previews.stop(id)
      return {}
    },
    'intake.samples': () => processSamples(deps),
    'queue.pause': async () => {
      await setPaused(true)
      return {}
    },
    'queue.resume': async () => {
      await setPaused(false)
      lanes.askSoon()
      runner.wake()
      return {}
    },
    'queue.status': () => ({
      paused: context.settings().paused,
      counts: context.store.count(),
      service: deps.status(),
      stopped: deps.background.stopped(),
      ledger: deps.team.trouble(),
    }),
  }
}
