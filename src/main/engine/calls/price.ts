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

/** What a question to the image service takes. */
export type AskingDeps = Pick<CallsDeps, 'lanes' | 'stopping'>

/** One question about credits, to the service in use unless another is given; the balance in its answer is noted. */
export function afford(
  { lanes, stopping }: AskingDeps,
  question: AffordQuestion,
  signal = stopping,
  at: Lane | null = lanes.active(),
): Promise<Affordability> {
  return askImageService(at, async (service, lane) => {
    const answer = await service.afford(question, { slot: await lane.takeSlot(signal), signal })
    if (answer.kind === 'ok') lane.noteBalance(answer.value.balance)
    return answer
  })
}

/** The balance as the service says it now; it is noted. */
export function askBalance(
  { lanes, stopping }: AskingDeps,
  signal = stopping,
  at: Lane | null = lanes.active(),
): Promise<number> {
  return askImageService(at, async (service, lane) => {
    const answer = await service.balance({ slot: await lane.takeSlot(signal), signal })
    if (answer.kind === 'ok') lane.noteBalance(answer.value)
    return answer
  })
}

/**
 * What some work costs at a service, by default the one in use; an upper bound where `atMost` says so. With nothing to send only
 * the balance is asked for.
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
