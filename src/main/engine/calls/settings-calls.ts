import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { changedSettings, type Settings } from '../../../shared/settings/settings.ts'
import { chargerBaseUrl, imageBaseUrl } from '../../services/base-url.ts'
import { readLedgerAddress } from '../../team/ledger-address.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

export function settingsCalls({ settingsStore, overrides, beforeSettings }: CallsDeps): HandlersOf<'settings'> {
  return {
    'settings.get': () => settingsStore.get(),
    'settings.set': async (changes) => {
      if (changes.imageBaseUrl != null) imageBaseUrl(changes.imageBaseUrl)
      if (changes.chargerBaseUrl != null) chargerBaseUrl(changes.chargerBaseUrl)
      if (changes.ledgerUrl != null) readLedgerAddress(changes.ledgerUrl)
      const now = settingsStore.get()
      const next = changedSettings(now, changes)
      refuseOverridden(next, overrides)
      await beforeSettings(next, now)
      await settingsStore.change((stored) => changedSettings(stored, changes))
      return settingsStore.get()
    },
  }
}

/** Settings overridden for this run stay so until it ends: storing another value would only appear to work. */
function refuseOverridden(next: Settings, overrides: Partial<Settings>): void {
  for (const [name, value] of Object.entries(overrides))
    if (!isDeepStrictEqual(value, next[name as keyof Settings]))
      throw new AppError('bad_request', say('given_at_start'))
}
