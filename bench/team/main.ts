/**
 * The cost of a team ledger: a slot and a claim, with few and with many payments in it, for one computer and for fifty, on a real
 * PostgreSQL on this machine; the same without a ledger; and the statements that a picture takes. `HANGAR_BENCH_PAYMENTS` is the larger
 * number of payments (10,000,000).
 */
import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import { OWN_LEDGER } from '../../src/main/core/account-ledger.ts'
import { joinTeam, type Member, SERVICE } from '../../test/team/ledger-bench.ts'
import { PostgresServer } from '../../test/team/postgres.ts'
import { reportOf } from '../../src/main/team/team-report.ts'
import { measurePictures } from './measure-pictures.ts'

const MOST = Number(process.env['HANGAR_BENCH_PAYMENTS'] ?? 10_000_000)
const CALLS = 400
const NO_CAPS = { perDay: null, perMonth: null }

const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
const figures = (times: number[], digits = 1) => {
  const sorted = times.toSorted((a, b) => a - b)
  return `${quantile(sorted, 0.5).toFixed(digits)} | ${quantile(sorted, 0.95).toFixed(digits)}`
}

/** Each member makes its calls in sequence, all members concurrently. */
async function measure(members: readonly Member[], call: (member: Member, nth: number) => Promise<unknown>) {
  const times: number[] = []
  const each = Math.ceil(CALLS / members.length)
  const beganMs = performance.now()
  await Promise.all(
    members.map(async (member, m) => {
      for (let nth = 0; nth < each; nth += 1) {
        const startMs = performance.now()
        await call(member, m * each + nth)
        times.push(performance.now() - startMs)
      }
    }),
  )
  return { times, perSecond: (each * members.length * 1000) / (performance.now() - beganMs) }
}

/** The same two questions to the ledger of a computer that works alone. */
async function measureOwn(): Promise<{ slots: number[]; claims: number[] }> {
  const times = async (call: () => Promise<unknown>) => {
    const taken: number[] = []
    for (let nth = 0; nth < 10_000; nth += 1) {
      const startMs = performance.now()
      await call()
      taken.push(performance.now() - startMs)
    }
    return taken
  }
  const request = { paidKey: `${SERVICE}|own`, isRepetition: false, caps: NO_CAPS }
  return {
    slots: await times(() => OWN_LEDGER.permit('queue', 60, false)),
    claims: await times(async () => {
      const answer = await OWN_LEDGER.claim(request)
      if (answer.kind === 'granted') await answer.claim.confirm()
    }),
  }
}

const STEP = 1_000_000

/** Rows `from` + 1 to `to`. Without indexes meanwhile: to build them at the end takes a fraction of the time. */
async function fill(sql: (text: string) => Promise<unknown>, account: number, from: number, to: number): Promise<void> {
  await sql('ALTER TABLE hangar.payments DROP CONSTRAINT payments_pkey; DROP INDEX hangar.payments_open')
  for (let filled = from; filled < to; filled += STEP) {
    await sql(
      `INSERT INTO hangar.payments (account, key, claim, computer, state, repeats, remote_job, result, claimed_at, changed_at, day)
       SELECT ${account}, sha256(n::text::bytea), gen_random_uuid()::text, 'computer', 'paid', false, n::text,
         '{"imageId":"' || n || '","translations":[{"languageCode":"en","seoFilename":"a-red-hangar","seoAltText":"A red hangar at an airfield in the evening"}]}',
         now(), now(), current_date
       FROM generate_series(${filled + 1}, ${Math.min(filled + STEP, to)}) AS n`,
    )
    console.error(
      `${Math.min(filled + STEP, to).toLocaleString('en')} payments, ${(performance.now() / 1000).toFixed(0)} s`,
    )
  }
  await sql(`SET maintenance_work_mem = '512MB';
    ALTER TABLE hangar.payments ADD PRIMARY KEY (account, key);
    CREATE INDEX payments_open ON hangar.payments (account, computer) WHERE state IN ('sending', 'accepted', 'unknown')`)
  await sql('VACUUM ANALYZE hangar.payments')
  await sql('CHECKPOINT')
  console.error(`indexes, ${(performance.now() / 1000).toFixed(0)} s`)
}

const server = await PostgresServer.start({ shared_preload_libraries: 'pg_stat_statements', max_wal_size: '8GB' })
try {
  const database = await server.database()
  const first = await joinTeam(database, { name: 'computer-0' })
  console.log(`Load average ${loadavg()[0]!.toFixed(1)}.\n`)
  console.log('| payments | computers | slot: median ms | p95 | a second | claim: median ms | p95 | a second |')
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
  let filled = 0
  const reportLines: string[] = []
  for (const payments of [10_000, MOST]) {
    await fill((text) => server.query(text, [], database.name), first.account.account, filled, payments)
    filled = payments
    for (const computers of [1, 50]) {
      const members = [first]
      while (members.length < computers) members.push(await joinTeam(database, { name: `computer-${members.length}` }))
      const slots = await measure(members, async ({ account }) => {
        const answer = await account.permit('queue', 6000, false)
        if (answer.kind === 'granted') answer.permit.unused()
      })
      const claims = await measure(members, ({ account }, nth) =>
        account.claim({ paidKey: `${SERVICE}|${payments}-${computers}-${nth}`, isRepetition: false, caps: NO_CAPS }),
      )
      const reports = await measure([first], () =>
        reportOf((...asked) => first.account.report(...asked), first.account.account, 0),
      )
      reportLines.push(`| ${payments.toLocaleString('en')} | ${computers} | ${figures(reports.times)} |`)
      const cells = [slots, claims].map(({ times, perSecond }) => `${figures(times)} | ${perSecond.toFixed(0)}`)
      console.log(`| ${payments.toLocaleString('en')} | ${computers} | ${cells.join(' | ')} |`)
      for (const member of members.slice(1)) await member.close()
    }
  }
  const [size] = await server.query(
    `SELECT pg_total_relation_size('hangar.payments')::float8 / greatest(1, (SELECT count(*) FROM hangar.payments)) AS bytes`,
    [],
    database.name,
  )
  console.log('\n| payments | computers | report of the settings: median ms | p95 |\n| ---: | ---: | ---: | ---: |')
  for (const line of reportLines) console.log(line)
  console.log(`\nA payment takes ${Math.round(Number(size?.['bytes']))} bytes, indexes included.`)
  await first.close()

  const own = await measureOwn()
  console.log(
    `\nWithout a ledger, median and 95th percentile: slot ${figures(own.slots, 4)} ms, claim ${figures(own.claims, 4)} ms.\n`,
  )

  await server.query('CREATE EXTENSION pg_stat_statements')
  console.log(
    '| computers | pictures | limit | statements a picture | of them | connections to anything but the service |',
  )
  console.log('| ---: | ---: | ---: | ---: | --- |')
  for (const { computers, limit } of [
    { computers: 0, limit: 600 },
    { computers: 1, limit: 600 },
    { computers: 1, limit: 60 },
    { computers: 2, limit: 60 },
  ]) {
    const { pictures, statements, otherConnections } = await measurePictures(server, { computers, limit, pictures: 40 })
    const all = Object.values(statements).reduce((sum, each) => sum + each, 0)
    const parts = Object.entries(statements)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, each]) => `${name} ${(each / pictures).toFixed(1)}`)
    const what = computers === 0 ? `no connection but to the service: ${otherConnections === 0}` : parts.join(', ')
    const cells = [computers || 'no ledger', pictures, limit, (all / pictures).toFixed(1), what]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  await server.stop()
}
