import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { type LedgerAddress, readLedgerAddress } from '../team/ledger-address.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import type { Terminal } from './terminal.ts'

/** Which services a command uses. Null for one that is not chosen. */
export interface ServiceChoice {
  image: { baseUrl: string; origin: string } | null
  chargers: { baseUrl: string; origin: string } | null
  /** The team ledger. */
  ledger: LedgerAddress | null
}

/**
 * The addresses from flags, environment or stored settings. Reports if an address had to be normalised. Throws `bad_request` or
 * `address_insecure`, naming where the address came from.
 */
export function chooseServices(settings: Settings, overrides: Partial<Settings>, terminal: Terminal): ServiceChoice {
  const image =
    settings.imageBaseUrl === null ? null : named('cli_image_address', () => imageBaseUrl(settings.imageBaseUrl!))
  const chargers =
    settings.chargerBaseUrl === null
      ? null
      : named('cli_charger_address', () => chargerBaseUrl(settings.chargerBaseUrl!))
  if (overrides.imageBaseUrl != null && image?.note != null) terminal.err(image.note)
  if (overrides.chargerBaseUrl != null && chargers?.note != null) terminal.err(chargers.note)
  const ledger =
    settings.ledgerUrl === null ? null : named('cli_ledger_address', () => readLedgerAddress(settings.ledgerUrl!))
  return { image, chargers, ledger }
}

function named<Value>(
  code: 'cli_image_address' | 'cli_charger_address' | 'cli_ledger_address',
  read: () => Value,
): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, say(code, { why: error.sentence }), { cause: error })
    throw error
  }
}
