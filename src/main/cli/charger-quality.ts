import { Option, type Command } from 'commander'
import type { ExitCode } from '../../shared/exit-codes.ts'
import { qualityCsv, qualityList, type QualityFinding } from '../../shared/chargers/field-quality.ts'
import { prepare } from '../../shared/chargers/prepare.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Cli } from './cli-context.ts'
import { countText } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { shortText } from './parse-options.ts'
import { exitCodeOfList, readChargerList, sayListNotes } from './read-chargers.ts'
import { forTerminal } from './safe-text.ts'
import { openSession } from './session.ts'

const FORMATS = ['table', 'json', 'csv'] as const

interface QualityFlags extends ServiceFlags {
  icao?: string
  country?: string
  format: (typeof FORMATS)[number]
}

const WORDS: Readonly<Record<QualityFinding, string>> = {
  no_position: 'no position',
  position_implausible: 'position far from the country of the code',
  position_of_airfield: 'position only of the airfield',
  position_source_missing: 'not said of what the position is',
  hours_missing: 'no opening hours',
  hours_incomplete: 'hours of some days missing',
  power_missing: 'no power',
  power_unreadable: 'power cannot be read',
  connectors_missing: 'no connectors',
  aircraft_missing: 'no aircraft',
  sync_missing: 'sync time missing or unusable',
  sync_old: 'live state older than an hour',
  sync_in_future: 'sync time in the future',
  state_contradicts: 'live state and yes/no contradict',
  state_undocumented: 'live state that the document does not name',
}

/** `hangar chargers quality`: for the operators of airfields. */
export function addChargerQualityCommand(chargers: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = chargers
    .command('quality')
    .summary('what is missing, old or contradictory in the data')
    .description(
      'For operators: what is missing, old, unreadable or contradictory in what the service says of its chargers. Costs, contact, access and parking are not in the data at all.',
    )
    .option('--icao <code>', 'only at the airfield with this ICAO code or locator', shortText(8))
    .option('--country <prefix>', 'only where the ICAO code begins so, as in ED', shortText(4))
    .addOption(new Option('--format <format>', 'csv has a column for each finding').choices(FORMATS).default('table'))
  addCommonOptions(addChargerServiceOptions(command)).action(async (flags: QualityFlags) =>
    finish(await tellQuality(cli, flags)),
  )
}

async function tellQuality(cli: Cli, flags: QualityFlags): Promise<ExitCode> {
  const format = flags.json === true ? 'json' : flags.format
  const session = await openSession(cli, flags)
  try {
    const list = await readChargerList(cli.terminal, session, {
      icao: flags.icao ?? null,
      country: flags.country ?? null,
    })
    const { default: zoneOf } = await import('@photostructure/tz-lookup')
    const prepared = list.chargers.map((charger) => prepare(charger, zoneOf, new Set()))
    const found = qualityList(prepared, realClock.nowMs())
    if (format === 'json') cli.terminal.json(found)
    else if (format === 'csv') cli.terminal.raw(qualityCsv(found, { sample: list.sample }))
    else {
      for (const { id, icao, airfield, findings } of found)
        cli.terminal.out(
          `${id}  ${forTerminal([icao, airfield].filter((part) => part !== null).join(' ')).slice(0, 60)}: ${findings.map((finding) => WORDS[finding]).join('; ')}`,
        )
      cli.terminal.out(`${countText(found.length, 'charger')} of ${list.chargers.length} with something to mend`)
    }
    sayListNotes(cli, list)
    return exitCodeOfList(list)
  } finally {
    await session.close()
  }
}
