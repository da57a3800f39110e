import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EngineProcess, FaultWorld, type StartOptions } from '../faults/fault-world.ts'
import { readJobs } from '../faults/journal-view.ts'
import { POSIX, describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { type Cut, cuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { POSTGRES, PostgresServer } from './postgres.ts'

/** What takes minutes of real time is in `npm run test:faults -- team`. */
const IS_WHOLE = process.env['HANGAR_FAULTS'] === 'all'
const MINUTE = 60_000

/** How a statement is named in PostgreSQL's Bind message: after an empty portal name. */
const statement = (name: string) => `\0${name}\0`

interface Row {
  /** Where kill -9 hits the first computer; docs/team.md lists these. */
  killed: string
  at: 'ledger' | 'service'
  on: string
  when: Cut['when']
  charges: number
  /** What the picture is at the first computer after its restart, and at another one that has it too. */
  ends: { first: string; other: string }
}

/** The steps: claim in the ledger, intent in the journal, confirmation, request, answer in the journal, the ledger is told. */
const ROWS: Row[] = [
  {
    killed: 'before the claim reaches the ledger',
    at: 'ledger',
    on: statement('claim'),
    when: 'asked',
    charges: 1,
    ends: { first: 'ended well', other: 'ended well' },
  },
  {
    killed: 'once the claim is in the ledger, before the intent is in the journal',
    at: 'ledger',
    on: statement('claim'),
    when: 'answered',
    charges: 1,
    ends: { first: 'ended well', other: 'ended well' },
  },
  {
    killed: 'once the intent is in the journal, before the claim is confirmed',
    at: 'ledger',
    on: statement('confirm'),
    when: 'asked',
    charges: 0,
    ends: { first: 'unknown crashed_while_sending', other: 'unknown unknown_elsewhere' },
  },
  {
    killed: 'once the claim is confirmed, before the request reaches the service',
    at: 'service',
    on: 'POST ',
    when: 'asked',
    charges: 0,
    ends: { first: 'unknown crashed_while_sending', other: 'unknown unknown_elsewhere' },
  },
  {
    killed: 'once the service has charged, before its answer arrives',
    at: 'service',
    on: 'POST ',
    when: 'answered',
    charges: 1,
    ends: { first: 'unknown crashed_while_sending', other: 'unknown unknown_elsewhere' },
  },
  {
    killed: 'once the answer is in the journal, before the ledger is told',
    at: 'ledger',
    on: statement('report'),
    when: 'asked',
    charges: 1,
    ends: { first: 'ended well', other: 'ended well' },
  },
  {
    killed: 'once the ledger was told of the job',
    at: 'ledger',
    on: statement('report'),
    when: 'answered',
    charges: 1,
    ends: { first: 'ended well', other: 'ended well' },
  },
]

describeWith(POSTGRES, POSIX)('a computer of a team that is killed, or stands still', () => {
  let server: PostgresServer
  let world: FaultWorld
  let database: Awaited<ReturnType<PostgresServer['database']>>
  const proxies: CuttingProxy[] = []

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server?.stop())
  afterEach(async () => {
    await world.end()
    for (const proxy of proxies.splice(0)) await proxy.close()
  })

  const dataDirOf = (name: string): string => {
    const dataDir = join(world.base, `data-of-${name}`)
    mkdirSync(dataDir, { recursive: true })
    if (!world.dataDirs.includes(dataDir)) world.dataDirs.push(dataDir)
    return dataDir
  }
  const proxyTo = async (port: number) => {
    const proxy = await cuttingProxy(port)
    proxies.push(proxy)
    return proxy
  }
  const computer = (name: string, more: StartOptions & { ledgerPort?: number } = {}): StartOptions => ({
    ...more,
    dataDir: dataDirOf(name),
    ledgerPassword: database.password,
    overrides: {
      ledgerUrl: database.url.replace(/:\d+\//, `:${more.ledgerPort ?? server.port}/`),
      computerName: name,
      ...more.overrides,
    },
  })
  const ends = (name: string) =>
    readJobs(dataDirOf(name))!.map(({ state, reason }) =>
      state === 'done' || state === 'skipped' ? 'ended well' : `${state} ${reason ?? ''}`,
    )
  const atRest = async (name: string) =>
    until(`every picture has ended at ${name}`, () => world.isAtRest(undefined, dataDirOf(name)), {
      describe: () => `${world.reasons(dataDirOf(name)).join(', ')} ${world.said.slice(-15).join('')}`,
    })

  /** One picture goes through the first computer, in a process of its own to which something happens at one point. */
  const stoppedAt = async (
    { at, on, when }: Pick<Row, 'at' | 'on' | 'when'>,
    act: (first: EngineProcess) => void,
    passesOn: boolean,
    speed = 1,
  ) => {
    database = await server.database()
    world = await FaultWorld.make({ speed })
    await world.add()
    const ledger = await proxyTo(server.port)
    const service = await proxyTo(Number(new URL(world.practice.imageBaseUrl).port))
    const serviceUrl = world.practice.imageBaseUrl
    // The service has to stay the same one for the journal, whatever leads to it: all go through this proxy.
    const through = serviceUrl.replace(/:\d+\//, `:${service.port}/`)
    const first = world.spawn(computer('first', { ledgerPort: ledger.port, serviceUrl: through }))
    expect(await first.ready).toBe(true)
    const proxy = at === 'ledger' ? ledger : service
    const acted = new Promise<void>((resolve) => {
      proxy.cut = { on, when, passesOn, act: () => (act(first), resolve()) }
    })
    await first.call('intake.add', world.everything)
    await acted
    return { first, shared: { serviceUrl: through } }
  }
  const killedAt = async (point: Pick<Row, 'at' | 'on' | 'when'>, speed?: number) => {
    const { first, shared } = await stoppedAt(point, ({ child }) => child.kill('SIGKILL'), false, speed)
    expect(await first.ended).toBe('SIGKILL')
    return shared
  }
  /** As if the first one had not been there for more than two minutes. */
  const firstIsLost = async () => {
    for (const sql of [
      `UPDATE hangar.computers SET seen_at = seen_at - interval '3 minutes' WHERE name = 'first'`,
      `UPDATE hangar.accounts SET steady_since = steady_since - interval '3 minutes'`,
    ])
      await server.query(sql, [], database.name)
  }

  describe('at each step', () => {
    for (const row of ROWS)
      it(`${row.killed}: charges ${row.charges}, then ${row.ends.first} there, ${row.ends.other} elsewhere`, async () => {
        const shared = await killedAt(row)
        // The other one begins while the first is gone, and must not send what the first may have sent.
        const other = await world.open(computer('other', shared))
        await other.engine.call('intake.add', world.everything)
        const again = await world.open(computer('first', shared))
        await again.engine.call('intake.add', world.everything)
        await atRest('first')
        await atRest('other')
        expect([ends('first'), ends('other')]).toEqual([[row.ends.first], [row.ends.other]])
        expect(world.practice.ledger().charges).toHaveLength(row.charges)
        expect(await world.violations(true)).toEqual([])
      })
  })

  it('and never comes back leaves its job to another one', async () => {
    const shared = await killedAt({ at: 'ledger', on: statement('report'), when: 'answered' })
    const other = await world.open(computer('other', shared))
    await other.engine.call('intake.add', world.everything)
    await until('it waits', () => readJobs(dataDirOf('other'))!.some(({ reason }) => reason === 'under_way_elsewhere'))
    await firstIsLost()
    await atRest('other')
    expect(ends('other')).toEqual(['ended well'])
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  it('while it stands still between claim and intent, as in a suspend: another one sends, and it does not when it goes on', async () => {
    const point = { at: 'ledger', on: statement('claim'), when: 'answered' } as const
    const { first, shared } = await stoppedAt(point, ({ child }) => child.kill('SIGSTOP'), true)
    const other = await world.open(computer('other', shared))
    await firstIsLost()
    await other.engine.call('intake.add', world.everything)
    await atRest('other')
    expect(ends('other')).toEqual(['ended well'])
    first.child.kill('SIGCONT')
    await atRest('first')
    expect(ends('first')).toEqual(['ended well'])
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  it('leaves what it may have sent to one person, who orders it anywhere, once', async () => {
    const shared = await killedAt({ at: 'service', on: 'POST ', when: 'asked' })
    const others = []
    for (const name of ['b', 'c']) {
      const { engine } = await world.open(computer(name, shared))
      others.push({ name, engine })
      await engine.call('intake.add', world.everything)
    }
    await server.query(`DELETE FROM hangar.computers WHERE name = 'first'`, [], database.name)
    for (const { name } of others) {
      await atRest(name)
      expect(ends(name)).toEqual(['unknown unknown_elsewhere'])
    }
    for (const { name, engine } of others) {
      const [job] = readJobs(dataDirOf(name))!
      expect(await engine.call('jobs.resolve', { ids: [job!.id], how: 'resend' })).toMatchObject({ ok: true })
    }
    for (const { name } of others) await until(`${name} has it`, () => ends(name)[0] === 'ended well')
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  it('leaves what it may have sent to one person, who drops it anywhere, for all', async () => {
    const shared = await killedAt({ at: 'service', on: 'POST ', when: 'asked' }, 5)
    const open = async (name: string) => {
      const { engine } = await world.open(computer(name, shared))
      await engine.call('intake.add', world.everything)
      await atRest(name)
      return engine
    }
    await server.query(`DELETE FROM hangar.computers WHERE name = 'first'`, [], database.name)
    const [b] = [await open('b'), await open('c')]
    expect(ends('b')).toEqual(['unknown unknown_elsewhere'])
    expect(ends('c')).toEqual(['unknown unknown_elsewhere'])
    const [job] = readJobs(dataDirOf('b'))!
    expect(await b.call('jobs.resolve', { ids: [job!.id], how: 'drop' })).toMatchObject({ ok: true })
    await until('it is dropped at c', () => ends('c')[0] === 'cancelled dropped')
    // Also at the computer that was killed, and at one that comes later.
    await world.open(computer('first', shared))
    await until('it is dropped at the first', () => ends('first')[0] === 'cancelled dropped')
    await open('d')
    expect(ends('d')).toEqual(['cancelled dropped'])
    expect(world.practice.ledger().charges).toEqual([])
    // A person can still have it sent.
    expect(await b.call('jobs.retry', { ids: [job!.id] })).toMatchObject({ ok: true })
    await until('b has it', () => ends('b')[0] === 'ended well')
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  if (IS_WHOLE)
    for (const { point, charged } of [
      { point: { at: 'ledger', on: statement('claim'), when: 'answered' }, charged: 0 },
      { point: { at: 'ledger', on: statement('confirm'), when: 'answered' }, charged: 0 },
      { point: { at: 'service', on: 'POST ', when: 'answered' }, charged: 1 },
    ] as const)
      it(
        `that stands still for a minute, ${point.when} ${point.on.replaceAll('\0', '').trim()}, keeps its claim and goes on`,
        async () => {
          const { first, shared } = await stoppedAt(point, ({ child }) => child.kill('SIGSTOP'), true)
          const other = await world.open(computer('other', shared))
          await other.engine.call('intake.add', world.everything)
          await delay(MINUTE + 5000)
          expect(readJobs(dataDirOf('other'))).toMatchObject([{ state: 'ready', reason: 'under_way_elsewhere' }])
          expect(world.practice.ledger().charges).toHaveLength(charged)
          const resumedAtMs = Date.now()
          first.child.kill('SIGCONT')
          await atRest('first')
          await atRest('other')
          process.stdout.write(
            `${point.on.replaceAll('\0', '')}: both at rest ${Date.now() - resumedAtMs} ms after the minute\n`,
          )
          expect([ends('first'), ends('other')]).toEqual([['ended well'], ['ended well']])
          expect(world.practice.ledger().charges).toHaveLength(1)
          expect(await world.violations(true)).toEqual([])
        },
        5 * MINUTE,
      )
})
