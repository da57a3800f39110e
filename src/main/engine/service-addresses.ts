import type { SecretName } from '../../shared/runtime/ports.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import { readLedgerAddress } from '../team/ledger-address.ts'

const VARIABLES = {
  imageBaseUrl: 'HANGAR_SERVICE_URL',
  chargerBaseUrl: 'HANGAR_CHARGER_URL',
  ledgerUrl: 'HANGAR_LEDGER_URL',
} as const satisfies Partial<Record<keyof Settings, string>>

/** The addresses that the environment sets. An empty variable counts as unset. */
export function addressesIn(env: NodeJS.ProcessEnv): Partial<Settings> {
  const given = Object.entries(VARIABLES).map(([name, variable]) => [name, env[variable]?.trim() ?? ''])
  return Object.fromEntries(given.filter(([, address]) => address !== '')) as Partial<Settings>
}

/** What each secret is kept under. Throws for an invalid address. */
export function originsOf(settings: Settings): Partial<Record<SecretName, string>> {
  const { imageBaseUrl: image, chargerBaseUrl: chargers, ledgerUrl } = settings
  return {
    ...(image === null ? {} : { image: imageBaseUrl(image).origin }),
    ...(chargers === null ? {} : { chargers: chargerBaseUrl(chargers).origin }),
    ...(ledgerUrl === null ? {} : { ledger: readLedgerAddress(ledgerUrl).name }),
  }
}
