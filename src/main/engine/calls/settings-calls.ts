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

type Changes = CheckedRequest<'settings.set'>

/** Throws `bad_request` for an invalid address, and for a setting that was given for this run: storing it would do nothing. */
export function checkChanges({ settingsStore, overrides }: CallsDeps, changes: Changes): void {
  if (changes.imageBaseUrl != null) imageBaseUrl(changes.imageBaseUrl)
  if (changes.chargerBaseUrl != null) chargerBaseUrl(changes.chargerBaseUrl)
  if (changes.ledgerUrl != null) readLedgerAddress(changes.ledgerUrl)
  const next = changedSettings(settingsStore.get(), changes)
  if (Object.entries(overrides).some(([name, value]) => !isDeepStrictEqual(value, next[name as keyof typeof next])))
    throw new AppError('bad_request', say('given_at_start'))
}

/** Throws like `checkChanges`. */
export async function changeSettings(deps: CallsDeps, changes: Changes): Promise<void> {
  const { settingsStore, beforeSettings } = deps
  checkChanges(deps, changes)
  const now = settingsStore.get()
  await beforeSettings?.(changedSettings(now, changes), now)
  await settingsStore.change((stored) => changedSettings(stored, changes))
}
