import { Option } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { MAX_REQUESTS_PER_MINUTE } from '../../shared/recipes/limits.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { addressesIn } from '../engine/service-addresses.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import { readLedgerAddress, type LedgerAddress } from '../team/ledger-address.ts'
import { SERVICE_GROUP, type SharedOptions } from './command.ts'
import { wholeNumber } from './parse-options.ts'
import type { Terminal } from './terminal.ts'
import { say, type SentenceCode } from '../../shared/sentences/sentence.ts'
import type { SecretStore } from '../../shared/runtime/ports.ts'
import type { KeychainTrouble } from '../../shared/runtime/key-place.ts'
import settings from '../../shared/text/en/settings.json' with { type: 'json' }
import type { EngineResponse } from '../../shared/contract/calls.ts'
import type { Engine } from '../engine/start-engine.ts'

interface ServicesInUse {
  practice: object | null
  services: ServiceChoice
  secrets: SecretStore
}

/** Throws `key_missing`, with what to do. The practice service is used only with `--practice`. */
export async function requireImageService({ practice, services, secrets }: ServicesInUse): Promise<void> {
  if (practice !== null) return
  if (services.image === null) throw new AppError('key_missing', say('cli_no_image_service'))
  if ((await secrets.get('image', services.image.origin)) === null) {
    const { because } = await secrets.describe('image', services.image.origin)
    const { origin } = services.image
    throw new AppError(
      'key_missing',
      because === null
        ? say('cli_no_key', { origin })
        : say('cli_no_key_nor_keychain', { origin, why: keychainTrouble(because) }),
    )
  }
}

/** Worded to follow a colon. */
export function keychainTrouble(because: KeychainTrouble | null): string {
  return settings[`keychainTrouble.${because ?? 'no_service'}`]
}

/** Of the service, so it need not be looked up. */
const DEFAULT_LANGUAGE = 'en'

/** Throws `bad_request` for a language that the service does not offer. Without its list the service will refuse it. */
export async function checkLanguages(
  languages: readonly string[],
  list: () => Promise<EngineResponse<'languages.list'> | null>,
): Promise<void> {
  if (languages.every((code) => code === DEFAULT_LANGUAGE)) return
  const known = new Set((await list())?.languages.map(({ code }) => code.toLowerCase()))
  const wrong = languages.filter((code) => !known.has(code))
  if (known.size > 0 && wrong.length > 0)
    throw new AppError('bad_request', say('cli_languages_unknown', { unknown: wrong, known: [...known].sort() }))
}

/** Null if the list is not available. */
export async function languagesOf(engine: Pick<Engine, 'call'>): Promise<EngineResponse<'languages.list'> | null> {
  const result = await engine.call('languages.list', {})
  return result.ok ? result.value : null
}

export const rateOption = (): Option =>
  new Option('--requests-per-minute <n>', 'calls that may be made with this key in a minute (60)')
    .argParser(wholeNumber(1, MAX_REQUESTS_PER_MINUTE))
    .helpGroup(SERVICE_GROUP)

/** `--practice` takes the place of both services, whatever else is said. */
export function settingsOverrides(
  { serviceUrl, chargerUrl, ledger, keyHeader, requestsPerMinute, practice }: SharedOptions,
  env: NodeJS.ProcessEnv,
): Partial<Settings> {
  const given = {
    imageBaseUrl: serviceUrl,
    chargerBaseUrl: chargerUrl,
    ledgerUrl: ledger,
    keyHeader,
    requestsPerMinute,
  }
  const addresses = practice === true ? { imageBaseUrl: null, chargerBaseUrl: null } : {}
  return { ...addressesIn(env), ...withoutUndefined(given), ...addresses }
}

/** Null for one that is not chosen. */
export interface ServiceChoice {
  image: { baseUrl: string; origin: string } | null
  chargers: { baseUrl: string; origin: string } | null
  ledger: LedgerAddress | null
}

/** Says if an address had to be normalised. Errors name where the address came from. */
export function chooseServices(settings: Settings, overrides: Partial<Settings>, terminal: Terminal): ServiceChoice {
  const image = readAs('cli_image_address', settings.imageBaseUrl, imageBaseUrl)
  const chargers = readAs('cli_charger_address', settings.chargerBaseUrl, chargerBaseUrl)
  if (overrides.imageBaseUrl != null && image?.note != null) terminal.err(image.note)
  if (overrides.chargerBaseUrl != null && chargers?.note != null) terminal.err(chargers.note)
  return { image, chargers, ledger: readAs('cli_ledger_address', settings.ledgerUrl, readLedgerAddress) }
}

/** `code`: which address it is about. */
function readAs<Value>(code: SentenceCode, address: string | null, read: (address: string) => Value): Value | null {
  try {
    return address === null ? null : read(address)
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.code, say(code, { why: error.sentence }), { cause: error })
    throw error
  }
}
