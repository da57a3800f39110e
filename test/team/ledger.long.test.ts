import { cpSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Claim, ClaimAnswer } from '../../src/main/core/account-ledger.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { transact } from '../../src/main/journal/journal.ts'
import { Documents } from '../../src/main/journal/documents.ts'
import { keepDecision, learnPayment } from '../../src/main/journal/team-claims.ts'
import { readLedgerAddress } from '../../src/main/team/ledger-address.ts'
import { LEDGER_FUNCTIONS } from '../../src/main/team/ledger-functions.ts'
import { LEDGER_VERSION } from '../../src/main/team/ledger-schema.ts'
import { checkLedger } from '../../src/main/team/team-report.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { SOME_RESULT as RESULT } from '../queue/make-job.ts'
import { cuttingProxy, urlThrough } from './cutting-proxy.ts'
import { joinTeam, type Member, SERVICE } from './ledger-bench.ts'
import { POSTGRES, PostgresServer } from './postgres.ts'
import { folderForTest } from '../temp-folder.ts'

const KEY = `${SERVICE}|${'a'.repeat(64)}|process|en|webp`
const NO_CAPS = { perDay: null, perMonth: null }
/** Slots of calls that are under way. */
const UNANSWERED = 'slots WHERE answered_at IS NULL'
const ORDER = { paidKey: KEY, isRepetition: false, caps: NO_CAPS }

type KnownState = 'accepted' | 'paid' | 'unknown' | 'ended'

describeWith(POSTGRES)('the team ledger', () => {
  let server: PostgresServer
  let database: Awaited<ReturnType<PostgresServer['database']>>
  const members: Member[] = []

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server?.stop())
  afterEach(async () => {
    for (const member of members.splice(0)) await member.close()
  })

  const team = async (...names: string[]): Promise<Member[]> => {
    database = await server.database()
    return Promise.all(names.map((name) => enter(name)))
  }
  const enter = async (
    name: string | (() => string),
    options: Parameters<typeof joinTeam>[1] = {},
    way: { url?: string; password?: string } = {},
  ): Promise<Member> => {
    const member = await joinTeam({ ...database, ...way }, { name, ...options })
    members.push(member)
    return member
  }
  /** A proxy that leads to the ledger, and the address of the ledger by it. */
  const openWay = async () => {
    const proxy = await cuttingProxy(server.port)
    onTestFinished(() => proxy.close())
    return { proxy, url: urlThrough(proxy, database.url) }
  }
  const sql = (text: string) => server.query(text, [], database.name)
  const count = async (rows: string) => Number((await sql(`SELECT count(*) AS n FROM hangar.${rows}`))[0]!['n'])
  /** From now on no time passes in the ledger but by `later`: its windows are seconds, and a busy machine takes as long for one call. */
  const standStill = async () => {
    const [row] = await sql('SELECT clock_timestamp()::text AS now')
    const functions = LEDGER_FUNCTIONS.slice(LEDGER_FUNCTIONS.indexOf('CREATE FUNCTION'))
    await sql(
      functions
        .replaceAll('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')
        .replaceAll('clock_timestamp()', `timestamptz '${String(row!['now'])}'`),
    )
  }
  /** As if this many seconds had passed. */
  const later = async (seconds: number) => {
    await sql(
      `UPDATE hangar.slots SET taken_at = taken_at - interval '${seconds} s', answered_at = answered_at - interval '${seconds} s'`,
    )
    await sql(`UPDATE hangar.computers SET wants_at = wants_at - interval '${seconds} s'`)
  }
  const take = async (member: Member, limit: number, urgency: 'person' | 'queue' = 'queue') => {
    const answer = await member.account.permit(urgency, limit, true)
    return answer.kind === 'granted' ? answer.permit : null
  }
  /** As many slots as it gets. */
  const takeAll = async (member: Member, limit: number) => {
    const taken = []
    for (let permit = await take(member, limit); permit !== null; permit = await take(member, limit)) taken.push(permit)
    return taken
  }
  const stateOf = async () => (await sql('SELECT state FROM hangar.payments'))[0]?.['state'] ?? null
  const granted = (answer: ClaimAnswer) => {
    if (answer.kind !== 'granted') throw new Error(`the claim was answered with ${answer.kind}`)
    return answer.claim
  }
  /** What the queue does before it sends; whether it may. */
  const begin = (member: Member, claim: Claim) => {
    transact(member.db, () => claim.begun())
    return claim.confirm()
  }
  /** Copies its data folder, as a backup does. */
  const copyOf = (member: Member): string => {
    const copy = folderForTest()
    member.db.pragma('wal_checkpoint(TRUNCATE)')
    cpSync(member.dataDir, copy, { recursive: true })
    return copy
  }
  /** As if it had not been there for three minutes, and the ledger had. */
  const isLost = async (name: string) => {
    // At once, so that it says in between of itself that it is there as rarely as possible.
    const seen = `UPDATE hangar.computers SET seen_at = seen_at - interval '3 minutes' WHERE name = '${name}'`
    await sql(`WITH seen AS (${seen}) UPDATE hangar.accounts SET steady_since = steady_since - interval '3 minutes'`)
  }
  const learn = (member: Member, state: KnownState, remoteJobId: string | null = null) => {
    const result = state === 'paid' ? RESULT : null
    learnPayment(member.db, { paidKey: KEY, serviceId: SERVICE, jobId: 'j', state, remoteJobId, result, atMs: 1 })
  }
  /** What the queue does once an answer is in the journal. */
  const journal = (member: Member, state: KnownState, remoteJobId?: string) => {
    learn(member, state, remoteJobId)
    member.account.paymentChanged(KEY)
    return member.account.flush()
  }
  it('is made once when several computers begin at the same moment, and names no key', async () => {
    await team('a', 'b', 'c', 'd')
    for (const { ledger } of members) expect(ledger.trouble).toBeNull()
    expect(await sql('SELECT version FROM hangar.ledger')).toEqual([{ version: LEDGER_VERSION }])
    expect(await sql('SELECT name FROM hangar.accounts')).toHaveLength(1)
    const all = await sql(
      `SELECT string_agg(t::text, ' ') AS text FROM (SELECT a::text AS t FROM hangar.accounts a UNION ALL SELECT c::text FROM hangar.computers c) x`,
    )
    expect(String(all[0]!['text'])).not.toContain('key-of-the-team')
  })

  it('grants no more slots than the limit, however many ask, and counts a call until a minute after its answer', async () => {
    await team('a', 'b', 'c')
    await standStill()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => members[n % 3]!.account.permit('queue', 20, true)),
    )
    const permits = answers.flatMap((answer) => (answer.kind === 'granted' ? [answer.permit] : []))
    expect(permits.length).toBe(20)
    expect(await take(members[0]!, 20)).toBeNull()
    // An hour without an answer is not an answer, but no transport waits for ten minutes.
    await later(120)
    expect(await take(members[0]!, 20)).toBeNull()
    for (const permit of permits) permit.answered(null)
    await until('the answers are in the ledger', async () => (await count(UNANSWERED)) === 0)
    await later(59)
    expect(await take(members[0]!, 20)).toBeNull()
    await later(2)
    expect(await take(members[0]!, 20)).not.toBeNull()
  })

  it('gives a slot back that was not used, and frees those of a computer that restarted a minute later', async () => {
    const [a, b] = await team('a', 'b')
    const permits = await takeAll(a!, 10)
    expect(permits.length).toBe(10)
    permits[0]!.unused()
    await until('it is back', async () => (await count('slots')) === 9)
    expect(await take(b!, 10)).not.toBeNull()
    expect(await take(b!, 10)).toBeNull()
    await a!.ledger.close()
    await enter('a', { dataDir: a!.dataDir })
    expect(await take(b!, 10)).toBeNull()
    await later(61)
    await members.at(-1)!.account.beat()
    expect(await take(b!, 10)).toBeNull()
    await later(61)
    expect((await takeAll(b!, 10)).length).toBeGreaterThanOrEqual(9)
  })

  it('keeps the slots of calls that are under way when the connection was lost and a computer enters again', async () => {
    const [a] = await team('a')
    expect(await takeAll(a!, 5)).toHaveLength(5)
    await later(50)
    await a!.account.enter(String((await sql('SELECT secret FROM hangar.ledger'))[0]!['secret']))
    await later(61)
    expect(await take(a!, 5)).toBeNull()
  })

  it('does not take a slot for answered that was granted while the beat was on its way', async () => {
    const [a] = await team('a')
    await sql(
      `INSERT INTO hangar.slots SELECT ${a!.account.account}, gen_random_uuid(), '${a!.account.computer}', clock_timestamp()`,
    )
    await a!.account.beat()
    expect(await count(UNANSWERED)).toBe(1)
    await later(31)
    await a!.account.beat()
    expect(await count(UNANSWERED)).toBe(0)
  })

  it('shares slots fairly among those that want them, and lets one use what the others do not', async () => {
    const [a, b] = await team('a', 'b')
    await standStill()
    const ofA = await takeAll(a!, 30)
    expect(ofA.length).toBe(30)
    // Now the other one wants some too: what comes free goes to it until it has its half.
    expect(await take(b!, 30)).toBeNull()
    for (const permit of ofA.slice(0, 20)) permit.unused()
    await until('they are back', async () => (await count('slots')) === 10)
    const both = { a: 10, b: 0 }
    for (let n = 0; n < 40; n += 1) {
      if ((await take(a!, 30)) !== null) both.a += 1
      if ((await take(b!, 30)) !== null) both.b += 1
    }
    expect(both).toEqual({ a: 15, b: 15 })
    expect(a!.account.share(30)).toBe(15)
  })

  it('lets a person go first', async () => {
    const [a, b] = await team('a', 'b')
    await standStill()
    const permits = await takeAll(a!, 10)
    expect(await take(b!, 10, 'person')).toBeNull()
    permits[0]!.unused()
    await until('one is free', async () => (await count('slots')) === 9)
    expect(await take(a!, 10)).toBeNull()
    expect(await take(b!, 10, 'person')).not.toBeNull()
  })

  it('pauses all computers when the service asks one to wait', async () => {
    const [a, b] = await team('a', 'b')
    ;(await take(a!, 60))!.answered(600_000)
    await until('the pause is known', async () => (await take(b!, 60)) === null)
    expect(await take(b!, 60, 'person')).toBeNull()
    await sql(`UPDATE hangar.accounts SET paused_until = clock_timestamp() - interval '1 s'`)
    expect(await take(b!, 60)).not.toBeNull()
  })

  it('pauses all computers also when the connection broke just as one was asked to wait', async () => {
    const [b] = await team('b')
    const { proxy, url } = await openWay()
    const a = await enter('a', {}, { url })
    const permit = await take(a, 60)
    proxy.cut = { on: '\0answered\0', when: 'asked', act: () => proxy.cutAll() }
    permit!.answered(600_000)
    const isPaused = async () => (await sql('SELECT paused_until FROM hangar.accounts'))[0]!['paused_until'] !== null
    await until('the pause is known', isPaused)
    expect(await take(b!, 60, 'person')).toBeNull()
    const [left] = await sql('SELECT extract(epoch FROM paused_until - clock_timestamp()) AS s FROM hangar.accounts')
    expect(Number(left!['s'])).toBeGreaterThan(500)
  })

  it('counts everything as just made when the clock of the database was set back', async () => {
    const [a] = await team('a')
    await standStill()
    for (const permit of await takeAll(a!, 10)) permit.answered(null)
    await until('the answers are recorded', async () => (await count('slots WHERE answered_at IS NOT NULL')) === 10)
    await later(-3600)
    expect(await take(a!, 10)).toBeNull()
    await later(59)
    expect(await take(a!, 10)).toBeNull()
    await later(2)
    expect(await take(a!, 10)).not.toBeNull()
  })

  it('keeps accounts, services and teams apart', async () => {
    await team('a')
    const others = [
      await enter('b', { apiKey: 'another-key' }),
      await enter('c', { serviceId: 'https://other.example' }),
    ]
    for (const member of members) expect((await takeAll(member, 10)).length).toBe(10)
    for (const member of members) granted(await member.account.claim(ORDER))
    expect(others).toHaveLength(2)
    expect(await sql('SELECT name FROM hangar.accounts')).toHaveLength(3)
  })

  it('lets one computer send a picture, however many ask at the same moment', async () => {
    await team('a', 'b', 'c', 'd')
    const answers = await Promise.all(members.map(({ account }) => account.claim(ORDER)))
    expect(answers.filter(({ kind }) => kind === 'granted')).toHaveLength(1)
    expect(answers.filter(({ kind }) => kind === 'elsewhere')).toHaveLength(3)
  })

  it('tells the others which computer has it, then its job, then its texts', async () => {
    const [a, b] = await team('studio', 'nas')
    const claim = granted(await a!.account.claim(ORDER))
    transact(a!.db, () => claim.begun())
    expect(await b!.account.claim(ORDER)).toEqual({ kind: 'elsewhere', computer: 'studio' })
    await journal(a!, 'accepted', 'job-1')
    expect(await b!.account.claim(ORDER)).toEqual({ kind: 'elsewhere', computer: 'studio' })
    await journal(a!, 'paid', 'job-1')
    const answer = await b!.account.claim(ORDER)
    expect(answer).toMatchObject({
      kind: 'known',
      payment: { state: 'paid', remoteJobId: 'job-1', result: RESULT, computer: 'studio' },
    })
  })

  it('sends once what two persons order at two computers, also when the first was sent by then', async () => {
    const [a, b, c] = await team('a', 'b', 'c')
    await begin(a!, granted(await a!.account.claim(ORDER)))
    await isLost('a')
    for (const member of [b!, c!]) {
      const answer = await member.account.claim(ORDER)
      if (answer.kind === 'known') answer.payment.learn()
    }
    const claim = granted(await b!.account.claim({ ...ORDER, isRepetition: true }))
    expect(await begin(b!, claim)).toBe(true)
    await journal(b!, 'accepted', 'job-1')
    await journal(b!, 'paid', 'job-1')
    const second = await c!.account.claim({ ...ORDER, isRepetition: true })
    expect(second).toMatchObject({ kind: 'known', payment: { state: 'paid', remoteJobId: 'job-1' } })
  })

  it('hears a lost computer that comes back before a person decided', async () => {
    const [a, b] = await team('a', 'b')
    await begin(a!, granted(await a!.account.claim(ORDER)))
    await sql(`DELETE FROM hangar.computers WHERE name = 'a'`)
    expect(await b!.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'unknown' } })
    await journal(a!, 'accepted', 'job-1')
    expect(await stateOf()).toBe('accepted')
    expect((await b!.account.outcomes([KEY])).get(KEY)).toMatchObject({
      kind: 'known',
      payment: { state: 'accepted', remoteJobId: 'job-1' },
    })
  })

  it('keeps a decision that was made while it was away, and hears it later', async () => {
    const [a, b] = await team('a', 'b')
    await begin(a!, granted(await a!.account.claim(ORDER)))
    await journal(a!, 'unknown')
    await a!.ledger.close()
    keepDecision(new Documents(a!.db), KEY, SERVICE, true)
    const again = await enter('a', { dataDir: a!.dataDir })
    await again.account.flush()
    expect(await b!.account.claim(ORDER)).toMatchObject({ kind: 'dropped' })
  })

  it('says of an unknown payment when it has ended, and when it was not sent after all', async () => {
    const [a, b] = await team('a', 'b')
    const claim = granted(await a!.account.claim(ORDER))
    expect(await begin(a!, claim)).toBe(true)
    await isLost('a')
    const unknown = await b!.account.claim(ORDER)
    if (unknown.kind !== 'known') throw new Error(`the claim was answered with ${unknown.kind}`)
    expect(unknown.payment.state).toBe('unknown')
    transact(b!.db, () => {
      learn(b!, 'unknown')
      unknown.payment.learn()
    })
    // It comes back and did not send it: this key can be claimed again, also by one that knew it as unknown.
    await a!.account.beat()
    a!.db.prepare('DELETE FROM payments').run()
    a!.account.paymentChanged(KEY)
    await a!.account.flush()
    const outcome = (await b!.account.outcomes([KEY])).get(KEY)
    expect(outcome).toMatchObject({ kind: 'notSent' })
    if (outcome?.kind === 'notSent') transact(b!.db, () => outcome.forget())
    expect(b!.db.prepare('SELECT count(*) FROM payments').pluck().get()).toBe(0)
    const second = granted(await b!.account.claim(ORDER))
    await begin(b!, second)
    await journal(b!, 'unknown')
    // What it may have sent itself stays unknown, even if the ledger has lost it.
    b!.db
      .prepare(
        `INSERT INTO dispatches (paid_key, job_id, service_id, operation, languages, format, at_ms, outcome, repeats, batch_id, account_id)
      VALUES (?, 'j', ?, 'process', 1, 'webp', 1, 'unknown', 0, 'b', 'a')`,
      )
      .run(KEY, SERVICE)
    await sql('DELETE FROM hangar.payments')
    expect((await b!.account.outcomes([KEY])).size).toBe(0)
    await sql(`INSERT INTO hangar.payments (account, key, claim, computer, state, repeats, claimed_at, changed_at, day)
      VALUES (${b!.account.account}, sha256('${KEY}'), 'c', 'gone', 'ended', false, now(), now(), now())`)
    expect((await b!.account.outcomes([KEY])).get(KEY)).toMatchObject({ kind: 'known', payment: { state: 'ended' } })
  })

  it('forgets a claim that came to nothing, also one whose computer was killed before it noted it', async () => {
    const [a, b] = await team('a', 'b')
    granted(await a!.account.claim(ORDER)).release()
    await until('it is released', async () => (await stateOf()) === null)
    granted(await a!.account.claim(ORDER))
    await a!.ledger.close()
    expect(await b!.account.claim(ORDER)).toMatchObject({ kind: 'elsewhere' })
    await enter('a', { dataDir: a!.dataDir })
    granted(await b!.account.claim(ORDER))
    expect(await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')).toEqual([{ n: 1 }])
  })

  it('leaves what was paid as it was when a repetition was not sent after all, and the order as good as before', async () => {
    const [a, b] = await team('a', 'b')
    const first = granted(await a!.account.claim(ORDER))
    transact(a!.db, () => first.begun())
    await journal(a!, 'accepted', 'job-1')
    await journal(a!, 'paid', 'job-1')
    await sql(`UPDATE hangar.payments SET claimed_at = claimed_at - interval '1 hour'`)
    for (let n = 0; n < 2; n += 1) {
      granted(await a!.account.claim({ ...ORDER, isRepetition: true })).release()
      await until('it is given back', async () => (await stateOf()) === 'paid')
      const answer = await b!.account.claim(ORDER)
      expect(answer).toMatchObject({ kind: 'known', payment: { state: 'paid', remoteJobId: 'job-1', result: RESULT } })
      if (answer.kind === 'known') expect(answer.payment.ageMs).toBeGreaterThan(3_000_000)
    }
    expect(await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')).toEqual([{ n: 1 }])
    granted(await a!.account.claim({ ...ORDER, isRepetition: true }))
  })

  it('takes in what a computer paid for before it joined', async () => {
    const [a] = await team('a')
    await a!.ledger.close()
    learn(a!, 'paid', 'job-1')
    await enter('a', { dataDir: a!.dataDir })
    const b = await enter('b')
    expect(await b.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'paid', result: RESULT } })
  })

  it('takes in what a computer is sending when it joins, so that no other sends it too', async () => {
    const [a] = await team('a')
    await a!.ledger.close()
    a!.db
      .prepare(`INSERT INTO payments (paid_key, service_id, job_id, state, at_ms) VALUES (?, ?, 'j', 'sending', 1)`)
      .run(KEY, SERVICE)
    const again = await enter('a', { dataDir: a!.dataDir })
    const b = await enter('b')
    expect(await b.account.claim(ORDER)).toEqual({ kind: 'elsewhere', computer: 'a' })
    expect(await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')).toEqual([{ n: 1 }])
    await journal(again, 'accepted', 'job-1')
    await journal(again, 'paid', 'job-1')
    expect(await b.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'paid', result: RESULT } })
  })

  it('takes in what became of it meanwhile when the connection broke as a computer joined', async () => {
    const [b] = await team('b')
    const a = await enter('a')
    await a.ledger.close()
    a.db
      .prepare(`INSERT INTO payments (paid_key, service_id, job_id, state, at_ms) VALUES (?, ?, 'j', 'sending', 1)`)
      .run(KEY, SERVICE)
    const { proxy, url } = await openWay()
    const cut = () => {
      learn(a, 'accepted', 'job-1')
      proxy.cutAll()
    }
    proxy.cut = { on: '\0contribute\0', when: 'answered', act: cut }
    const again = await enter('a', { dataDir: a.dataDir }, { url })
    await until('it has joined', () => again.ledger.trouble === null)
    expect(await stateOf()).toBe('accepted')
    await isLost('a')
    const adopted = { kind: 'known', payment: { state: 'accepted', remoteJobId: 'job-1' } }
    expect(await b!.account.claim(ORDER)).toMatchObject(adopted)
    expect(await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')).toEqual([{ n: 1 }])
  })

  it('does not take a copy of a journal, or an old one, for the computer it is of', async () => {
    const [a] = await team('a')
    const before = a!.account.computer
    await sql(`UPDATE hangar.computers SET run = run + 5`)
    const again = await enter('a', { dataDir: a!.dataDir })
    expect(again.account.computer).not.toBe(before)
    expect(again.ledger.trouble).toBeNull()
  })

  it('never takes back what an older copy of a journal does not know of: it may have been sent', async () => {
    const [a, b] = await team('a', 'b')
    const copy = copyOf(a!)
    expect(await begin(a!, granted(await a!.account.claim(ORDER)))).toBe(true)
    // The copy begins while the other one is sending, and for a moment passes for it.
    const twin = await enter('a', { dataDir: copy })
    expect(twin.account.computer).toBe(a!.account.computer)
    expect(await b!.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'unknown' } })
    expect(await twin.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'unknown' } })
    await a!.account.beat()
    await a!.ledger.ready()
    expect(a!.account.computer).not.toBe(twin.account.computer)
    await journal(a!, 'accepted', 'job-1')
    expect(await stateOf()).toBe('accepted')
  })

  it('sends one of two when a journal is copied between a claim and its intent, whichever goes on first', async () => {
    const [a, b] = await team('a', 'b')
    // The copy is put back while the first goes on: it takes back what was not confirmed …
    const claim = granted(await a!.account.claim(ORDER))
    await enter('a', { dataDir: copyOf(a!) })
    granted(await b!.account.claim(ORDER)).release()
    await until('it is given back', async () => (await stateOf()) === null)
    const again = granted(await b!.account.claim(ORDER))
    expect(await begin(a!, claim)).toBe(false)
    expect(await begin(b!, again)).toBe(true)
    // … and when the first was already sending, it is unknown.
    const [c, d] = await team('c', 'd')
    const begun = granted(await c!.account.claim(ORDER))
    const copy = copyOf(c!)
    expect(await begin(c!, begun)).toBe(true)
    await enter('c', { dataDir: copy })
    expect(await d!.account.claim(ORDER)).toMatchObject({ kind: 'known', payment: { state: 'unknown' } })
  })

  it('gives what a lost computer claimed and did not begin to another, and confirms it to the lost one no more', async () => {
    const [a, b] = await team('a', 'b')
    const claim = granted(await a!.account.claim(ORDER))
    await isLost('a')
    expect(await b!.account.claim(ORDER)).toEqual({ kind: 'askAgain' })
    const other = granted(await b!.account.claim(ORDER))
    expect(await begin(a!, claim)).toBe(false)
    expect(await begin(b!, other)).toBe(true)
    expect(await sql('SELECT sum(sent)::integer AS n FROM hangar.sent')).toEqual([{ n: 1 }])
  })

  it('confirms nothing to a computer that slept while it was asked, and takes one that begins for being there', async () => {
    let sleptMs = 0
    await team('b')
    const clock = { ...realClock, nowMs: () => realClock.nowMs() + sleptMs }
    const a = await enter('a', { clock })
    const claim = granted(await a.account.claim(ORDER))
    await isLost('a')
    const confirmed = begin(a, claim)
    sleptMs = 61_000
    expect(await confirmed).toBe(false)
    const gone = `SELECT hangar.is_gone(account, computer) AS gone FROM hangar.computers WHERE name = 'a'`
    expect(await sql(gone)).toEqual([{ gone: false }])
  })

  it('permits a call only for a minute: after that the computer slept, and the ledger may no longer count the call', async () => {
    const passed = { wallMs: 0, monotonicMs: 0 }
    const clock = {
      ...realClock,
      nowMs: () => realClock.nowMs() + passed.wallMs,
      monotonicMs: () => realClock.monotonicMs() + passed.monotonicMs,
    }
    await team('b')
    const a = await enter('a', { clock })
    // The monotonic clock may stop during sleep, and the wall clock may be set back in it.
    for (const which of ['wallMs', 'monotonicMs'] as const) {
      const permit = await take(a, 60)
      expect(permit!.isCurrent()).toBe(true)
      passed[which] += 61_000
      expect(permit!.isCurrent()).toBe(false)
      permit!.unused()
    }
  })

  it('knows no cap that is too large, and is not away because of a value that it cannot take', async () => {
    const [a] = await team('a')
    const caps = { perDay: 3_000_000_000, perMonth: Number.MAX_SAFE_INTEGER }
    granted(await a!.account.claim({ ...ORDER, caps }))
    const odd = { name: 'odd', text: 'SELECT $1::integer, $2::text' }
    for (const values of [
      [3_000_000_000, 'a'],
      [1, 'a\0b'],
    ])
      await expect(a!.ledger.query(odd, values)).rejects.toMatchObject({ code: 'ledger_refused' })
    expect(a!.ledger.trouble).toBeNull()
    const named = await enter(() => 'with\0control\ncharacters')
    expect(named.ledger.trouble).toBeNull()
    expect(await sql('SELECT name FROM hangar.computers ORDER BY name')).toEqual([
      { name: 'a' },
      { name: 'with control characters' },
    ])
  })

  it('is not made in a PostgreSQL that is too old, which is said', async () => {
    database = await server.database()
    const [row] = await sql('SHOW server_version_num')
    const { proxy, url } = await openWay()
    proxy.replaces = [String(row!['server_version_num']), '130022']
    const checked = checkLedger(readLedgerAddress(url), database.password, realClock)
    const sentence = { code: 'ledger_too_old', values: { version: 13 } }
    await expect(checked).rejects.toMatchObject({ code: 'ledger_refused', sentence })
    expect(await sql(`SELECT 1 FROM pg_namespace WHERE nspname = 'hangar'`)).toEqual([])
  })

  it('that was made by a newer Hangar is left alone', async () => {
    await team('a')
    await sql(`UPDATE hangar.ledger SET version = ${LEDGER_VERSION + 1}`)
    const old = await enter('old')
    expect(old.ledger.trouble).toMatchObject({ code: 'ledger_newer' })
    expect(await old.account.claim(ORDER)).toEqual({ kind: 'noAnswer' })
    expect(await take(old, 60)).toBeNull()
  })

  it('that a newer Hangar migrates is left alone by one that is connected, from its next beat on', async () => {
    const [a] = await team('a')
    await sql(`UPDATE hangar.ledger SET version = ${LEDGER_VERSION + 1}`)
    await until('it has noticed', () => a!.ledger.trouble !== null)
    expect(a!.ledger.trouble).toMatchObject({ code: 'ledger_newer' })
    expect(await take(a!, 60)).toBeNull()
    expect(await a!.account.claim(ORDER)).toEqual({ kind: 'noAnswer' })
  })

  it('takes neither the password nor anything else from the environment', async () => {
    await team('a')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('PGPASSWORD', database.password)
    const without = await enter('w', {}, { password: '' })
    expect(without.ledger.trouble).toMatchObject({ code: 'ledger_refused' })
    const others = {
      PGREPLICATION: 'database',
      PGBINARY: 'true',
      PGSSLNEGOTIATION: 'direct',
      PGSSLMODE: 'require',
      PGCLIENT_ENCODING: 'SQL_ASCII',
      PGOPTIONS: '-c search_path=public',
      PGAPPNAME: 'other',
    }
    for (const [name, value] of Object.entries(others)) vi.stubEnv(name, value)
    const b = await enter('b')
    expect(b.ledger.trouble).toBeNull()
    granted(await b.account.claim(ORDER))
    expect(await take(b, 60)).not.toBeNull()
  })

  it('has what it granted also after a kill -9 of the server, however that is set', async () => {
    await team()
    await server.query(`ALTER DATABASE ${database.name} SET synchronous_commit = off`)
    const a = await enter('a')
    await Promise.all([
      a.account.claim({ ...ORDER, paidKey: `${KEY}|1` }),
      a.account.claim({ ...ORDER, paidKey: `${KEY}|2` }),
    ])
    granted(await a.account.claim(ORDER))
    await server.kill()
    await server.run()
    expect(await sql(`SELECT state FROM hangar.payments`)).toEqual(Array(3).fill({ state: 'sending' }))
  })
})
