import { z } from 'zod'
import type { KeyStatus } from '../../shared/contract.ts'
import { AppError, toAppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { SecretName } from '../../shared/ports.ts'
import { classifyFree } from '../core/classify.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import { askImageService, valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

const neverAborted = new AbortController().signal

/** Throws `bad_request` for a useless address. */
const originAt = (name: SecretName, address: string): string =>
  (name === 'image' ? imageBaseUrl(address) : chargerBaseUrl(address)).origin

export function keyCalls(deps: CallsDeps): HandlersOf<'keys'> {
  const { secrets, lanes, context, documents } = deps
  const originOf = (name: SecretName): string | null => {
    const { imageBaseUrl: image, chargerBaseUrl: chargers } = context.settings()
    const given = name === 'image' ? image : chargers
    return given === null ? null : originAt(name, given)
  }
  const status = async (name: SecretName): Promise<KeyStatus> => {
    const origin = originOf(name)
    return {
      name,
      origin,
      present: origin !== null && (await secrets.get(name, origin)) !== null,
      setAtMs: origin === null ? null : documents.get('key-set', `${name} ${origin}`, z.number()),
      ...secrets.describe(),
    }
  }
  const neededOrigin = (name: SecretName): string => {
    const origin = originOf(name)
    if (origin === null) throw new AppError('bad_request', ownSentence('address_first'))
    return origin
  }
  return {
    'keys.status': ({ name }) => status(name),
    'keys.set': async ({ name, key, sameAccount, address }) => {
      const origin = neededOrigin(name)
      if (address !== null && originAt(name, address) !== origin)
        throw new AppError('bad_request', ownSentence('address_changed'))
      const before = name === 'image' ? lanes.get(origin)?.accountId : undefined
      await secrets.set(name, origin, key)
      documents.put('key-set', `${name} ${origin}`, context.clock.nowMs())
      if (name === 'image' && sameAccount === true && before)
        lanes.nameAccount(origin, deps.fingerprint(key.trim()), before)
      await lanes.refresh()
      if (name === 'chargers') deps.chargers.book.keyChanged()
      if (name === 'image' && sameAccount === false) holdOtherAccounts(deps, origin)
      return status(name)
    },
    'keys.test': async ({ name }) => {
      try {
        if (name === 'image') await testImageKey(deps)
        else await testChargerToken(deps)
        return { accepted: true, problem: null }
      } catch (error) {
        const { code, message, retryable } = toAppError(error)
        if (code === 'internal') throw error
        return { accepted: false, problem: { code, message, retryable } }
      }
    },
    'keys.delete': async ({ name }) => {
      const origin = neededOrigin(name)
      await secrets.delete(name, origin)
      documents.remove('key-set', `${name} ${origin}`)
      await lanes.refresh()
      if (name === 'chargers') deps.chargers.book.keyChanged()
      return status(name)
    },
  }
}

/** Asks for the balance, on the rate budget of the key; what the answer says about the service as a whole counts too. */
async function testImageKey({ lanes, context }: CallsDeps): Promise<void> {
  const { imageBaseUrl: given } = context.settings()
  const lane = given === null ? lanes.active() : await lanes.laneAt(given)
  await askImageService(lane, async (service, asked) => {
    const answer = await service.balance({ slot: await asked.takeSlot(), signal: neverAborted })
    asked.conclude(classifyFree(answer))
    if (answer.kind === 'ok') {
      asked.noteBalance(answer.value)
      if (asked.hold !== null && asked.hold.code !== 'credits_short') asked.setHold(null)
    }
    return answer
  })
}

async function testChargerToken({ chargers }: CallsDeps): Promise<void> {
  valueOf(await chargers.service().list({ page: 1, perPage: 1 }, { signal: neverAborted }), 'charger service')
}

/** A person said that the new key is another account's: what the old one sent waits until that is back. */
function holdOtherAccounts({ context, lanes }: CallsDeps, origin: string): void {
  const accountId = lanes.get(origin)?.accountId
  for (const job of context.store.list({ states: ['waiting', 'fetching'], serviceId: origin }))
    if (job.accountId !== null && job.accountId !== accountId)
      context.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
}
