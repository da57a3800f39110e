import { InvalidArgumentError, Option, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { prepare, type PreparedCharger } from '../../shared/chargers/prepare.ts'
import type { RoutePreference } from '../../shared/chargers/route/find-route.ts'
import { planRoutes } from '../../shared/chargers/route/plan-routes.ts'
import type { RouteRequest } from '../../shared/chargers/route/route-request.ts'
import { MAX_KWH, MAX_RANGE_NM } from '../../shared/chargers/route/aircraft.ts'
import { isRange, rangeOf } from '../../shared/chargers/route/consumption.ts'
import { isSameName, withPlaces, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { readReserve, reserveInNm, type Reserve } from '../../shared/chargers/route/reserve.ts'
import { readWind, relativeWind, type Wind } from '../../shared/chargers/route/wind.ts'
import { FULL_PERCENT, TAKE_FIT_NOT_KNOWN } from '../../shared/chargers/route/route-plan.ts'
import { readPlace, routePlaces } from '../../shared/chargers/route/read-place.ts'
import { routeNetwork, type NamedPlace } from '../../shared/chargers/route/route-network.ts'
import { routeCsv, routeCup, routeGeoJson, routeGpx } from '../../shared/chargers/exports/route-files.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Cli } from './cli-context.ts'
import { wrapped } from './figures.ts'
import { aircraftNamed } from './charger-aircraft.ts'
import { datedDaylight, datedNote, lowChargeText, noRouteText, routeLines } from './route-text.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { collect, numberBetween, pointInTime, shortText, wholeNumber } from './parse-options.ts'
import { exitCodeOfList, readChargerList, sayListNotes } from './read-chargers.ts'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { chooseDataDir } from '../engine/data-dir.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import type { KeptAircraft } from '../../shared/settings/settings.ts'
import { readWaypointFiles } from './waypoint-file.ts'
import { wireCommand } from './wire-command.ts'

const FORMATS = ['table', 'json', 'gpx', 'geojson', 'cup', 'csv'] as const

interface RouteFlags extends ServiceFlags {
  range?: number
  kwhPerNm?: number
  kwhPerHour?: number
  reserve?: Reserve
  via?: string[]
  places?: string[]
  aircraft?: string
  avoid?: number[]
  connector?: string[]
  aircraftType?: string[]
  speed?: number
  wind?: Wind
  startCharge: number
  energy?: number
  maxKw?: number
  ground: number
  depart?: number
  prefer: RoutePreference
  allowUnknown: boolean
  choice: number
  format: (typeof FORMATS)[number]
}

/** `hangar chargers route FROM TO`. */
// oxlint-disable-next-line max-lines-per-function -- a list of flags, in the order of the help
export function addChargerRouteCommand(chargers: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = chargers
    .command('route')
    .summary('a chain of charge stops from one airfield to another')
    .description(
      'Plans a flight from charger to charger: great circles, in still air or in one wind, full again at each stop. A planning aid, not for navigation: weather, terrain, airspace, runways, costs and whether you may land are not in the data.',
    )
    .argument(
      '<from>',
      'an airfield that the service lists (code or name), or degrees, as in 52.2,13.16 or N52.2,E13.16',
    )
    .argument('<to>', 'the same; before degrees that begin with a minus sign, put --')
    .option('--range <nm>', 'how far the aircraft flies on a full charge', numberBetween(1, MAX_RANGE_NM))
    .option('--kwh-per-nm <kwh>', 'consumption, which gives the range with --energy', numberBetween(0.001, MAX_KWH))
    .option('--kwh-per-hour <kwh>', 'the same per hour, with --speed too', numberBetween(0.001, MAX_KWH))
    .option(
      '--reserve <amount>',
      'the part of the range to keep in reserve: NM, minutes at --speed (30min) or percent of the range (20%)',
      reserve,
    )
    .option('--via <place>', 'pass this place; may be given several times, in order', collect)
    .option(
      '--places <file>',
      'places of your own, to be named like airfields: waypoints in a GPX or SeeYou (CUP) file; may be given several times',
      collect,
    )
    .option('--avoid <id>', 'not this charger; may be given several times', idList)
    .option(
      '--aircraft <name>',
      'one that is saved, as "hangar chargers aircraft" lists it: its figures count where none are given here',
    )
    .option('--connector <name>', 'the aircraft has this connector; may be given several times', named)
    .option('--aircraft-type <name>', 'what the service may call the aircraft; may be given several times', named)
    .option('--allow-unknown', 'also use chargers that list no connectors or aircraft', TAKE_FIT_NOT_KNOWN)
    .option('--speed <kt>', 'cruise speed: gives times, and hours on arrival', numberBetween(10, 1000))
    .option(
      '--wind <from/kt>',
      'one wind for the whole route: degrees true that it blows from, and knots (270/15)',
      wind,
    )
    .option(
      '--start-charge <percent>',
      'the charge at the start, of a full one',
      numberBetween(0, FULL_PERCENT),
      FULL_PERCENT,
    )
    .option('--energy <kwh>', 'the energy for the whole range: gives charge times', numberBetween(0.1, 100_000))
    .option('--max-kw <kw>', 'the most power that the aircraft takes', numberBetween(0.1, 10_000))
    .option('--ground <minutes>', 'time on the ground at each stop, in addition to charging', wholeNumber(0, 1440), 0)
    .option('--depart <time>', 'time of departure (now), as in 2026-05-01T09:00+02:00', pointInTime)
    .addOption(
      new Option('--prefer <what>', 'stops: as few as can be, then distance; time needs --speed and --energy')
        .choices(['stops', 'distance', 'time'])
        .default('stops'),
    )
    .addOption(
      new Option('--format <format>', 'gpx, geojson, cup (SeeYou) and csv contain one route')
        .choices(FORMATS)
        .default('table'),
    )
    .option('--choice <n>', 'which route to write to a file', wholeNumber(1, 9), 1)
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers route --practice EDAZ EDMO --range 250 --reserve 30
  hangar chargers route EDAZ 47.26,11.34 --range 75 --reserve 15 --speed 90 --energy 22 --connector "GB/T DC"
  hangar chargers route EDAZ LOWI --energy 60 --kwh-per-nm 0.4 --reserve 30
  hangar chargers route EDAZ LOWI --range 150 --speed 110 --reserve 30min --format gpx > route.gpx
  hangar chargers route "Home strip" LOWI --places waypoints.cup --aircraft D-EHGR`,
    )
  addCommonOptions(addChargerServiceOptions(command)).action(async (from: string, to: string, flags: RouteFlags) =>
    finish(await planRoute(cli, from, to, flags)),
  )
}

async function planRoute(cli: Cli, from: string, to: string, given: RouteFlags): Promise<ExitCode> {
  const { chargers: kept } = storedSettings(chooseDataDir(given.dataDir, cli.env))
  const flags = withAircraft(given, kept.aircraft)
  const { own, leftOut } = await ownPlaces(cli, kept.places, [from, to, ...(flags.via ?? [])], flags)
  const format = formatIn(flags)
  const rangeNm = rangeIn(flags)
  const reserve = reserveIn(flags, rangeNm)
  checkSpeed(flags)
  const wired = await wireCommand(cli, flags)
  try {
    const list = await readChargerList(cli.terminal, wired, {})
    const { default: zoneOf } = await import('@photostructure/tz-lookup')
    const prepared = list.chargers.map((charger) => prepare(charger, zoneOf, new Set()))
    const request = requestOf(prepared, [from, to], own, { ...flags, rangeNm, reserve })
    const network = routeNetwork(prepared, {
      aircraft: request.aircraft,
      takeFitNotKnown: flags.allowUnknown,
      avoid: new Set(flags.avoid),
      unseen: new Set(list.unseen),
      nowMs: request.nowMs,
      wind: relativeWind(request.wind, request.aircraft.speedKt),
    })
    const answer = planRoutes(network, request)
    sayListNotes(cli, list)
    const { sample } = list
    const listedAt = new Date(list.atMs).toISOString()
    if (format === 'json')
      cli.terminal.json({
        ...answer,
        wind: request.wind ?? null,
        startPercent: flags.startCharge,
        leftOut: network.leftOut,
        sample,
        listedAt,
        forNavigation: false,
      })
    if (answer.kind !== 'routes') {
      if (answer.kind === 'low_charge') cli.terminal.err(lowChargeText(answer))
      if (answer.kind === 'no_route') cli.terminal.err(noRouteText(answer, network.leftOut, request.wind))
      return ExitCode.someNotDone
    }
    const code = leftOut === 0 ? exitCodeOfList(list) : ExitCode.someNotDone
    if (format === 'json') return code
    if (format === 'table') {
      const { terminal } = cli
      for (const line of routeLines(answer.routes, { request, leftOut: network.leftOut, sample }))
        for (const part of wrapped(line, terminal.outColumns)) terminal.out(part)
      return code
    }
    const route = answer.routes[flags.choice - 1]
    if (route === undefined)
      throw new AppError('bad_request', say('cli_fewer_routes', { routes: answer.routes.length }))
    cli.terminal.raw(routeFile(route, format, sample))
    return code
  } finally {
    await wired.close()
  }
}

function routeFile(route: Parameters<typeof routeGpx>[0], format: RouteFlags['format'], sample: boolean): string {
  const options = { sample, noteText: datedNote, daylightText: datedDaylight }
  if (format === 'gpx') return routeGpx(route, options)
  if (format === 'cup') return routeCup(route, options)
  if (format === 'csv') return routeCsv(route, options)
  return `${jsonText(routeGeoJson(route, options))}\n`
}

/** The flags, with the figures of the saved aircraft where they have none. */
function withAircraft(flags: RouteFlags, kept: readonly KeptAircraft[]): RouteFlags {
  if (flags.aircraft === undefined) return flags
  const { rangeNm, reserve, speedKt, usableKwh, maxKw, connectors, types } = aircraftNamed(kept, flags.aircraft)
  const hasRange = flags.range ?? flags.kwhPerNm ?? flags.kwhPerHour
  const figures = {
    ...(hasRange === undefined ? { range: rangeNm } : {}),
    reserve,
    ...(speedKt === null ? {} : { speed: speedKt }),
    ...(usableKwh === null ? {} : { energy: usableKwh }),
    ...(maxKw === null ? {} : { maxKw }),
    connector: connectors,
    aircraftType: types,
  }
  return { ...figures, ...flags }
}

/** The saved places and those of the files. Throws `bad_request` where one is asked for that was left out. */
async function ownPlaces(cli: Cli, kept: readonly OwnPlace[], asked: readonly string[], { places: files }: RouteFlags) {
  const { places, leftOut } = await readWaypointFiles(cli, files ?? [])
  const refused = leftOut.find(({ name }) => asked.some((place) => isSameName(place, name)))
  if (refused !== undefined) throw new AppError('bad_request', refused.why)
  return { own: withPlaces(kept, places), leftOut: leftOut.length }
}

function formatIn({ json, format: given }: RouteFlags): RouteFlags['format'] {
  const format = json === true && given === 'table' ? 'json' : given
  if (json === true && !['json', 'geojson'].includes(format))
    throw new AppError('bad_request', say('cli_two_formats', { format }))
  return format
}

/** Throws where something is asked for that only a speed gives. */
function checkSpeed({ prefer, speed, energy, wind }: RouteFlags): void {
  if (prefer === 'time' && (speed === undefined || energy === undefined))
    throw new AppError('bad_request', say('cli_time_needs_speed'))
  if (wind !== undefined && !(wind.knots < (speed ?? 0))) throw new AppError('bad_request', say('cli_wind_needs_speed'))
}

/** The range as given, or as energy and consumption give it. */
function rangeIn({ range, kwhPerNm, kwhPerHour, energy, speed }: RouteFlags): number {
  const given = [range, kwhPerNm, kwhPerHour].filter((value) => value !== undefined)
  if (given.length !== 1) throw new AppError('bad_request', say('cli_range_or_consumption'))
  if (range !== undefined) return range
  const figures = { usableKwh: energy ?? null, speedKt: speed ?? null }
  const nm = rangeOf(figures, { kwh: given[0]!, per: kwhPerNm === undefined ? 'hour' : 'nm' })
  if (nm === null) throw new AppError('bad_request', say('cli_consumption_lacks'))
  if (!isRange(nm)) throw new AppError('bad_request', say('cli_consumption_range', { nm, most: MAX_RANGE_NM }))
  return nm
}

function reserveIn({ reserve: given, speed }: RouteFlags, rangeNm: number): Reserve {
  if (given === undefined) return { value: 0, unit: 'nm' }
  const nm = reserveInNm(given, { rangeNm, speedKt: speed ?? null })
  if (nm === null) throw new AppError('bad_request', say('cli_reserve_needs_speed'))
  if (nm >= rangeNm) throw new AppError('bad_request', say('cli_reserve_too_large'))
  return given
}

function requestOf(
  prepared: readonly PreparedCharger[],
  [from, to]: [string, string],
  own: readonly OwnPlace[],
  flags: RouteFlags & { rangeNm: number; reserve: Reserve },
): RouteRequest {
  const nowMs = realClock.nowMs()
  const find = placeFinder(prepared, own)
  return {
    from: find(from),
    via: (flags.via ?? []).map(find),
    to: find(to),
    aircraft: {
      connectors: flags.connector ?? [],
      types: flags.aircraftType ?? [],
      rangeNm: flags.rangeNm,
      reserve: flags.reserve,
      speedKt: flags.speed ?? null,
      usableKwh: flags.energy ?? null,
      maxKw: flags.maxKw ?? null,
    },
    prefer: flags.prefer,
    wind: flags.wind ?? null,
    startPercent: flags.startCharge,
    departMs: flags.depart ?? nowMs,
    groundMinutes: flags.ground,
    nowMs,
  }
}

/** Finds the person's own places, and airfields among those of the list: no other positions are known. */
function placeFinder(prepared: readonly PreparedCharger[], own: readonly OwnPlace[]): (text: string) => NamedPlace {
  const index = routePlaces(prepared)
  return (text) => {
    const answer = readPlace(index, text, own)
    switch (answer.kind) {
      case 'found':
        return answer.place
      case 'no_degrees':
        throw new AppError('bad_request', say('cli_no_place', { place: text }))
      case 'unknown':
        throw new AppError('bad_request', say('cli_place_unknown', { place: text }))
      case 'several':
        throw new AppError('bad_request', say('cli_place_ambiguous', { place: text, places: answer.names }))
    }
  }
}

function reserve(text: string): Reserve {
  const read = readReserve(text)
  if (read === null)
    throw new InvalidArgumentError('Give miles, minutes or percent of the range, as in 15, 30min or 20%.')
  return read
}

function wind(text: string): Wind {
  const read = readWind(text)
  if (read === null)
    throw new InvalidArgumentError('Give degrees true that it blows from, a slash and knots, as in 270/15.')
  return read
}

function named(text: string, earlier: string[] | undefined): string[] {
  return collect(shortText(100)(text), earlier)
}

function idList(text: string, earlier: number[] | undefined): number[] {
  return [...(earlier ?? []), wholeNumber(0, Number.MAX_SAFE_INTEGER)(text)]
}
