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
  if (lane.service === null) throw new AppError('key_missing', say('image_key_missing'))
  return valueOf(await call(lane.service, lane), 'image')
}

const SENTENCES = {
  image: {
    overRate: 'image_over_rate',
    keyRefused: 'image_key_refused',
    noAnswer: 'service_no_answer',
    addressWrong: 'service_address_wrong',
    refused: 'service_refused',
  },
  chargers: {
    overRate: 'chargers_asked_too_often',
    keyRefused: 'chargers_key_refused',
    noAnswer: 'chargers_no_answer',
    addressWrong: 'chargers_address_wrong',
    refused: 'chargers_refused',
  },
} as const

/** The value of a free call's answer, or an `AppError` about this service. */
export function valueOf<Value>(answer: Answer<Value>, name: keyof typeof SENTENCES): Value {
  const { overRate, keyRefused, noAnswer, addressWrong, refused } = SENTENCES[name]
  const verdict = classifyFree(answer)
  switch (verdict.kind) {
    case 'ok':
      return verdict.value
    case 'retry':
      throw new AppError('service_unreachable', say(noAnswer, { why: verdict.detail }))
    case 'rateLimited':
      throw new AppError('rate_limited', say(overRate))
    case 'redirected':
      throw new AppError('address_wrong', say(addressWrong, { why: verdict.detail }))
    case 'hold':
      if (verdict.reason === 'key_refused') throw new AppError('key_refused', say(keyRefused))
      throw new AppError('address_wrong', say(addressWrong, { why: verdict.detail }))
    case 'notFound':
      throw new AppError('address_wrong', say(addressWrong, { why: '404' }))
    case 'refused':
      throw new AppError('bad_request', say(refused, { why: verdict.detail }))
  }
}
