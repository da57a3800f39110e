import type { TeamCheck, TeamReport } from '../../shared/contract/team.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import type { LedgerAddress } from './ledger-address.ts'
import { LedgerConnection, type Row, type Statement } from './ledger-connection.ts'
import { LEDGER_VERSION } from './ledger-schema.ts'
import { accountName } from './team-account.ts'
import type { ServiceId } from '../../shared/recipes/recipe.ts'

type Ask = (statement: Statement, values: unknown[]) => Promise<Row[]>

const COMPUTERS: Statement = {
  name: 'computers',
  text: `SELECT c.computer, c.name, c.version,
      extract(epoch FROM clock_timestamp() - c.seen_at)::double precision * 1000 AS seen_ms,
      coalesce((SELECT s.sent FROM hangar.sent s WHERE s.account = c.account AND s.computer = c.computer AND s.day = hangar.today($2::integer)), 0) AS sent,
      (SELECT count(*)::integer FROM hangar.payments p
        WHERE p.account = c.account AND p.computer = c.computer AND p.state IN ('sending', 'accepted')) AS under_way
    FROM hangar.computers c WHERE c.account = $1::integer ORDER BY c.name, c.computer`,
}
const TOTALS: Statement = {
  name: 'totals',
  text: `SELECT
      (SELECT count(*)::integer FROM hangar.slots s WHERE s.account = a.id
        AND coalesce(s.answered_at, s.taken_at + interval '10 minutes') > clock_timestamp() - interval '60.1 seconds') AS calls,
      greatest(0, coalesce(extract(epoch FROM a.paused_until - clock_timestamp()), 0))::double precision * 1000 AS paused_ms,
      (SELECT count(*)::integer FROM hangar.payments p WHERE p.account = a.id AND p.state IN ('sending', 'unknown')
        AND p.dropped_at IS NULL AND (p.state = 'unknown' OR hangar.is_gone(a.id, p.computer))) AS unknown,
      (SELECT coalesce(sum(s.sent), 0)::integer FROM hangar.sent s
        WHERE s.account = a.id AND s.day >= hangar.today($2::integer)) AS today,
      (SELECT coalesce(sum(s.sent), 0)::integer FROM hangar.sent s
        WHERE s.account = a.id AND s.day >= date_trunc('month', hangar.today($2::integer))::date) AS this_month
    FROM hangar.accounts a WHERE a.id = $1::integer`,
}
const ACCOUNT: Statement = { name: 'account', text: 'SELECT id FROM hangar.accounts WHERE name = $1' }
const RENAME: Statement = {
  name: 'rename',
  text: 'UPDATE hangar.computers SET name = $3, renamed = true WHERE account = $1::integer AND computer = $2',
}
const REMOVE: Statement = {
  name: 'remove',
  text: 'DELETE FROM hangar.computers WHERE account = $1::integer AND computer = $2',
}
const SERVER: Statement = {
  name: 'server',
  text: `SELECT current_setting('server_version') AS version,
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS encrypted`,
}

/** The ledger's report on an account, by its number there. */
export async function reportOf(ask: Ask, account: number, zoneMinutes: number): Promise<TeamReport> {
  const computers = await ask(COMPUTERS, [account, zoneMinutes])
  const [totals] = await ask(TOTALS, [account, zoneMinutes])
  const figure = (name: string) => Number(totals?.[name] ?? 0)
  return {
    computers: computers.map((row) => ({
      id: String(row['computer']),
      name: String(row['name']),
      version: String(row['version']),
      seenMs: Number(row['seen_ms']),
      sentToday: Number(row['sent']),
      underWay: Number(row['under_way']),
    })),
    calls: figure('calls'),
    pausedMs: figure('paused_ms'),
    unknown: figure('unknown'),
    sentToday: figure('today'),
    sentThisMonth: figure('this_month'),
  }
}

/** The account's number in the ledger; null if no computer has entered with its key. */
export async function findAccount(
  connection: LedgerConnection,
  secret: string,
  serviceId: ServiceId,
  apiKey: string,
): Promise<number | null> {
  const [row] = await connection.query(ACCOUNT, [accountName(secret, serviceId, apiKey)])
  return row === undefined ? null : Number(row['id'])
}

export async function renameComputer(ask: Ask, account: number, id: string, name: string): Promise<void> {
  await ask(RENAME, [account, id, name])
}

export async function removeComputer(ask: Ask, account: number, id: string): Promise<void> {
  await ask(REMOVE, [account, id])
}

/** Opens a ledger, creating its tables if they are missing, and describes it. Throws like `LedgerConnection.open`. */
export async function checkLedger(address: LedgerAddress, password: string | null, clock: Clock): Promise<TeamCheck> {
  const connection = new LedgerConnection(address, password)
  try {
    await connection.open()
    const sentMs = clock.monotonicMs()
    const [row] = await connection.query(SERVER, [])
    const roundTripMs = clock.monotonicMs() - sentMs
    return {
      server: String(row?.['version']),
      ledgerVersion: LEDGER_VERSION,
      encrypted: row?.['encrypted'] === true,
      roundTripMs,
    }
  } finally {
    await connection.close()
  }
}
