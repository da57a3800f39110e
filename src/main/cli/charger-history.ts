import { Argument, type Command } from 'commander'
import { AppError } from '../../shared/errors.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import { MAX_LOG_ENTRIES, type ChargerLogEntry, type ChargerPast } from '../../shared/charger-status.ts'
import { liveStateLabel } from '../../shared/chargers/live-state.ts'
import { say } from '../../shared/sentence.ts'
import { historyPath } from '../chargers/charger-cache.ts'
import { ChargerHistory } from '../chargers/charger-history.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Cli } from './cli-context.ts'
import { columns, durationText } from './figures.ts'
import { addChargerServiceOptions, addCommonOptions, type ServiceFlags } from './options.ts'
import { wholeNumber } from './parse-options.ts'
import { forTerminal } from './safe-text.ts'
import { openSession } from './session.ts'

interface HistoryFlags extends ServiceFlags {
  limit: number
}

/** `hangar chargers history [ID]`: read from the data folder alone. */
export function addChargerHistoryCommand(chargers: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = chargers
    .command('history')
    .summary('what refreshes found of the chargers over time')
    .description(
      'Tells the changes that the refreshes of the window or of hangar serve found in the last year, newest first; with an id what is known of that charger. Asks no service.',
    )
    .addArgument(new Argument('[id]', 'the number of a charger').argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER)))
    .option('--limit <n>', 'at most so many changes', wholeNumber(1, MAX_LOG_ENTRIES), 100)
  addCommonOptions(addChargerServiceOptions(command)).action(async (id: number | undefined, flags: HistoryFlags) =>
    finish(await tellHistory(cli, id ?? null, flags)),
  )
}

async function tellHistory(cli: Cli, id: number | null, flags: HistoryFlags): Promise<ExitCode> {
  const session = await openSession(cli, flags)
  try {
    const { services, dataDir } = session
    if (services.chargers === null) throw new AppError('key_missing', say('cli_no_charger_service'))
    const history = ChargerHistory.openForReading(historyPath(dataDir, services.chargers.baseUrl))
    if (history === null) throw new AppError('not_found', say('cli_no_charger_history'))
    try {
      const nowMs = realClock.nowMs()
      const past = id === null ? null : history.past(id, nowMs)
      const entries = history.log({ beforeMs: null, id, limit: flags.limit })
      if (flags.json === true) cli.terminal.json({ past, changes: entries })
      else {
        for (const line of past === null ? [] : pastLines(past, nowMs)) cli.terminal.out(line)
        for (const line of logLines(entries)) cli.terminal.out(line)
      }
      if (id !== null && past === null) {
        cli.terminal.err(`No refresh has found a charger with the number ${id}.`)
        return ExitCode.someNotDone
      }
      return ExitCode.ok
    } finally {
      history.close()
    }
  } finally {
    await session.close()
  }
}

const DATE = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

function pastLines(
  { firstSeenMs, goneMs, lastChargingMs, lastRefreshMs, shares }: ChargerPast,
  nowMs: number,
): string[] {
  return [
    `First seen: ${DATE(firstSeenMs)}`,
    ...(goneMs === null ? [] : [`Not listed since: ${DATE(goneMs)}`]),
    `Last seen charging: ${lastChargingMs === null ? 'never' : `${durationText(nowMs - lastChargingMs)} ago`}`,
    ...shares.map(({ days, knownMs, brokenMs }) =>
      knownMs === 0
        ? `Error in ${days} days: not known`
        : `Error in ${days} days: ${((100 * brokenMs) / knownMs).toFixed(1)} % of the ${durationText(knownMs)} that are known`,
    ),
    ...(lastRefreshMs === null ? [] : [`Last refresh: ${DATE(lastRefreshMs)}`]),
    '',
  ]
}

function logLines(entries: readonly ChargerLogEntry[]): string[] {
  const rows = entries.map(({ atMs, id, icao, airfield, before, kind, state }) => [
    DATE(atMs),
    String(id),
    forTerminal([icao, airfield].filter((part) => part !== null).join(' ')).slice(0, 40),
    before === null ? 'new' : before,
    state === null ? kind : `${kind} (${liveStateLabel(state) ?? ''})`,
  ])
  return rows.length === 0
    ? ['No changes are known.']
    : columns([['TIME', 'ID', 'AIRFIELD', 'BEFORE', 'THEN'], ...rows])
}
