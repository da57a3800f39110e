import { Option } from 'commander'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { groupChargers } from '../../shared/chargers/group.ts'
import { prepare } from '../../shared/chargers/prepare.ts'
import { searchIndex, type SearchIndex } from '../../shared/chargers/search.ts'
import type { RoutePreference } from '../../shared/chargers/route/find-route.ts'
import { planRoutes } from '../../shared/chargers/route/plan-routes.ts'
import type { RouteAnswer, NoRoute, PlannedRoute } from '../../shared/chargers/route/plan-routes.ts'
import {
  MAX_KW,
  MAX_KWH,
  MAX_RANGE_NM,
  MAX_SPEED_KT,
  readReserve,
  reserveInNm,
  namesNothing,
  type Aircraft,
  type Reserve,
} from '../../shared/chargers/route/aircraft.ts'
import { isSameName, withPlaces, type OwnPlace } from '../../shared/chargers/route/own-places.ts'
import { readWind, type Wind } from '../../shared/chargers/route/wind.ts'
import { FULL_PERCENT, TAKE_FIT_NOT_KNOWN } from '../../shared/chargers/route/route-plan.ts'
import type { RouteRequest, NamedPlace } from '../../shared/chargers/route/route-plan.ts'
import { readPlace } from '../../shared/chargers/route/read-place.ts'
import { routeNetwork, type LeftOut } from '../../shared/chargers/route/route-network.ts'
import { routeFile } from '../../shared/chargers/exports/route-files.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Cli, CliCommand } from './command.ts'
import { aircraftNamed } from './charger-aircraft.ts'
import {
  CHARGER_FORMATS,
  formatIn,
  exitCodeOfList,
  readChargerList,
  sayListNotes,
  readWaypointFiles,
} from './read-chargers.ts'
import type { ChargerFormat, ChargerList } from './read-chargers.ts'
import { collect, collectName, numberBetween, pointInTime, readBy, wholeNumber } from './parse-options.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import type { KeptAircraft } from '../../shared/settings/settings.ts'
import { withWired } from './wire-command.ts'
import { routeWords, untied } from '../../shared/chargers/route/route-words.ts'
import { isWarning, type RouteStop } from '../../shared/chargers/route/route-stop.ts'
import { englishCharger as t } from '../core/english-charger.ts'

interface RouteFlags {
  range?: number
  reserve?: Reserve
  via?: string[]
  places?: string[]
  aircraft?: string
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
  format: ChargerFormat
}

/** `hangar chargers route FROM TO`. */
// oxlint-disable-next-line max-lines-per-function -- a list of flags, in the order of the help
export function addChargerRouteCommand(chargers: CliCommand, cli: Cli): void {
  chargers
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
    .option(
      '--aircraft <name>',
      'one that is saved, as "hangar chargers aircraft" lists it: its figures count where none are given here',
    )
    .option('--connector <name>', 'the aircraft has this connector; may be given several times', collectName)
    .option('--aircraft-type <name>', 'what the service may call the aircraft; may be given several times', collectName)
    .option('--allow-unknown', 'also use chargers that list no connectors or aircraft', TAKE_FIT_NOT_KNOWN)
    .option('--speed <kt>', 'cruise speed: gives times, and hours on arrival', numberBetween(10, MAX_SPEED_KT))
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
    .option('--energy <kwh>', 'the energy for the whole range: gives charge times', numberBetween(0.1, MAX_KWH))
    .option('--max-kw <kw>', 'the most power that the aircraft takes', numberBetween(0.1, MAX_KW))
    .option('--ground <minutes>', 'time on the ground at each stop, in addition to charging', wholeNumber(0, 1440), 0)
    .option('--depart <time>', 'time of departure (now), as in 2026-05-01T09:00+02:00', pointInTime)
    .addOption(
      new Option('--prefer <what>', 'stops: as few as can be, then distance; time needs --speed and --energy')
        .choices(['stops', 'distance', 'time'])
        .default('stops'),
    )
    .addOption(
      new Option('--format <format>', 'gpx, geojson, cup (SeeYou) and csv contain one route')
        .choices(CHARGER_FORMATS)
        .default('table'),
    )
    .option('--choice <n>', 'which route to write to a file', wholeNumber(1, 9), 1)
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers route --practice EDAZ EDMO --range 250 --reserve 30
  hangar chargers route EDAZ 47.26,11.34 --range 75 --reserve 15 --speed 90 --energy 22 --connector "GB/T DC"
  hangar chargers route EDAZ LOWI --range 150 --speed 110 --reserve 30min --format gpx > route.gpx
  hangar chargers route "Home strip" LOWI --places waypoints.cup --aircraft D-EHGR`,
    )
    .chargerServiceOptions()
    .action((from: string, to: string, flags: RouteFlags) => planRoute(cli, from, to, flags))
}

async function planRoute(cli: Cli, from: string, to: string, flags: RouteFlags): Promise<ExitCode> {
  const { chargers: kept } = storedSettings(cli.dataDir)
  const aircraft = aircraftOf(flags, kept.aircraft)
  const { own, leftOut } = await ownPlaces(cli, kept.places, [from, to, ...(flags.via ?? [])], flags)
  const format = formatIn(cli, flags.format)
  return withWired(cli, async (wired) => {
    const list = await readChargerList(cli.terminal, wired, {})
    const { default: zoneOf } = await import('@photostructure/tz-lookup')
    const sites = groupChargers(list.chargers.map((one) => prepare(one, zoneOf)))
    const find = placeFinder(searchIndex(sites), own)
    const nowMs = realClock.nowMs()
    const request: RouteRequest = {
      from: find(from),
      via: (flags.via ?? []).map(find),
      to: find(to),
      aircraft,
      prefer: flags.prefer,
      takeFitNotKnown: flags.allowUnknown,
      wind: flags.wind ?? null,
      startPercent: flags.startCharge,
      departMs: flags.depart ?? nowMs,
      groundMinutes: flags.ground,
      nowMs,
    }
    const network = routeNetwork(sites, request)
    sayListNotes(cli, list)
    const isSaid = sayAnswer(cli, await planRoutes(network, request), {
      request,
      leftOut: network.leftOut,
      list,
      format,
      choice: flags.choice,
    })
    return isSaid && leftOut === 0 ? exitCodeOfList(list) : ExitCode.someNotDone
  })
}

interface Asked {
  request: RouteRequest
  leftOut: LeftOut
  list: ChargerList
  format: RouteFlags['format']
  choice: number
}

/** False where there is no route. */
function sayAnswer({ terminal }: Cli, answer: RouteAnswer, asked: Asked): boolean {
  const { request, leftOut, list, format, choice } = asked
  const { sample } = list
  if (format === 'json') {
    const { wind, startPercent } = request
    const listedAt = new Date(list.atMs).toISOString()
    const facts = { wind, startPercent, leftOut, sample, listedAt, forNavigation: false }
    terminal.raw(`${jsonText({ ...answer, ...facts })}\n`)
  }
  if (answer.kind !== 'routes') terminal.err(noRouteText(answer, leftOut, request))
  else if (format === 'table') for (const line of routeLines(answer.routes, asked)) terminal.out(line)
  else if (format !== 'json') {
    const route = answer.routes[choice - 1]
    if (route === undefined)
      throw new AppError('bad_request', say('cli_fewer_routes', { routes: answer.routes.length }))
    terminal.raw(routeFile(route, format, { sample, words: ROUTE_WORDS }))
  }
  return answer.kind === 'routes'
}

/** Saved places and those of the files. Throws `bad_request` where one is asked for that was left out. */
async function ownPlaces(cli: Cli, kept: readonly OwnPlace[], asked: readonly string[], { places: files }: RouteFlags) {
  const { places, leftOut } = await readWaypointFiles(cli, files ?? [])
  const refused = leftOut.find(({ name }) => asked.some((place) => isSameName(place, name)))
  if (refused !== undefined) throw new AppError('bad_request', refused.why)
  return { own: withPlaces(kept, places), leftOut: leftOut.length }
}

/** The flags, and else the saved aircraft. Throws `bad_request` if a figure is missing for what was asked. */
function aircraftOf(flags: RouteFlags, kept: readonly KeptAircraft[]): Aircraft {
  const { prefer, wind } = flags
  const saved = flags.aircraft === undefined ? undefined : aircraftNamed(kept, flags.aircraft)
  const rangeNm = flags.range ?? saved?.rangeNm
  if (rangeNm === undefined) throw new AppError('bad_request', say('cli_needs_range'))
  const speedKt = flags.speed ?? saved?.speedKt ?? null
  const usableKwh = flags.energy ?? saved?.usableKwh ?? null
  const reserve = flags.reserve ?? saved?.reserve ?? { value: 0, unit: 'nm' }
  const reserveNm = reserveInNm(reserve, { rangeNm, speedKt })
  if (reserveNm === null) throw new AppError('bad_request', say('cli_reserve_needs_speed'))
  if (reserveNm >= rangeNm) throw new AppError('bad_request', say('cli_reserve_too_large'))
  if (prefer === 'time' && (speedKt === null || usableKwh === null))
    throw new AppError('bad_request', say('cli_time_needs_speed'))
  if (wind !== undefined && !(wind.knots < (speedKt ?? 0)))
    throw new AppError('bad_request', say('cli_wind_needs_speed'))
  return {
    connectors: flags.connector ?? saved?.connectors ?? [],
    types: flags.aircraftType ?? saved?.types ?? [],
    rangeNm,
    reserve,
    speedKt,
    usableKwh,
    maxKw: flags.maxKw ?? saved?.maxKw ?? null,
  }
}

/** Among the own places and the airfields of the list: no other positions are known. */
function placeFinder(index: SearchIndex, own: readonly OwnPlace[]): (text: string) => NamedPlace {
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

const reserve = readBy(readReserve, 'Give miles, minutes or percent of the range, as in 15, 30min or 20%.')
const wind = readBy(readWind, 'Give degrees true that it blows from, a slash and knots, as in 270/15.')

const ROUTE_WORDS = routeWords(t, 'en')

function routeLines(routes: readonly PlannedRoute[], { request, leftOut, list }: Asked): string[] {
  const { aircraft, from, via, to, wind, startPercent } = request
  const [first] = routes
  const departMs = first?.departMs ?? null
  return [
    [from, ...via, to].map(({ name }) => name).join(' → '),
    ROUTE_WORDS.ranges(aircraft, wind),
    ...(wind === null ? [] : [ROUTE_WORDS.inWind(wind)]),
    ...(startPercent === FULL_PERCENT ? [] : [ROUTE_WORDS.startsWith(startPercent)]),
    ...(departMs === null ? [] : [t('route.departure', { at: ROUTE_WORDS.clock(departMs, null) })]),
    ...routes.flatMap((route, at) => ['', ...linesOf(route, at)]),
    '',
    ...(namesNothing(aircraft) ? [t('route.anyCharger')] : []),
    ...leftOutLine(leftOut),
    `${t('route.notForNavigation')} ${t('route.notInData')}`,
    ...(list.sample ? [`${t('sample')}.`] : []),
  ].map(untied)
}

/** Why there is no route, and what would make one. */
function noRouteText(answer: NoRoute, leftOut: LeftOut, { wind }: RouteRequest): string {
  const air = wind === null ? [] : [ROUTE_WORDS.inWind(wind)]
  return untied([ROUTE_WORDS.none(answer), ...air, ...leftOutLine(leftOut)].join(' '))
}

function linesOf(route: PlannedRoute, at: number): string[] {
  const lines = [`Route ${at + 1} (${ROUTE_WORDS.kinds(route)}): ${ROUTE_WORDS.summary(route)}`]
  for (const leg of route.legs) {
    const arrival = leg.arriveMs === null ? '' : `, ${ROUTE_WORDS.clock(leg.arriveMs, route.departMs)}`
    lines.push(`  ${leg.from.name} → ${leg.to.name}${arrival}`, `    ${ROUTE_WORDS.leg(leg)}`)
    const daylight = ROUTE_WORDS.daylight(leg)
    if (daylight !== null) lines.push(`    ${leg.daylight?.light === 'day' ? 'note' : 'warning'}: ${daylight}`)
    const stop = leg.stop === null ? undefined : route.stops[leg.stop]
    if (stop !== undefined) lines.push(...stopLines(stop).map((line) => `      ${line}`))
  }
  return lines
}

function stopLines(stop: RouteStop): string[] {
  const { chargers, opening, notes } = stop
  return [
    `${t('route.charger', { id: chargers[0]?.id ?? '' })}: ${ROUTE_WORDS.stop(stop)}`,
    ...(opening === null ? [] : [ROUTE_WORDS.arrival(opening)]),
    ...notes.map((note) => `${isWarning(note) ? 'warning' : 'note'}: ${ROUTE_WORDS.note(note, stop)}`),
  ]
}

function leftOutLine(leftOut: LeftOut): string[] {
  const parts = ROUTE_WORDS.leftOut(leftOut)
  const hint = leftOut.fitNotKnown > 0 ? ' With --allow-unknown, those that list nothing are used too.' : ''
  return parts.length === 0 ? [] : [`${t('route.leftOutTitle')}: ${parts.join('; ')}.${hint}`]
}
