import { isDeepStrictEqual } from 'node:util'
import type { CheckedRequest } from '../../../shared/contract/calls.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { changedSettings } from '../../../shared/settings/settings.ts'
import { chargerBaseUrl, imageBaseUrl } from '../../services/base-url.ts'
import { readLedgerAddress } from '../../team/ledger-address.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function settingsCalls(deps: CallsDeps): HandlersOf<'settings'> {
  return {
    'settings.get': () => deps.settingsStore.get(),
    'settings.set': async (changes) => {
      await changeSettings(deps, changes)
      return deps.settingsStore.get()
    },
  }
}

/** Throws `bad_request` for an invalid address, and for one of the settings that were given for this run: storing it would do nothing. */
export async function changeSettings(
  { settingsStore, overrides, beforeSettings }: CallsDeps,
  changes: CheckedRequest<'settings.set'>,
): Promise<void> {
  if (changes.imageBaseUrl != null) imageBaseUrl(changes.imageBaseUrl)
  if (changes.chargerBaseUrl != null) chargerBaseUrl(changes.chargerBaseUrl)
  if (changes.ledgerUrl != null) readLedgerAddress(changes.ledgerUrl)
  const now = settingsStore.get()
  const next = changedSettings(now, changes)
  if (Object.entries(overrides).some(([name, value]) => !isDeepStrictEqual(value, next[name as keyof typeof next])))
    throw new AppError('bad_request', say('given_at_start'))
  await beforeSettings?.(next, now)
  await settingsStore.change((stored) => changedSettings(stored, changes))
}
