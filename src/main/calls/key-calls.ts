import type { KeyStatus } from '../../shared/contract.ts'
import { AppError } from '../../shared/errors.ts'
import type { SecretName } from '../../shared/ports.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function keyCalls(deps: CallsDeps): HandlersOf<'keys'> {
  const { secrets, lanes, context } = deps
  const originOf = (name: SecretName): string | null => {
    const { imageBaseUrl: image, chargerBaseUrl: chargers } = context.settings()
    if (name === 'image') return image === null ? null : imageBaseUrl(image).origin
    return chargers === null ? null : chargerBaseUrl(chargers).origin
  }
  const status = async (name: SecretName): Promise<KeyStatus> => {
    const origin = originOf(name)
    return {
      name,
      origin,
      present: origin !== null && (await secrets.get(name, origin)) !== null,
      ...secrets.describe(),
    }
  }
  const neededOrigin = (name: SecretName): string => {
    const origin = originOf(name)
    if (origin === null)
      throw new AppError('bad_request', 'Give the address of the service first: a key is kept for one address.')
    return origin
  }
  return {
    'keys.status': ({ name }) => status(name),
    'keys.set': async ({ name, key, sameAccount }) => {
      const origin = neededOrigin(name)
      const before = name === 'image' ? lanes.get(origin)?.accountId : undefined
      await secrets.set(name, origin, key)
      if (name === 'image' && sameAccount === true && before)
        lanes.nameAccount(origin, deps.fingerprint(key.trim()), before)
      await lanes.refresh()
      if (name === 'image' && sameAccount === false) holdOtherAccounts(deps, origin)
      return status(name)
    },
    'keys.delete': async ({ name }) => {
      await secrets.delete(name, neededOrigin(name))
      await lanes.refresh()
      return status(name)
    },
  }
}

/** A person said that the new key is another account's: what the old one sent waits until that is back. */
function holdOtherAccounts({ context, lanes }: CallsDeps, origin: string): void {
  const accountId = lanes.get(origin)?.accountId
  for (const job of context.store.list({ states: ['waiting', 'fetching'], serviceId: origin }))
    if (job.accountId !== null && job.accountId !== accountId)
      context.store.apply(job.id, { type: 'hold', reason: { code: 'other_account', detail: null } })
}
