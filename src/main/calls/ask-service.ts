import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { Answer } from '../core/answer.ts'
import { classifyFree } from '../core/classify.ts'
import type { Lane } from '../queue/lane.ts'
import type { ImageService } from '../core/image-service.ts'

/** One free call that a person waits for; throws an `AppError` whose message says what to do. */
export async function askImageService<Value>(
  lane: Lane | null,
  call: (service: ImageService, lane: Lane) => Promise<Answer<Value>>,
): Promise<Value> {
  if (lane === null) throw new AppError('key_missing', 'No image service is set up. Give its address and key first.')
  if (lane.service === null) throw new AppError('key_missing', 'There is no key for the image service. Set one first.')
  return valueOf(await call(lane.service, lane), 'image service')
}

const SENTENCES = {
  'image service': {
    noAnswer: 'service_no_answer',
    addressWrong: 'service_address_wrong',
    refused: 'service_refused',
  },
  'charger service': {
    noAnswer: 'chargers_no_answer',
    addressWrong: 'chargers_address_wrong',
    refused: 'chargers_refused',
  },
} as const

/** The value of a free call's answer, or an `AppError` about the service with this name. */
export function valueOf<Value>(answer: Answer<Value>, name: keyof typeof SENTENCES): Value {
  const { noAnswer, addressWrong, refused } = SENTENCES[name]
  const verdict = classifyFree(answer)
  switch (verdict.kind) {
    case 'ok':
      return verdict.value
    case 'retry':
      throw new AppError('service_unreachable', ownSentence(noAnswer, { why: verdict.detail }))
    case 'rateLimited':
      throw new AppError('rate_limited', `The ${name} asks to wait: too many calls in a minute. Try again in a minute.`)
    case 'redirected':
      throw new AppError('address_wrong', ownSentence(addressWrong, { why: verdict.detail }))
    case 'hold':
      if (verdict.reason === 'key_refused')
        throw new AppError('key_refused', `The ${name} refused the key. Set the right one.`)
      throw new AppError('address_wrong', ownSentence(addressWrong, { why: verdict.detail }))
    case 'notFound':
      throw new AppError('address_wrong', ownSentence(addressWrong, { why: '404' }))
    case 'refused':
      throw new AppError('bad_request', ownSentence(refused, { why: verdict.detail }))
  }
}
