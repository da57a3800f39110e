import { prepared, type Db } from '../../src/main/journal/journal.ts'

const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000
const DAYS = 30
/** Days ago that credits were bought, and how many. */
const BOUGHT = { daysAgo: 13, credits: 1500 }
const WEEKEND = [0, 6]

/**
 * A month of pictures sent and balances seen, ending at the balance that the journal has now. Weekends are quiet; what is
 * sent on a day follows from the day's place in the month, so that each scene looks alike.
 */
export function writePastMonth(
  db: Db,
  { folderIds, languages }: { folderIds: readonly (string | null)[]; languages: number },
): void {
  const now = prepared<[], { at_ms: number; service_id: string; balance: number }>(
    db,
    'SELECT at_ms, service_id, balance FROM balances ORDER BY at_ms DESC LIMIT 1',
  ).get()
  if (now === undefined) throw new Error('no balance was asked yet')
  const balances = prepared<[number, string, number], never>(
    db,
    'INSERT INTO balances (at_ms, service_id, balance) VALUES (?, ?, ?)',
  )
  const dispatches = prepared<[string, string, string | null, string, number, number], never>(
    db,
    `INSERT INTO dispatches (paid_key, job_id, folder_id, service_id, operation, languages, format, at_ms, outcome, repeats,
      batch_id, account_id) VALUES (?, ?, ?, ?, 'process', ?, 'webp', ?, 'accepted', 0, 'past', 'a')`,
  )
  const payments = prepared<[string, string, string, number], never>(
    db,
    `INSERT INTO payments (paid_key, service_id, job_id, state, at_ms) VALUES (?, ?, ?, 'ended', ?)`,
  )
  const price = languages + 2
  let balance = now.balance
  db.transaction(() => {
    for (let daysAgo = 1; daysAgo <= DAYS; daysAgo += 1) {
      const evening = new Date(now.at_ms - daysAgo * DAY_MS).setHours(18, 0, 0, 0)
      balances.run(evening, now.service_id, balance)
      const sent = WEEKEND.includes(new Date(evening).getDay()) ? daysAgo % 3 : 6 + ((daysAgo * 7) % 17)
      for (let n = 0; n < sent; n += 1) {
        const id = `past-${daysAgo}-${n}`
        const folderId = folderIds[(n * n + daysAgo) % folderIds.length] ?? null
        const atMs = evening - (n + 1) * 60_000
        payments.run(id, now.service_id, id, atMs)
        dispatches.run(id, id, folderId, now.service_id, languages, atMs)
      }
      balance += sent * price
      balances.run(evening - (sent + 1) * 60_000, now.service_id, balance)
      if (daysAgo === BOUGHT.daysAgo) balance -= BOUGHT.credits
    }
  })()
}

/** Makes the jobs of the journal look older, each its own age: from days for the first to half an hour for the last. */
export function letTimePass(db: Db): void {
  const ids = prepared<[], { id: string }>(db, 'SELECT id FROM jobs ORDER BY id DESC').all()
  const job = prepared<[{ ageMs: number; id: string }], never>(
    db,
    `UPDATE jobs SET created_at_ms = created_at_ms - @ageMs, updated_at_ms = updated_at_ms - @ageMs,
      doc = json_set(doc, '$.createdAtMs', created_at_ms - @ageMs, '$.updatedAtMs', updated_at_ms - @ageMs) WHERE id = @id`,
  )
  const events = prepared<[number, string], never>(db, 'UPDATE job_events SET at_ms = at_ms - ? WHERE job_id = ?')
  db.transaction(() => {
    for (const [n, { id }] of ids.entries()) {
      const ageMs = Math.round(HALF_HOUR_MS * 1.35 ** n)
      job.run({ ageMs, id })
      events.run(ageMs, id)
    }
  })()
}
