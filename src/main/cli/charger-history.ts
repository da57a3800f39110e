import { Argument, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { ChargerLogEntry, ChargerPast } from '../../shared/chargers/charger-status.ts'
import { liveStateLabel } from '../../shared/chargers/live-state.ts'
import texts from '../../shared/text/en/chargers.json' with { type: 'json' }
import { say } from '../../shared/sentences/sentence.ts'
import { historyPath } from '../chargers/charger-cache.ts'
import { ChargerHistory } from '../chargers/charger-history.ts'
import { realClock } from '../engine/real-clock.ts'
import { durationText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { columns, shortened, wrapped } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { pointInTime, wholeNumber } from './parse-options.ts'
import { forTerminal } from './safe-text.ts'
import { wireCommand } from './wire-command.ts'

const MAX_CHANGES = 100_000
/** For output that is not a terminal. */
const MAX_AIRFIELD = 40
const MIN_AIRFIELD = 8

interface HistoryFlags extends ServiceFlags {
  limit: number
  before?: number
}

const STATE: Readonly<Record<string, string>> = { ...texts.state, gone: texts.changes.gone }

/** `hangar chargers history [ID]`: read from the data folder alone. */
export function addChargerHistoryCommand(chargers: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = chargers
    .command('history')
    .summary('how the chargers changed over the last year')
    .description(
      'Shows what refreshes of the window or of hangar serve found in the last year: changes of state, new chargers and those no longer listed, newest first. With an id, only that charger, with a summary. Contacts no service.',
    )
    .addArgument(new Argument('[id]', 'the id of a charger').argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER)))
    .option('--limit <n>', 'show at most this many changes', wholeNumber(1, MAX_CHANGES), 100)
    .option('--before <time>', 'only changes before this time, as in 2026-05-01T09:00Z', pointInTime)
  addCommonOptions(addChargerServiceOptions(command)).action(async (id: number | undefined, flags: HistoryFlags) =>
    finish(await reportHistory(cli, id ?? null, flags)),
  )
}

async function reportHistory(cli: Cli, id: number | null, flags: HistoryFlags): Promise<ExitCode> {
  const wired = await wireCommand(cli, flags)
  try {
    const { services, dataDir } = wired
    // The practice service is new with each command.
    if (flags.practice === true) throw new AppError('not_found', say('cli_no_charger_history'))
    if (services.chargers === null) throw new AppError('key_missing', say('cli_no_charger_service'))
    const history = ChargerHistory.openForReading(historyPath(dataDir, services.chargers.baseUrl))
    if (history === null) throw new AppError('not_found', say('cli_no_charger_history'))
    try {
      const nowMs = realClock.nowMs()
      const past = id === null ? null : history.past(id, nowMs)
      const before = flags.before === undefined ? null : { atMs: flags.before, id: -1 }
      const found = history.log({ before, id, limit: flags.limit + 1 })
      const entries = found.slice(0, flags.limit)
      const hasMore = found.length > flags.limit
      const { terminal } = cli
      if (flags.json === true) terminal.json({ past, changes: entries, hasMore })
      else {
        const lines = [...(past === null ? [] : pastLines(past, id, nowMs)), ...logLines(entries, terminal.outColumns)]
        for (const line of lines) terminal.out(line)
      }
      if (id !== null && past === null) {
        terminal.err(`No refresh has found a charger with the id ${id}.`)
        return ExitCode.someNotDone
      }
      if (hasMore) terminal.err('There are older changes. To see them, raise --limit or give --before a time.')
      return ExitCode.ok
    } finally {
      history.close()
    }
  } finally {
    await wired.close()
  }
}

const DATE = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const nameOf = ({ icao, airfield }: Pick<ChargerPast, 'icao' | 'airfield'>) =>
  forTerminal([icao, airfield].filter((part) => part !== null).join(' '))

function pastLines(past: ChargerPast, id: number | null, nowMs: number): string[] {
  const { firstSeenMs, goneMs, lastChargingMs, lastRefreshMs, shares } = past
  return [
    `Charger ${id}, ${nameOf(past) || 'at an unnamed airfield'}`,
    `First seen:          ${DATE(firstSeenMs)}`,
    ...(goneMs === null ? [] : [`No longer listed:    since ${DATE(goneMs)}`]),
    `Last seen charging:  ${lastChargingMs === null ? 'never' : `${durationText(nowMs - lastChargingMs)} ago`}`,
    ...shares.map(({ days, knownMs, brokenMs }) =>
      knownMs === 0
        ? `Out of order:        not known for the last ${days} days`
        : `Out of order:        ${((100 * brokenMs) / knownMs).toFixed(1)} % of the ${durationText(knownMs)} known of the last ${days} days`,
    ),
    ...(lastRefreshMs === null ? [] : [`Last refresh:        ${DATE(lastRefreshMs)}`]),
    '',
  ]
}

/** As wide as the terminal: the name of the airfield gives way first, then the lines wrap. */
function logLines(entries: readonly ChargerLogEntry[], outColumns: number | null): string[] {
  if (entries.length === 0) return ['No changes are known.']
  const table = (mostAirfield: number) =>
    columns([
      ['TIME', 'ID', 'AIRFIELD', 'BEFORE', 'AFTER'],
      ...entries.map((entry) => [
        DATE(entry.atMs),
        String(entry.id),
        shortened(nameOf(entry), mostAirfield),
        entry.before === null ? 'new' : stateText(entry.before, null),
        stateText(entry.kind, entry.state),
      ]),
    ])
  const wide = table(MAX_AIRFIELD)
  if (outColumns === null) return wide
  const tooWide = longestOf(wide) - outColumns
  if (tooWide <= 0) return wide
  const airfield = Math.min(MAX_AIRFIELD, longestOf(entries.map(nameOf)))
  return table(Math.max(MIN_AIRFIELD, airfield - tooWide)).flatMap((line) => wrapped(line, outColumns))
}

const longestOf = (texts: readonly string[]) => texts.reduce((most, { length }) => Math.max(most, length), 0)

/** "out of order (Maintenance)": the class of a state, and the service's name for it if that says more. */
function stateText(kind: string, state: string | null): string {
  const words = (Object.hasOwn(STATE, kind) ? STATE[kind]! : forTerminal(kind)).toLowerCase()
  const label = liveStateLabel(state)
  return label === null || label.toLowerCase() === words ? words : `${words} (${label})`
}
