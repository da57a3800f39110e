import type { CheckedRequest, EngineResponse } from '../../../shared/contract/calls.ts'
import { z } from 'zod'
import type { KeyCheck, KeyStatus } from '../../../shared/contract/keys.ts'
import { AppError, toAppError, type AppErrorShape } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { KeyedService } from '../../../shared/runtime/ports.ts'
import type { Answer } from '../../core/answer.ts'
import { classifyFree } from '../../core/classify.ts'
import { nameAccount } from '../../journal/accounts.ts'
import type { Lane } from '../../queue/lane.ts'
import { checkKey } from '../../secrets/key.ts'
import { chargerBaseUrl, imageBaseUrl } from '../../services/base-url.ts'
import { createChargerService } from '../../services/charger-service.ts'
import { createImageService } from '../../services/image-service.ts'
import { changeSettings, checkChanges } from './settings-calls.ts'
import { valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

/** Throws `bad_request` for an invalid address. */
const originAt = (name: KeyedService, address: string): string =>
  (name === 'image' ? imageBaseUrl(address) : chargerBaseUrl(address)).origin

function addressIn({ context }: CallsDeps, name: KeyedService): string | null {
  const { imageBaseUrl: image, chargerBaseUrl: chargers } = context.settings()
  return name === 'image' ? image : chargers
}

function originOf(deps: CallsDeps, name: KeyedService): string | null {
  const given = addressIn(deps, name)
  return given === null ? null : originAt(name, given)
}

async function statusOf(deps: CallsDeps, name: KeyedService): Promise<KeyStatus> {
  const { secrets, documents } = deps
  const origin = originOf(deps, name)
  return {
    name,
    origin,
    present: origin !== null && (await secrets.get(name, origin)) !== null,
    setAtMs: origin === null ? null : documents.get('key_set', `${name} ${origin}`, z.number()),
    ...(await secrets.describe(name, origin)),
  }
}

async function setKey(
  deps: CallsDeps,
  { name, key: given, sameAccount, address, use, keepRefused }: CheckedRequest<'keys.set'>,
): Promise<EngineResponse<'keys.set'>> {
  const { secrets, lanes, context, documents } = deps
  const baseUrl = use && address !== null ? address : addressIn(deps, name)
  const origin = baseUrl === null ? null : originAt(name, baseUrl)
  if (baseUrl === null || origin === null) throw new AppError('bad_request', say('address_first'))
  if (address !== null && originAt(name, address) !== origin) throw new AppError('bad_request', say('address_changed'))
  const change = name === 'image' ? { imageBaseUrl: baseUrl } : { chargerBaseUrl: baseUrl }
  if (use) checkChanges(deps, change)
  const key = checkKey(given, say('key_named'))
  context.log.hideSecret?.(key)
  const { check, problem, answer } = await tryKey(deps, name, key, baseUrl)
  if (check === 'refused' && !keepRefused) throw new AppError('key_refused', say('key_refused_not_stored'))
  // Trying the key took seconds, and the address may have changed meanwhile.
  if (!use && originOf(deps, name) !== origin) throw new AppError('bad_request', say('address_changed'))
  const before = name === 'image' ? lanes.get(origin)?.accountId : undefined
  await secrets.set(name, origin, key)
  documents.put('key_set', `${name} ${origin}`, context.clock.nowMs())
  deps.emit({ type: 'stored', what: 'keys' })
  if (name === 'image' && sameAccount === true && before) nameAccount(deps.db, origin, deps.fingerprint(key), before)
  if (use) await changeSettings(deps, change)
  await lanes.refresh()
  if (name === 'chargers') deps.chargers.book.keyChanged()
  if (name === 'image' && sameAccount === false) holdOtherAccounts(deps, origin)
  const lane = lanes.get(origin)
  if (lane !== null && answer !== null) concludeBalance(lane, answer)
  return { ...(await statusOf(deps, name)), check, problem }
}

async function testKey(deps: CallsDeps, name: KeyedService): Promise<EngineResponse<'keys.test'>> {
  const address = addressIn(deps, name)
  const key = address === null ? null : await deps.secrets.get(name, originAt(name, address))
  if (address === null || key === null)
    return { accepted: false, problem: new AppError('key_missing', say('key_not_set')).shape }
  const { check, problem, answer } = await tryKey(deps, name, key, address)
  if (answer !== null) concludeBalance(await deps.lanes.laneAt(address), answer)
  return { accepted: check === 'accepted', problem }
}

export function keyCalls(deps: CallsDeps): HandlersOf<'keys'> {
  const { secrets, lanes, documents } = deps
  return {
    'keys.readAgain': async () => {
      await deps.team.refresh()
      await lanes.refresh()
      deps.chargers.book.keyChanged()
    },
    'keys.status': ({ name }) => statusOf(deps, name),
    'keys.set': (given) => setKey(deps, given),
    'keys.test': ({ name }) => testKey(deps, name),
    'keys.delete': async ({ name, address }) => {
      const origin = address === null ? originOf(deps, name) : originAt(name, address)
      if (origin === null) throw new AppError('bad_request', say('address_first'))
      await secrets.delete(name, origin)
      documents.remove('key_set', `${name} ${origin}`)
      deps.emit({ type: 'stored', what: 'keys' })
      await lanes.refresh()
      if (name === 'chargers') deps.chargers.book.keyChanged()
      return statusOf(deps, name)
    },
  }
}

/** Applies what the answer means for the service as a whole. */
function concludeBalance(lane: Lane, answer: Answer<number>): void {
  const verdict = classifyFree(answer)
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  if (answer.kind !== 'ok') return
  lane.noteBalance(answer.value)
  if (lane.hold !== null && lane.hold.code !== 'credits_short') lane.setHold(null)
}

/** The new key is of another account: jobs that the old key sent wait until it is back. */
function holdOtherAccounts({ context, lanes }: CallsDeps, origin: string): void {
  const accountId = lanes.get(origin)?.accountId
  for (const job of context.store.list({ states: ['waiting', 'fetching'], serviceId: origin }))
    if (job.accountId !== null && job.accountId !== accountId)
      context.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
}

/** A person is waiting: if it takes longer, for example because of a 429, the key stays unchecked. */
const MAX_TRIAL_MS = 15_000

interface KeyTrial {
  check: KeyCheck
  /** Why it was not accepted; the cause may be something other than the key. */
  problem: AppErrorShape | null
  /** The image service's answer about the balance; null for the charger service, and if there was no answer. */
  answer: Answer<number> | null
}

/** One free call with a key that is not stored yet, to this address only. Never throws because of the service or the network. */
async function tryKey(
  { lanes, context, http, stopping }: CallsDeps,
  name: KeyedService,
  key: string,
  address: string,
): Promise<KeyTrial> {
  const { clock } = context
  const lane = name === 'image' ? await lanes.laneAt(address) : null
  const late = new AbortController()
  const cancel = clock.setTimer(MAX_TRIAL_MS, () => late.abort())
  const signal = AbortSignal.any([late.signal, stopping])
  let answer: Answer<number> | null = null
  try {
    if (lane !== null) {
      const settings = context.settings()
      const service = createImageService({ http, clock, baseUrl: address, settings, key: () => key })
      answer = await service.balance({ slot: await lane.slots.take(signal), signal })
      valueOf(answer)
    } else {
      const { baseUrl } = chargerBaseUrl(address)
      const service = createChargerService({ http, clock, baseUrl, token: () => key })
      valueOf(await service.list({ page: 1, perPage: 1 }, { signal }))
    }
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
