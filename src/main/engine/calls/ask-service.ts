import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { Answer } from '../../core/answer.ts'
import { classifyFree } from '../../core/classify.ts'
import type { Lane } from '../../queue/lane.ts'
import type { ImageService } from '../../core/image-service.ts'
import type { Affordability } from '../../../shared/contract/credits.ts'
import { affordPlan, batchPrice } from '../../core/spend-guard.ts'
import type { AffordQuestion, BatchPrice, SpendGroup } from '../../core/spend-guard.ts'
import type { LaneSet } from '../lanes.ts'

/** A free call that a person waits for; throws an `AppError` that says what to do. */
async function askImageService<Value>(
  lane: Lane | null,
  call: (service: ImageService, lane: Lane) => Promise<Answer<Value>>,
): Promise<Value> {
  if (lane === null) throw new AppError('key_missing', say('image_service_not_set_up'))
  if (lane.service === null) throw new AppError('key_missing', say('key_not_set'))
  return valueOf(await call(lane.service, lane))
}

/** The value of a free call's answer, or an `AppError` about the service. */
export function valueOf<Value>(answer: Answer<Value>): Value {
  const verdict = classifyFree(answer)
  switch (verdict.kind) {
    case 'ok':
      return verdict.value
    case 'retry':
      throw new AppError('service_unreachable', say('service_no_answer', { why: verdict.detail }))
    case 'rateLimited':
      throw new AppError('rate_limited', say('service_over_rate'))
    case 'redirected':
      throw new AppError('address_wrong', say('service_address_wrong', { why: verdict.detail }))
    case 'hold':
      if (verdict.reason === 'key_refused') throw new AppError('key_refused', say('service_key_refused'))
      throw new AppError('address_wrong', say('service_address_wrong', { why: verdict.detail }))
    case 'notFound':
      throw new AppError('address_wrong', say('service_address_wrong', { why: '404' }))
    case 'refused':
      throw new AppError('bad_request', say('service_refused', { why: verdict.detail }))
  }
}

export interface AskingDeps {
  lanes: LaneSet
  stopping: AbortSignal
}

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

/** The price of some work, an upper bound if `atMost` says so. With nothing to send, only the balance is requested. */
export async function priceOf(
  deps: AskingDeps,
  groups: readonly SpendGroup[],
  signal = deps.stopping,
  at: Lane | null = deps.lanes.active(),
): Promise<BatchPrice> {
  const plan = affordPlan(groups)
  const answers: Affordability[] = []
  for (const { question } of plan.questions) answers.push(await afford(deps, question, signal, at))
  const price = batchPrice(plan, answers)
  return price ?? { required: 0, balance: await askBalance(deps, signal, at), shortfall: 0, atMost: false }
}
