import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Documents } from '../../src/main/journal/documents.ts'
import { type Db, openJournal } from '../../src/main/journal/journal.ts'
import { readLedgerAddress } from '../../src/main/team/ledger-address.ts'
import { TeamAccount } from '../../src/main/team/team-account.ts'
import { TeamIdentity } from '../../src/main/team/team-identity.ts'
import type { LedgerLimits } from '../../src/main/team/ledger-connection.ts'
import { TeamLedger } from '../../src/main/team/team-ledger.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Clock } from '../../src/shared/runtime/ports.ts'
import { quiet } from '../simulation/world.ts'
import { PATIENCE_MS } from '../until.ts'

/** A ledger that answers counts as answering, however slow the machine is. */
const PATIENT: LedgerLimits = {
  statementMs: PATIENCE_MS,
  lockMs: PATIENCE_MS,
  queryMs: PATIENCE_MS,
  connectMs: PATIENCE_MS,
}
export const SERVICE = 'https://images.example'

export interface Member {
  ledger: TeamLedger
  account: TeamAccount
  db: Db
  dataDir: string
  close(): Promise<void>
}

/** One computer's side of a ledger, with a journal of its own. */
export async function joinTeam(
  { url, password }: { url: string; password: string },
  options: {
    name?: string | (() => string)
    apiKey?: string
    dataDir?: string
    serviceId?: string
    clock?: Clock
    /** Those of the product where null. */
    limits?: null
  } = {},
): Promise<Member> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'hangar-member-'))
  const db = openJournal(dataDir)
  const { name = 'studio', clock = realClock } = options
  const shared = { clock, log: quiet, onChange: () => undefined }
  const ledger = new TeamLedger({
    ...shared,
    address: readLedgerAddress(url),
    password: async () => password,
    random: Math.random,
    ...(options.limits !== null && { limits: PATIENT }),
  })
  const account = new TeamAccount({
    ...shared,
    ledger,
    identity: new TeamIdentity(new Documents(db)),
    db,
    serviceId: options.serviceId ?? SERVICE,
    accountId: 'account',
    apiKey: options.apiKey ?? 'key-of-the-team',
    computerName: () => (typeof name === 'string' ? name : name()),
    version: 'test',
  })
  ledger.join(account)
  ledger.start()
  await ledger.ready()
  return {
    ledger,
    account,
    db,
    dataDir,
    close: async () => {
      await account.flush()
      await ledger.close()
      db.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
