import type { KeyCheck } from '../../../shared/contract/keys.ts'
import { AppError, toAppError, type AppErrorShape } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { Clock, HttpPort, KeyedService } from '../../../shared/runtime/ports.ts'
import type { Answer } from '../../core/answer.ts'
import type { Slot } from '../../core/image-service.ts'
import { createChargerService } from '../../services/charger-service.ts'
import { createImageService, type ImageServiceSettings } from '../../services/image-service.ts'
import { valueOf } from './ask-service.ts'

/** A person is waiting: if it takes longer, for example because of a 429, the key stays unchecked. */
const LONGEST_MS = 15_000

export interface KeyTrial {
  check: KeyCheck
  /** Why it was not accepted; the cause may be something other than the key. */
  problem: AppErrorShape | null
  /** The image service's answer about the balance; null for the charger service, and if there was no answer. */
  answer: Answer<number> | null
}

interface KeyTrialDeps {
  http: HttpPort
  clock: Clock
  baseUrl: string
  settings: ImageServiceSettings
  /** Waits until the call may be sent. */
  takeSlot: (signal: AbortSignal) => Promise<Slot>
  stopping: AbortSignal
}

/**
 * One free call with a key that is not stored yet. The key is sent to `baseUrl` only. Never throws because of the service or the
 * network.
 */
export async function tryKey(name: KeyedService, key: string, deps: KeyTrialDeps): Promise<KeyTrial> {
  const late = new AbortController()
  const cancel = deps.clock.setTimer(LONGEST_MS, () => late.abort())
  const signal = AbortSignal.any([late.signal, deps.stopping])
  let answer: Answer<number> | null = null
  try {
    if (name === 'image') valueOf((answer = await askBalance(key, deps, signal)))
    else valueOf(await askForOneCharger(key, deps, signal))
    return { check: 'accepted', problem: null, answer }
  } catch (error) {
    const { code, shape } = signal.aborted
      ? new AppError('service_unreachable', say('service_no_answer', { why: say('network_timeout') }))
      : toAppError(error)
    return { check: code === 'key_refused' ? 'refused' : 'unchecked', problem: shape, answer }
  } finally {
    cancel()
  }
}

async function askBalance(
  key: string,
  { takeSlot, ...access }: KeyTrialDeps,
  signal: AbortSignal,
): Promise<Answer<number>> {
  const service = createImageService({ ...access, key: () => key })
  return service.balance({ slot: await takeSlot(signal), signal })
}

function askForOneCharger(key: string, { http, clock, baseUrl }: KeyTrialDeps, signal: AbortSignal) {
  const service = createChargerService({ http, clock, baseUrl, token: () => key })
  return service.list({ page: 1, perPage: 1 }, { signal })
}
