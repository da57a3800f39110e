import type { ChargePoint } from '../../shared/chargers/charger.ts'
import { isAhead, isCurrent, liveStateLabel, syncedAtMs } from '../../shared/chargers/live-state.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { durationText } from '../core/english-figures.ts'
import { columns, shortened } from './figures.ts'
import { forTerminal } from './terminal.ts'

const DASH = '–'

export const CHARGER_FORMATS = ['table', 'json', 'geojson', 'gpx', 'cup', 'csv'] as const
export type ChargerFormat = (typeof CHARGER_FORMATS)[number]

/** The format of a command with `--json`. Throws `bad_request` where both are given and differ. */
export function formatIn({ json, format: given }: { json?: boolean; format: ChargerFormat }): ChargerFormat {
  const format = json === true && given === 'table' ? 'json' : given
  if (json === true && !['json', 'geojson'].includes(format))
    throw new AppError('bad_request', say('cli_two_formats', { format }))
  return format
}

/** Longer texts are cut, so that one name does not widen the whole table; the other formats have them in full. */
const MAX_CELL = 40

/** A table for people, widest columns last. All texts are the service's, and untrusted. */
export function chargerTable(chargers: readonly ChargePoint[], nowMs: number): string[] {
  const head = ['ICAO', 'AIRFIELD', 'TYPE', 'KW', 'STATE', 'CONNECTORS', 'PAYMENT']
  const rows = chargers.map((charger) =>
    [
      charger.icao ?? DASH,
      charger.airfield ?? DASH,
      charger.type ?? DASH,
      charger.kw ?? DASH,
      stateText(charger, nowMs),
      charger.connectors.join(', ') || DASH,
      charger.paymentTypes.join(', ') || DASH,
    ].map((cell) => shortened(forTerminal(cell), MAX_CELL)),
  )
  return columns([head, ...rows])
}

/** The current live state, or the last one with its age, or else whether it is available. */
function stateText({ liveState, liveStateSyncedAt, available }: ChargePoint, nowMs: number): string {
  const label = liveStateLabel(liveState)
  const atMs = syncedAtMs(liveStateSyncedAt)
  if (label !== null && isCurrent(atMs, nowMs)) return label
  if (label !== null)
    return `last known: ${label}, ${atMs === null || isAhead(atMs, nowMs) ? 'time not known' : `${durationText(nowMs - atMs)} ago`}`
  return available === null ? DASH : available ? 'yes (not live)' : 'no (not live)'
}
