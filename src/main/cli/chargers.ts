import { Option, type Command } from 'commander'
import { AppError } from '../../shared/errors.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import type { ChargePoint } from '../../shared/charger.ts'
import type { ListGap } from '../../shared/charger-status.ts'
import { NO_FILTER, filterTest, type ChargerFilter } from '../../shared/chargers/filter.ts'
import { isLiveStateCurrent } from '../../shared/chargers/live-state.ts'
import { prepare } from '../../shared/chargers/prepare.ts'
import { valueOf } from '../calls/ask-service.ts'
import { realClock } from '../real-clock.ts'
import { createChargerService } from '../services/charger-service.ts'
import type { ChargerCollection } from '../services/collect-chargers.ts'
import { CHARGER_FORMATS, chargerFile, chargerTable, type ChargerFormat } from './charger-formats.ts'
import type { Cli } from './cli-context.ts'
import { countText } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { collect, numberBetween, shortText } from './parse-options.ts'
import { openSession, type Session } from './session.ts'

interface ChargersFlags extends ServiceFlags {
  icao?: string
  country?: string
  connector?: string[]
  ac?: boolean
  dc?: boolean
  minKw?: number
  free?: boolean
  open?: boolean
  format: ChargerFormat
}

export function addChargersCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('chargers')
    .summary('chargers at airfields')
    .description('Lists chargers at airfields. Data of a service, and with --practice sample data: not for navigation.')
    .option('--icao <code>', 'only at the airfield with this ICAO code or locator', shortText(8))
    .option('--country <prefix>', 'only where the ICAO code begins so, as in ED', shortText(4))
    .option(
      '--connector <name>',
      'only with this connector, in any spelling; may be given several times',
      connectorName,
    )
    .option('--ac', 'only alternating current')
    .option('--dc', 'only direct current; with --ac either')
    .option('--min-kw <number>', 'only where one outlet gives at least so much', numberBetween(0, 10_000))
    .option('--free', 'only where a live state of the last hour, or without any the service, says that it is free')
    .option('--open', 'only where it is open now, by the opening hours and the time zone of the place')
    .addOption(
      new Option('--format <format>', 'json is one array; geojson, kml and gpx are for maps')
        .choices(CHARGER_FORMATS)
        .default('table'),
    )
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers --practice
  hangar chargers --country ED --format csv > chargers.csv
  hangar chargers --icao EDAZ --format json
  hangar chargers --dc --min-kw 50 --free --format gpx > chargers.gpx`,
    )
  addCommonOptions(addChargerServiceOptions(command)).action(async (flags: ChargersFlags) =>
    finish(await listChargers(cli, flags)),
  )
}

async function listChargers(cli: Cli, flags: ChargersFlags): Promise<ExitCode> {
  const session = await openSession(cli, flags)
  try {
    const service = await serviceOf(session)
    const asked = { icao: flags.icao ?? null, country: flags.country ?? null }
    const signal = new AbortController().signal
    const filter = filterOf(flags)
    const list = valueOf(await service.allChargers(asked, { signal }), 'charger service')
    const matching = filter === null ? list.chargers : await filtered(list.chargers, filter)
    print(cli, flags, matching, session.practice !== null)
    sayNotes(cli, list)
    return list.gap === null && list.unusable === 0 ? ExitCode.ok : ExitCode.someNotDone
  } finally {
    await session.close()
  }
}

function connectorName(text: string, earlier: string[] | undefined): string[] {
  return collect(shortText(100)(text), earlier)
}

/** What is chosen here and not by the service; null when nothing is. */
function filterOf({ connector, ac, dc, minKw, free, open }: ChargersFlags): ChargerFilter | null {
  const flags = [connector, ac, dc, minKw, free, open]
  if (flags.every((flag) => flag === undefined)) return null
  return {
    ...NO_FILTER,
    connectors: connector ?? [],
    current: [...(ac === true ? (['AC'] as const) : []), ...(dc === true ? (['DC'] as const) : [])],
    minKw: minKw ?? null,
    freeNow: free === true,
    openNow: open === true,
  }
}

async function filtered(chargers: readonly ChargePoint[], filter: ChargerFilter): Promise<ChargePoint[]> {
  const { default: zoneOf } = await import('@photostructure/tz-lookup')
  const isWanted = filterTest(filter, realClock.nowMs())
  const favourites = new Set<number>()
  return chargers.filter((charger) => isWanted(prepare(charger, zoneOf, favourites)))
}

function print({ terminal }: Cli, flags: ChargersFlags, chargers: readonly ChargePoint[], sample: boolean): void {
  const format = flags.json === true && flags.format !== 'geojson' ? 'json' : flags.format
  const nowMs = realClock.nowMs()
  if (format === 'json')
    terminal.json(chargers.map((charger) => ({ ...charger, liveStateCurrent: isLiveStateCurrent(charger, nowMs) })))
  else if (format === 'table') {
    for (const line of chargers.length === 0 ? [] : chargerTable(chargers, nowMs)) terminal.out(line)
    terminal.out(`${countText(chargers.length, 'charger')}${sample ? '. Sample data, not for navigation' : ''}`)
  } else {
    const { text, leftOut } = chargerFile(format, chargers, { sample, nowMs })
    terminal.raw(text)
    if (leftOut > 0)
      terminal.err(`${countText(leftOut, 'charger')} without coordinates ${leftOut === 1 ? 'is' : 'are'} left out.`)
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

function sayNotes({ terminal }: Cli, { unusable, duplicates, gap }: ChargerCollection): void {
  if (duplicates > 0)
    terminal.err(
      `${countText(duplicates, 'record')} came under an id that was in the list before; the last of each id counts.`,
    )
  if (unusable > 0)
    terminal.err(
      `${countText(unusable, 'charger')} could not be used: what the service said about them makes no sense.`,
    )
  if (gap !== null) terminal.err(gapText(gap))
}

function gapText({ code, listed, counted }: ListGap): string {
  switch (code) {
    case 'short':
      return `Chargers are missing: the service counts ${String(counted)} but listed ${listed}.`
    case 'changing':
      return 'Chargers may be missing: the list of the service kept changing while it was read. Try again.'
    case 'too_long':
      return `Chargers are missing: the service has more than the ${listed} that Hangar reads.`
  }
}
