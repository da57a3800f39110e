import type { ChargerLogEntry, LogPosition } from '../../shared/chargers/charger-status.ts'
import type { LogPart } from '../../shared/chargers/history.ts'
import type { ChargerHistory } from './charger-history.ts'

/** Rows read for one page: some five milliseconds. */
const MOST_READ = 2000

interface LogPage {
  entries: ChargerLogEntry[]
  /** Where the next page begins; null at the end. */
  next: LogPosition | null
}

/** A part of the log, newest first. A rare kind of change may lie far back, so a page may have none of it. */
export function logPage(
  history: ChargerHistory,
  { before, part, limit }: { before: LogPosition | null; part: LogPart; limit: number },
): LogPage {
  const entries: ChargerLogEntry[] = []
  const read = history.log({ before, id: null, limit: MOST_READ })
  for (const row of read) {
    const entry = part === 'all' ? row : withoutAgeing(history, row)
    if (entry !== null && isIn(part, entry)) entries.push(entry)
    if (entries.length === limit) return { entries, next: positionOf(row) }
  }
  const last = read.at(-1)
  return { entries, next: last === undefined || read.length < MOST_READ ? null : positionOf(last) }
}

const positionOf = ({ atMs, id }: ChargerLogEntry): LogPosition => ({ atMs, id })

/** The change since the last state that was current; null when there is none. */
function withoutAgeing(history: ChargerHistory, row: ChargerLogEntry): ChargerLogEntry | null {
  if (row.before === null) return row
  if (row.kind === 'stale' && row.before !== 'gone') return null
  const before = row.before === 'stale' ? (history.kindBefore(row.id, row.atMs) ?? row.before) : row.before
  return before === row.kind ? null : { ...row, before }
}

function isIn(part: LogPart, { before, kind }: ChargerLogEntry): boolean {
  switch (part) {
    case 'all':
    case 'changes':
      return true
    case 'broken':
    case 'free':
      return kind === part
    case 'taken':
      return kind === 'busy' || kind === 'reserved'
    case 'listed':
      return before === null || before === 'gone' || kind === 'gone'
  }
}
