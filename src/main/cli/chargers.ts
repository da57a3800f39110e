import { Option } from 'commander'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import type { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import { chargerFile } from '../../shared/chargers/exports/charger-files.ts'
import { withPlace } from '../../shared/chargers/exports/charger-texts.ts'
import { NO_FILTER, filterTest, type ChargerFilter } from '../../shared/chargers/filter.ts'
import { isLiveStateCurrent } from '../../shared/chargers/live-state.ts'
import { prepare } from '../../shared/chargers/prepare.ts'
import { realClock } from '../engine/real-clock.ts'
import { countText } from '../core/english-figures.ts'
import {
  CHARGER_FORMATS,
  chargerTable,
  formatIn,
  exitCodeOfList,
  readChargerList,
  sayListNotes,
  type ChargerFormat,
  type ChargerList,
} from './read-chargers.ts'
import { addChargerAircraftCommand } from './charger-aircraft.ts'
import { addChargerFavouritesCommand, favouritesOf } from './charger-favourites.ts'
import { addChargerRouteCommand } from './charger-route.ts'
import type { Cli, CliCommand } from './command.ts'
import { collectName, numberBetween, shortText } from './parse-options.ts'
import { withWired } from './wire-command.ts'

interface ChargersFlags {
  icao?: string
  country?: string
  connector?: string[]
  ac?: boolean
  dc?: boolean
  minKw?: number
  free?: boolean
  open?: boolean
  favourites?: boolean
  format: ChargerFormat
}

export function addChargersCommand(program: CliCommand, cli: Cli): void {
  const command = program
    .command('chargers')
    .summary('chargers at airfields')
    .description('Lists chargers at airfields. Data of a service, and with --practice sample data: not for navigation.')
    .option('--icao <code>', 'only at the airfield with this ICAO code or locator', shortText(8))
    .option('--country <prefix>', 'only where the ICAO code starts with this, as in ED', shortText(4))
    .option('--connector <name>', 'only with this connector, in any spelling; may be given several times', collectName)
    .option('--ac', 'only alternating current')
    .option('--dc', 'only direct current; with --ac either')
    .option('--min-kw <number>', 'only where one outlet provides at least this many kW', numberBetween(0, 10_000))
    .option(
      '--free',
      'only chargers that are free now: by a live state of the last hour or, where there is none, as the service says',
    )
    .option('--open', "only where it is open now, by the opening hours in the airfield's time zone")
    .option('--favourites', 'only those that are marked as favourites in the window or by "favourites import"')
    .addOption(
      new Option('--format <format>', 'json is one array; geojson, gpx and cup (SeeYou) are for maps')
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
    .chargerServiceOptions()
    .action((flags: ChargersFlags) => listChargers(cli, flags))
  // Options after the name of a command belong to that.
  addChargerRouteCommand(command.enablePositionalOptions(), cli)
  addChargerAircraftCommand(command, cli)
  addChargerFavouritesCommand(command, cli)
}

async function listChargers(cli: Cli, flags: ChargersFlags): Promise<ExitCode> {
  if (cli.options.practice === true && flags.favourites === true)
    throw new AppError('bad_request', say('cli_no_practice_favourites'))
  const format = formatIn(cli, flags.format)
  return withWired(cli, async (wired) => {
    const asked = { icao: flags.icao ?? null, country: flags.country ?? null }
    const list = await readChargerList(cli.terminal, wired, asked)
    const favourites = favouritesOf(wired)
    const chosen = await choose(list.chargers, filterOf(flags), favourites)
    print(cli, format, chosen.chargers, list)
    sayListNotes(cli, list)
    if (chosen.unread > 0)
      cli.terminal.err(`${countText(chosen.unread, 'charger')} with unknown power ${isOrAre(chosen.unread)} left out.`)
    return exitCodeOfList(list)
  })
}

/** The filters that are applied here and not by the service. */
function filterOf({ connector, ac, dc, minKw, free, open, favourites }: ChargersFlags): ChargerFilter {
  return {
    ...NO_FILTER,
    connectors: connector ?? [],
    current: [...(ac === true ? (['AC'] as const) : []), ...(dc === true ? (['DC'] as const) : [])],
    minKw: minKw ?? null,
    freeNow: free === true,
    openNow: open === true,
    favouritesOnly: favourites === true,
  }
}

/** `unread`: how many more would match but for an unknown power. */
async function choose(
  chargers: readonly ChargePoint[],
  filter: ChargerFilter,
  favourites: ReadonlySet<number>,
): Promise<{ chargers: readonly ChargePoint[]; unread: number }> {
  const { default: zoneOf } = await import('@photostructure/tz-lookup')
  const prepared = chargers.map((one) => ({ ...prepare(one, zoneOf), favourite: favourites.has(one.id) }))
  const nowMs = realClock.nowMs()
  const fitting = prepared.filter(filterTest(filter, nowMs))
  const ofAnyPower = prepared.filter(filterTest({ ...filter, minKw: null }, nowMs))
  const unread = (filter.minKw ?? 0) > 0 ? ofAnyPower.filter(({ power }) => power === null).length : 0
  return { chargers: fitting.map(({ charger }) => charger), unread }
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')

function print(
  { terminal }: Cli,
  format: ChargerFormat,
  chargers: readonly ChargePoint[],
  { sample, atMs }: Pick<ChargerList, 'sample' | 'atMs'>,
): void {
  const nowMs = realClock.nowMs()
  if (format === 'json') {
    const listedAt = new Date(atMs).toISOString()
    const listed = chargers.map((one) => ({ ...one, liveStateCurrent: isLiveStateCurrent(one, nowMs), listedAt }))
    terminal.raw(`${jsonText(listed)}\n`)
  } else if (format === 'table') {
    for (const line of chargers.length === 0 ? [] : chargerTable(chargers, nowMs)) terminal.out(line)
    terminal.out(`${countText(chargers.length, 'charger')}${sample ? '. Sample data, not for navigation' : ''}`)
  } else {
    terminal.raw(chargerFile(format, chargers, { sample, nowMs }))
    const leftOut = format === 'csv' ? 0 : chargers.length - withPlace(chargers).length
    if (leftOut > 0) terminal.err(`${countText(leftOut, 'charger')} without coordinates ${isOrAre(leftOut)} left out.`)
  }
}
