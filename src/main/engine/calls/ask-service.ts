import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { Answer } from '../../core/answer.ts'
import { classifyFree } from '../../core/classify.ts'
import type { Lane } from '../../queue/lane.ts'
import type { ImageService } from '../../core/image-service.ts'

/** A free call that a person waits for; throws an `AppError` that says what to do. */
export async function askImageService<Value>(
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
