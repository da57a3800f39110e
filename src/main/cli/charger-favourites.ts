import { AppError } from '../../shared/sentences/errors.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { ChargePoint } from '../../shared/chargers/charger.ts'
import { distanceNm } from '../../shared/chargers/distance.ts'
import { chargerNames, chargerOf } from '../../shared/chargers/exports/charger-texts.ts'
import { favouriteChargers } from '../chargers/favourite-chargers.ts'
import { countText } from '../core/english-figures.ts'
import { NEAR_NM, type Waypoint } from '../core/read-waypoints.ts'
import { Documents } from '../journal/documents.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { mayChange } from './ask.ts'
import type { Cli, CliCommand } from './command.ts'
import { sayFirst } from './figures.ts'
import { exitCodeOfList, readChargerList, sayListNotes, readWaypointFiles } from './read-chargers.ts'
import { withWired, type Wired } from './wire-command.ts'
import { withEngineOf } from './with-engine.ts'

interface FavouritesFlags {
  dryRun?: boolean
  yes?: boolean
}

/** `hangar chargers favourites import`. */
export function addChargerFavouritesCommand(chargers: CliCommand, cli: Cli): void {
  chargers
    .command('favourites')
    .summary('mark chargers as favourites, from a file')
    .description(
      'Favourites are chargers that a person marked. "hangar chargers --favourites" lists them, as a file too.',
    )
    .command('import')
    .description('Marks the chargers of a file that Hangar wrote. Shows them and asks first; removes none.')
    .argument('<file>', 'waypoints, GPX or SeeYou (CUP)')
    .option('--dry-run', 'show what would be marked, and mark nothing')
    .option('-y, --yes', 'mark them without asking')
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers --favourites --format gpx > favourites.gpx
  hangar chargers favourites import favourites.gpx --dry-run`,
    )
    .chargerServiceOptions()
    .action((file: string, flags: FavouritesFlags) => importFavourites(cli, file, flags))
}

/** Of the service that a command uses. The practice service is new with each command and has none. */
export function favouritesOf({ services: { chargers }, dataDir, practice }: Wired): Set<number> {
  if (practice !== null || chargers === null) return new Set()
  return new Set(readJournal(dataDir, (db) => favouriteChargers(new Documents(db), chargers.baseUrl)))
}

async function importFavourites(cli: Cli, file: string, flags: FavouritesFlags): Promise<ExitCode> {
  if (cli.options.practice === true) throw new AppError('bad_request', say('cli_no_practice_favourites'))
  const { terminal } = cli
  const { places: waypoints, leftOut } = await readWaypointFiles(cli, [file])
  return withWired(cli, async (wired) => {
    const list = await readChargerList(terminal, wired, {})
    const known = favouritesOf(wired)
    const service = wired.services.chargers?.baseUrl ?? ''
    const { chargers, unknown } = chargersOf(waypoints, list.chargers)
    const names = chargerNames(chargers)
    const marked = chargers.map(({ id }, at) => ({ id, name: names[at] ?? '' })).filter(({ id }) => !known.has(id))
    sayListNotes(cli, list)
    for (const { name } of marked) terminal.out(name)
    sayFirst(
      terminal,
      unknown.map((name) => `${name}: no such charger is within a mile.`),
      'more waypoint',
    )
    const count = countText(marked.length, 'charger')
    const isNothing = flags.dryRun === true || marked.length === 0
    const agreed = isNothing ? null : await mayChange(terminal, flags, `Mark ${count}?`)
    const ids = marked.map(({ id }) => id)
    if (agreed === true)
      await withEngineOf(wired, (ask) => ask('chargers.favourites', { ids, favourite: true, service }))
    const already = chargers.length - marked.length
    const whys = leftOut.map(({ why }) => englishText(why))
    const facts = { chargers: marked, already, unknown, leftOut: whys }
    terminal.json({ event: 'favourites', marked: agreed === true, dryRun: flags.dryRun === true, ...facts })
    if (!terminal.isJson)
      terminal.err(
        agreed === true
          ? `${count} marked as favourites.`
          : `${count} would be marked, ${already} are favourites already.`,
      )
    if (agreed === false || unknown.length + leftOut.length > 0) return ExitCode.someNotDone
    return exitCodeOfList(list)
  })
}

/** The chargers that descriptions of waypoints name and that are near, and the names of the other waypoints. */
function chargersOf(waypoints: readonly Waypoint[], all: readonly ChargePoint[]) {
  const byId = new Map(all.map((one) => [one.id, one]))
  const meant = waypoints.map((waypoint) => {
    const one = byId.get(chargerOf(waypoint.note) ?? NaN) ?? null
    return {
      name: waypoint.name,
      one: (distanceNm(one?.location ?? null, waypoint) ?? Infinity) <= NEAR_NM ? one : null,
    }
  })
  const chargers = new Set(meant.map(({ one }) => one).filter((one) => one !== null))
  return { chargers: [...chargers], unknown: meant.filter(({ one }) => one === null).map(({ name }) => name) }
}
