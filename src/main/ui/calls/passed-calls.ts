import type { Channel, EnginePort } from '../../../shared/contract.ts'
import type { UiChannel } from '../../../shared/ui-contract.ts'
import { callEngine } from '../../call-engine.ts'
import type { UiCallDeps, UiHandlers } from './ui-call-deps.ts'

/** Calls that mean the same to a page as to the engine: nothing in them is a path of this computer on the way in. */
const PASSED = [
  ...(['jobs.index', 'jobs.retry', 'jobs.resolve', 'jobs.cancel', 'jobs.editText', 'jobs.review'] as const),
  ...(['jobs.draftText', 'jobs.decorative', 'jobs.remove', 'jobs.putBack', 'jobs.quarantined'] as const),
  ...(['queue.pause', 'queue.resume', 'batches.confirm', 'batches.price', 'batches.cancel'] as const),
  ...(['batches.stopWaiting'] as const),
  ...(['folders.remove', 'folders.putBack', 'folders.reconcile'] as const),
  ...(['credits.balance', 'credits.afford', 'credits.history', 'languages.list', 'chargers.list'] as const),
  ...(['keys.set', 'keys.delete', 'keys.status', 'keys.test', 'recipes.remove'] as const),
  ...(['chargers.status', 'chargers.refresh', 'chargers.favourite', 'chargers.favourites'] as const),
  ...(['chargers.filters.list', 'chargers.filters.save', 'chargers.filters.remove'] as const),
  ...(['views.load', 'views.save'] as const),
] satisfies (Channel & UiChannel)[]

/** After these the service in use may be another, or be held for another reason. */
const CHANGES_SERVICE: readonly Channel[] = ['keys.set', 'keys.delete', 'credits.balance', 'batches.confirm']

type Passed = Pick<UiHandlers, (typeof PASSED)[number]>

export function passedCalls({ engine, lookAgain }: UiCallDeps): Passed {
  const pass = (name: Channel) => async (request: Parameters<EnginePort['call']>[1]) => {
    const answer = await callEngine(engine, name, request)
    if (CHANGES_SERVICE.includes(name)) lookAgain()
    return answer
  }
  return Object.fromEntries(PASSED.map((name) => [name, pass(name)])) as unknown as Passed
}
