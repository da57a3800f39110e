import { Option, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import type { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { qualityCsv, qualityList } from '../../shared/chargers/field-quality.ts'
import { prepare } from '../../shared/chargers/prepare.ts'
import texts from '../../shared/text/en/chargers.json' with { type: 'json' }
import { say } from '../../shared/sentences/sentence.ts'
import { realClock } from '../engine/real-clock.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { shortened, wrapped } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { shortText } from './parse-options.ts'
import { exitCodeOfList, readChargerList, sayListNotes } from './read-chargers.ts'
import { forTerminal } from './safe-text.ts'
import { wireCommand } from './wire-command.ts'

const MAX_NAME = 60
const FORMATS = ['table', 'json', 'csv'] as const

interface QualityFlags extends ServiceFlags {
  icao?: string
  country?: string
  format: (typeof FORMATS)[number]
}

const WORDS = texts.quality.finding

/** `hangar chargers quality`: for the operators of airfields. */
export function addChargerQualityCommand(chargers: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = chargers
    .command('quality')
    .summary('what is missing, outdated or contradictory in the data')
    .description(
      "For operators: what is missing, outdated, unreadable or contradictory in the service's data on its chargers. The data does not include costs, contacts, access or parking.",
    )
    .option('--icao <code>', 'only at the airfield with this ICAO code or locator', shortText(8))
    .option('--country <prefix>', 'only where the ICAO code starts with this, as in ED', shortText(4))
    .addOption(new Option('--format <format>', 'csv has a column for each finding').choices(FORMATS).default('table'))
  addCommonOptions(addChargerServiceOptions(command)).action(async (flags: QualityFlags) =>
    finish(await reportQuality(cli, flags)),
  )
}

async function reportQuality(cli: Cli, flags: QualityFlags): Promise<ExitCode> {
  if (flags.json === true && flags.format === 'csv')
    throw new AppError('bad_request', say('cli_two_formats', { format: flags.format }))
  const format = flags.json === true ? 'json' : flags.format
  const wired = await wireCommand(cli, flags)
  try {
    const list = await readChargerList(cli.terminal, wired, {
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
        for (const line of wrapped(
          `${id}  ${shortened(forTerminal([icao, airfield].filter((part) => part !== null).join(' ')), MAX_NAME)}: ${findings.map((finding) => WORDS[finding]).join('; ')}`,
          cli.terminal.outColumns,
        ))
          cli.terminal.out(line)
      cli.terminal.out(`${countText(found.length, 'charger')} of ${list.chargers.length} with data to correct`)
    }
    sayListNotes(cli, list)
    return exitCodeOfList(list)
  } finally {
    await wired.close()
  }
}
