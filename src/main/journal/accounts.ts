import type { ServiceId } from '../../shared/recipes/recipe.ts'
import { type Db, prepared } from './journal.ts'

/** The account of a key at a service, by the key's fingerprint; null for a key that was not seen before. */
export function accountOf(db: Db, serviceId: ServiceId, fingerprint: string): string | null {
  const sql = 'SELECT account_id FROM accounts WHERE service_id = ? AND fingerprint = ?'
  return prepared<[string, string], string>(db, sql).pluck(true).get(serviceId, fingerprint) ?? null
}

export function nameAccount(db: Db, serviceId: ServiceId, fingerprint: string, accountId: string): void {
  const sql = `INSERT INTO accounts (service_id, fingerprint, account_id) VALUES (?, ?, ?)
     ON CONFLICT (service_id, fingerprint) DO UPDATE SET account_id = excluded.account_id`
  prepared(db, sql).run(serviceId, fingerprint, accountId)
}
