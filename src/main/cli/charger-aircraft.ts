import { aircraftKey } from '../../shared/chargers/route/aircraft.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { KeptAircraft } from '../../shared/settings/settings.ts'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { entryOf } from '../core/aircraft-entries.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import type { Cli, CliCommand } from './command.ts'
import { columns, DASH } from './figures.ts'

const UNITS = { nm: 'nm', min: 'min', percent: '%' } as const

/** `hangar chargers aircraft`: the saved aircraft, for `chargers route --aircraft` and as a file. */
export function addChargerAircraftCommand(chargers: CliCommand, cli: Cli): void {
  const aircraft = chargers
    .command('aircraft')
    .summary('list the saved aircraft, or write some as a file')
    .description(
      'Lists the aircraft that were saved in the window or by "hangar config import". "chargers route" takes one of them with --aircraft NAME.',
    )
    .action(() => listAircraft(cli))
  aircraft
    .command('show')
    .description(
      'Prints aircraft as a configuration with nothing else in it: "hangar config import" and the window take it, on this computer or another.',
    )
    .argument('[name...]', 'as "hangar chargers aircraft" lists them; all without any')
    .addHelpText(
      'after',
      `
Examples:
  hangar chargers aircraft show D-EHGR > d-ehgr.json
  hangar config import d-ehgr.json --dry-run`,
    )
    .action((names: string[]) => showAircraft(cli, names))
}

function listAircraft({ terminal, dataDir }: Cli): void {
  const saved = storedSettings(dataDir).chargers.aircraft
  for (const { id: _, ...aircraft } of saved) terminal.json({ event: 'aircraft', ...aircraft })
  if (saved.length > 0)
    for (const line of columns([
      ['NAME', 'RANGE', 'RESERVE', 'SPEED', 'ENERGY', 'POWER', 'CONNECTORS'],
      ...saved.map(({ name, rangeNm, reserve, speedKt, usableKwh, maxKw, connectors }) => [
        name,
        `${rangeNm} nm`,
        `${reserve.value} ${UNITS[reserve.unit]}`,
        speedKt === null ? DASH : `${speedKt} kt`,
        usableKwh === null ? DASH : `${usableKwh} kWh`,
        maxKw === null ? DASH : `${maxKw} kW`,
        connectors.join(', ') || DASH,
      ]),
    ]))
      terminal.out(line)
  else if (!terminal.isJson)
    terminal.err('No aircraft is saved. The window saves them, and so does "hangar config import".')
}

function showAircraft({ terminal, dataDir }: Cli, names: readonly string[]): void {
  const saved = storedSettings(dataDir).chargers.aircraft
  const chosen = names.length === 0 ? saved : [...new Set(names.map((name) => aircraftNamed(saved, name)))]
  const file = { chargers: { aircraft: chosen.map(entryOf) } }
  terminal.json(file)
  if (!terminal.isJson) terminal.raw(`${jsonText(file, 2)}\n`)
}

/** Throws `not_found`. */
export function aircraftNamed(saved: readonly KeptAircraft[], name: string): KeptAircraft {
  const found = saved.find((one) => aircraftKey(one.name) === aircraftKey(name))
  if (found === undefined) throw new AppError('not_found', say('cli_no_aircraft', { name }))
  return found
}
