import { Option } from 'commander'
import { MAX_REQUESTS_PER_MINUTE } from '../../shared/recipes/limits.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { addressesIn } from '../engine/service-addresses.ts'
import { collect, wholeNumber } from './parse-options.ts'
import { FILES_GROUP } from './recipe-options.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { readLedgerAddress, type LedgerAddress } from '../team/ledger-address.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import type { Terminal, CliCommand } from './terminal.ts'

export interface CommonFlags {
  dataDir?: string
  json?: boolean
  verbose?: boolean
}

/** Flags of commands that use a service. */
export interface ServiceFlags extends CommonFlags {
  serviceUrl?: string
  chargerUrl?: string
  keyHeader?: 'bearer' | 'x-api-key'
  practice?: boolean
  ledger?: string
}

export interface FilterFlags {
  include?: string[]
  exclude?: string[]
}

const SERVICE = 'Service:'
const GENERAL = 'General:'

export function addCommonOptions(command: CliCommand): CliCommand {
  return command
    .addOption(new Option('--json', 'one JSON object a line on stdout, for programs').helpGroup(GENERAL))
    .addOption(new Option('--data-dir <dir>', 'where the journal is kept; or HANGAR_DATA_DIR').helpGroup(GENERAL))
    .addOption(new Option('-v, --verbose', 'also say what goes on inside (stderr)').helpGroup(GENERAL))
}

export function addImageServiceOptions(command: CliCommand): CliCommand {
  return command
    .addOption(
      new Option('--service-url <url>', 'the image service, its address ends in /api/v1; or HANGAR_SERVICE_URL')
        .conflicts('practice')
        .helpGroup(SERVICE),
    )
    .addOption(
      new Option('--key-header <header>', 'the header that the key travels in')
        .choices(['bearer', 'x-api-key'])
        .helpGroup(SERVICE),
    )
    .addOption(practiceOption())
    .addOption(ledgerOption())
}

export function ledgerOption(): Option {
  return new Option(
    '--ledger <url>',
    'the team ledger of computers that share the account, as postgres://user@host/database; or HANGAR_LEDGER_URL',
  ).helpGroup(SERVICE)
}

export function addChargerServiceOptions(command: CliCommand): CliCommand {
  return command.addOption(chargerUrlOption()).addOption(practiceOption())
}

export function chargerUrlOption(): Option {
  return new Option('--charger-url <url>', 'the charger service, its address has no /api/v1; or HANGAR_CHARGER_URL')
    .conflicts('practice')
    .helpGroup(SERVICE)
}

function practiceOption(): Option {
  return new Option(
    '--practice',
    'use a practice service on this computer: no account, no real credits, gone at the end',
  ).helpGroup(SERVICE)
}

export function addFileOptions(command: CliCommand): CliCommand {
  return command
    .addOption(
      new Option('--include <glob>', 'only files that match, as in "*.jpg"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES_GROUP),
    )
    .addOption(
      new Option('--exclude <glob>', 'leave out what matches, as in "drafts/"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES_GROUP),
    )
}

export function addRateOption(command: CliCommand): CliCommand {
  return command.addOption(
    new Option('--requests-per-minute <n>', 'calls that may be made with this key in a minute (60)')
      .argParser(wholeNumber(1, MAX_REQUESTS_PER_MINUTE))
      .helpGroup(SERVICE),
  )
}

/** The settings that flags and environment override for one run. */
export function settingsOverrides(
  { serviceUrl, chargerUrl, ledger, keyHeader, requestsPerMinute }: ServiceFlags & { requestsPerMinute?: number },
  env: NodeJS.ProcessEnv,
): Partial<Settings> {
  const given = {
    imageBaseUrl: serviceUrl,
    chargerBaseUrl: chargerUrl,
    ledgerUrl: ledger,
    keyHeader,
    requestsPerMinute,
  }
  return { ...addressesIn(env), ...withoutUndefined(given) }
}

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
