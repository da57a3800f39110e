import type { EngineResponse } from '../../../shared/contract/calls.ts'
import { z } from 'zod'
import type { KeyStatus } from '../../../shared/contract/keys.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { KeyedService } from '../../../shared/runtime/ports.ts'
import type { Answer } from '../../core/answer.ts'
import { classifyFree } from '../../core/classify.ts'
import type { Slot } from '../../core/image-service.ts'
import type { Lane } from '../../queue/lane.ts'
import { checkKey } from '../../secrets/check-key.ts'
import { chargerBaseUrl, imageBaseUrl } from '../../services/base-url.ts'
import { askImageService, valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import { tryKey, type KeyTrial } from './try-key.ts'

/** Throws `bad_request` for an invalid address. */
const originAt = (name: KeyedService, address: string): string =>
  (name === 'image' ? imageBaseUrl(address) : chargerBaseUrl(address)).origin

function originOf({ context }: CallsDeps, name: KeyedService): string | null {
  const { imageBaseUrl: image, chargerBaseUrl: chargers } = context.settings()
  const given = name === 'image' ? image : chargers
  return given === null ? null : originAt(name, given)
}

function neededOrigin(deps: CallsDeps, name: KeyedService): string {
  const origin = originOf(deps, name)
  if (origin === null) throw new AppError('bad_request', say('address_first'))
  return origin
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
  { name, key: given, sameAccount, address, keepRefused }: Parameters<HandlersOf<'keys'>['keys.set']>[0],
): Promise<EngineResponse<'keys.set'>> {
  const { secrets, lanes, context, documents } = deps
  const origin = neededOrigin(deps, name)
  if (address !== null && originAt(name, address) !== origin) throw new AppError('bad_request', say('address_changed'))
  const key = checkKey(given, say('key_named'))
  context.log.hideSecret?.(key)
  const { check, problem, answer } = await tryGivenKey(deps, name, key)
  if (check === 'refused' && !keepRefused) throw new AppError('key_refused', say('service_key_refused'))
  // Trying the key took seconds, and the address may have changed meanwhile.
  if (originOf(deps, name) !== origin) throw new AppError('bad_request', say('address_changed'))
  const before = name === 'image' ? lanes.get(origin)?.accountId : undefined
  await secrets.set(name, origin, key)
  documents.put('key_set', `${name} ${origin}`, context.clock.nowMs())
  deps.emit({ type: 'stored', what: 'keys' })
  if (name === 'image' && sameAccount === true && before) lanes.nameAccount(origin, deps.fingerprint(key), before)
  await lanes.refresh()
  if (name === 'chargers') deps.chargers.book.keyChanged()
  if (name === 'image' && sameAccount === false) holdOtherAccounts(deps, origin)
  const lane = lanes.get(origin)
  if (lane !== null && answer !== null) concludeBalance(lane, answer)
  return { ...(await statusOf(deps, name)), check, problem }
}

async function testKey(deps: CallsDeps, name: KeyedService): Promise<EngineResponse<'keys.test'>> {
  try {
    if (name === 'image') await testImageKey(deps)
    else await testChargerToken(deps)
    return { accepted: true, problem: null }
  } catch (error) {
    const { code, shape } = toAppError(error)
    if (code === 'internal') throw error
    return { accepted: false, problem: shape }
  }
}

export function keyCalls(deps: CallsDeps): HandlersOf<'keys'> {
  const { secrets, lanes, documents } = deps
  return {
    'keys.readAgain': async () => {
      await deps.settingsStore.reread()
      await deps.team.refresh()
      await lanes.refresh()
      deps.chargers.book.keyChanged()
      return {}
    },
    'keys.status': ({ name }) => statusOf(deps, name),
    'keys.set': (given) => setKey(deps, given),
    'keys.test': ({ name }) => testKey(deps, name),
    'keys.delete': async ({ name, address }) => {
      const origin = address === null ? neededOrigin(deps, name) : originAt(name, address)
      await secrets.delete(name, origin)
      documents.remove('key_set', `${name} ${origin}`)
      deps.emit({ type: 'stored', what: 'keys' })
      await lanes.refresh()
      if (name === 'chargers') deps.chargers.book.keyChanged()
      return statusOf(deps, name)
    },
  }
}

/** Requests the balance within the key's rate budget; the lane follows the answer too. */
async function testImageKey({ lanes, context, stopping }: CallsDeps): Promise<void> {
  const { imageBaseUrl: given } = context.settings()
  const lane = given === null ? lanes.active() : await lanes.laneAt(given)
  await askImageService(lane, async (service, asked) => {
    const answer = await service.balance({ slot: await asked.slots.take(stopping), signal: stopping })
    concludeBalance(asked, answer)
    return answer
  })
}

/** Applies what the answer means for the service as a whole. */
function concludeBalance(lane: Lane, answer: Answer<number>): void {
  const verdict = classifyFree(answer)
  lane.follow(verdict.lane, verdict.kind === 'ok' ? null : verdict.detail)
  if (answer.kind !== 'ok') return
  lane.noteBalance(answer.value)
  if (lane.hold !== null && lane.hold.code !== 'credits_short') lane.setHold(null)
}

/** Uses the service's rate budget, so that trying keys cannot exceed its limit either. */
async function tryGivenKey(deps: CallsDeps, name: KeyedService, key: string): Promise<KeyTrial> {
  const { lanes, context, http, stopping } = deps
  const settings = context.settings()
  const { imageBaseUrl: image, chargerBaseUrl: chargers } = settings
  const common = { http, clock: context.clock, settings, stopping }
  if (name === 'chargers') {
    const { baseUrl } = chargerBaseUrl(chargers!)
    const takeSlot = async (): Promise<Slot> => ({ answered: () => undefined, rateLimited: () => undefined })
    return tryKey(name, key, { ...common, baseUrl, takeSlot })
  }
  const lane = await lanes.laneAt(image!)
  return tryKey(name, key, { ...common, baseUrl: image!, takeSlot: (signal) => lane.slots.take(signal) })
}

async function testChargerToken({ chargers, stopping }: CallsDeps): Promise<void> {
  valueOf(await chargers.service().list({ page: 1, perPage: 1 }, { signal: stopping }))
}

/** The person said that the new key is of another account: jobs that the old key sent wait until it is back. */
function holdOtherAccounts({ context, lanes }: CallsDeps, origin: string): void {
  const accountId = lanes.get(origin)?.accountId
  for (const job of context.store.list({ states: ['waiting', 'fetching'], serviceId: origin }))
    if (job.accountId !== null && job.accountId !== accountId)
      context.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
}
