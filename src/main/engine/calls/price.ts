import type { Affordability } from '../../../shared/contract/credits.ts'
import type { Lane } from '../../queue/lane.ts'
import {
  affordPlan,
  batchPrice,
  type AffordQuestion,
  type BatchPrice,
  type SpendGroup,
} from '../../core/spend-guard.ts'
import { askImageService } from './ask-service.ts'
import type { CallsDeps } from './call-deps.ts'

/** What a call to the image service needs. */
export type AskingDeps = Pick<CallsDeps, 'lanes' | 'stopping'>

/** Asks the service in use, or the given one, for a price; the balance in the answer is recorded. */
export function afford(
  { lanes, stopping }: AskingDeps,
  question: AffordQuestion,
  signal = stopping,
  at: Lane | null = lanes.active(),
): Promise<Affordability> {
  return askImageService(at, async (service, lane) => {
    const answer = await service.afford(question, { slot: await lane.slots.take(signal), signal })
    if (answer.kind === 'ok') lane.noteBalance(answer.value.balance)
    return answer
  })
}

/** The current balance; it is recorded. */
export function askBalance(
  { lanes, stopping }: AskingDeps,
  signal = stopping,
  at: Lane | null = lanes.active(),
): Promise<number> {
  return askImageService(at, async (service, lane) => {
    const answer = await service.balance({ slot: await lane.slots.take(signal), signal })
    if (answer.kind === 'ok') lane.noteBalance(answer.value)
    return answer
  })
}

/**
 * The price of some work at a service, by default the one in use; an upper bound if `atMost` says so. With nothing to send, only
 * the balance is requested.
 */
export async function priceOf(
  deps: AskingDeps,
  groups: readonly SpendGroup[],
  signal = deps.stopping,
  at: Lane | null = deps.lanes.active(),
): Promise<BatchPrice> {
  const plan = affordPlan(groups)
  const answers: Affordability[] = []
  for (const { question } of plan.questions) answers.push(await afford(deps, question, signal, at))
  return (
    batchPrice(plan, answers) ?? {
      required: 0,
      balance: await askBalance(deps, signal, at),
      shortfall: 0,
      atMost: false,
    }
  )
}
