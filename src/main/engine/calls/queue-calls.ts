import { changedSettings, Settings, type SettingsChange } from '../../../shared/settings/settings.ts'
import { readLedgerAddress } from '../../team/ledger-address.ts'
import { chargerBaseUrl, imageBaseUrl } from '../../services/base-url.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { Previews } from './preview.ts'
import { creditsPerImage } from './credit-calls.ts'
import { assertSeen } from './assert-seen.ts'
import { processSamples } from './sample-calls.ts'

type QueueHandlers = HandlersOf<'queue'> & HandlersOf<'intake'> & HandlersOf<'settings'>

export function queueCalls(deps: CallsDeps): QueueHandlers {
  const { context, documents, runner, intake, lanes } = deps
  const previews = new Previews(deps)
  const store = (changes: SettingsChange): void => {
    const stored = documents.get('settings', 'all', Settings) ?? Settings.parse({})
    documents.put('settings', 'all', Settings.parse(changedSettings(stored, changes)))
    deps.emit({ type: 'settings', settings: context.settings() })
  }
  return {
    'intake.add': async (request) => {
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
    'queue.pause': () => {
      store({ paused: true })
      return {}
    },
    'queue.resume': () => {
      store({ paused: false })
      runner.wake()
      return {}
    },
    'queue.status': () => ({
      paused: context.settings().paused,
      counts: context.store.count(),
      service: deps.status(),
    }),
    'settings.get': () => context.settings(),
    'settings.set': async ({ seen, ...changes }) => {
      assertSeen(seen, context.settings())
      if (changes.imageBaseUrl != null) imageBaseUrl(changes.imageBaseUrl)
      if (changes.chargerBaseUrl != null) chargerBaseUrl(changes.chargerBaseUrl)
      if (changes.ledgerUrl != null) readLedgerAddress(changes.ledgerUrl)
      store(changes)
      await deps.team.refresh()
      await lanes.refresh()
      await deps.chargers.book.sourceChanged()
      // The effective settings, with the overrides of this run.
      return context.settings()
    },
  }
}
