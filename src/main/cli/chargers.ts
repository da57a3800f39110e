import { Option, type Command } from 'commander'
import { AppError } from '../../shared/errors.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import { valueOf } from '../calls/ask-service.ts'
import { realClock } from '../real-clock.ts'
import { createChargerService } from '../services/charger-service.ts'
import { chargerCsv, chargerTable } from './charger-formats.ts'
import type { Cli } from './cli-context.ts'
import { countText } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { shortText } from './parse-options.ts'
import { jsonLine } from './safe-text.ts'
import { openSession, type Session } from './session.ts'

interface ChargersFlags extends ServiceFlags {
  icao?: string
  country?: string
  format: 'table' | 'json' | 'geojson' | 'csv'
}

export function addChargersCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('chargers')
    .summary('chargers at airfields')
    .description('Lists chargers at airfields. Data of a service, and with --practice sample data: not for navigation.')
    .option('--icao <code>', 'only at the airfield with this ICAO code or locator', shortText(8))
    .option('--country <prefix>', 'only where the ICAO code begins so, as in ED', shortText(4))
    .addOption(
      new Option('--format <format>', 'json is one array; geojson is for maps')
        .choices(['table', 'json', 'geojson', 'csv'])
        .default('table'),
    )
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers --practice
  hangar chargers --country ED --format csv > chargers.csv
  hangar chargers --icao EDAZ --format json`,
    )
  addCommonOptions(addChargerServiceOptions(command)).action(async (flags: ChargersFlags) =>
    finish(await listChargers(cli, flags)),
  )
}

async function listChargers(cli: Cli, flags: ChargersFlags): Promise<ExitCode> {
  const { terminal } = cli
  const session = await openSession(cli, flags)
  try {
    const service = await serviceOf(session)
    const filter = { icao: flags.icao ?? null, country: flags.country ?? null }
    const signal = new AbortController().signal
    if (flags.format === 'geojson') {
      const { collection, unusable } = valueOf(await service.geojson(filter, { signal }), 'charger service')
      terminal.raw(`${jsonLine(collection)}\n`)
      sayUnusable(cli, unusable)
      return ExitCode.ok
    }
    const { chargers, unusable } = valueOf(await service.allChargers(filter, { signal }), 'charger service')
    if (flags.format === 'json' || flags.json === true) terminal.json(chargers)
    else if (flags.format === 'csv') terminal.raw(chargerCsv(chargers))
    else {
      for (const line of chargers.length === 0 ? [] : chargerTable(chargers)) terminal.out(line)
      terminal.out(
        `${countText(chargers.length, 'charger')}${session.practice === null ? '' : '. Sample data, not for navigation'}`,
      )
    }
    sayUnusable(cli, unusable)
    return ExitCode.ok
  } finally {
    await session.close()
  }
}

async function serviceOf({
  practice,
  services,
  secrets,
  http,
}: Session): Promise<ReturnType<typeof createChargerService>> {
  if (practice !== null)
    return createChargerService({
      http,
      clock: realClock,
      baseUrl: practice.chargerBaseUrl,
      token: () => practice.partnerToken,
    })
  const { chargers } = services
  if (chargers === null)
    throw new AppError(
      'key_missing',
      'No charger service is set up. Give its address with --charger-url or HANGAR_CHARGER_URL and its token with "hangar key set chargers" or HANGAR_CHARGER_TOKEN. To see sample data, add --practice.',
    )
  const token = await secrets.get('chargers', chargers.origin)
  if (token === null)
    throw new AppError(
      'key_missing',
      `There is no token for ${chargers.origin}. Set it with "hangar key set chargers", or give it in HANGAR_CHARGER_TOKEN.`,
    )
  return createChargerService({ http, clock: realClock, baseUrl: chargers.baseUrl, token: () => token })
}

function sayUnusable({ terminal }: Cli, unusable: number): void {
  if (unusable > 0)
    terminal.err(
      `${countText(unusable, 'charger')} could not be used: what the service said about them makes no sense.`,
    )
}
