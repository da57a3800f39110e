import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { EngineProcess } from '../faults/fault-world.ts'
import { readJobs } from '../faults/journal-view.ts'
import { POSIX, describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { type Cut, cuttingProxy, urlThrough } from './cutting-proxy.ts'
import { POSTGRES } from './postgres.ts'
import { atRest, begin, computer, database, dataDirOf, server, startServerForAll, world } from './team-world.ts'

/** What takes minutes of real time is in `npm run test:faults -- team`. */
const IS_WHOLE = process.env['HANGAR_FAULTS'] === 'all'
const MINUTE = 60_000

/** How a statement is named in PostgreSQL's Bind message: after an empty portal name. */
const statement = (name: string) => `\0${name}\0`

type Point = Pick<Cut, 'on' | 'when'> & { at: 'ledger' | 'service' }
const atLedger = (name: string, when: Cut['when']): Point => ({ at: 'ledger', on: statement(name), when })
const atService = (when: Cut['when']): Point => ({ at: 'service', on: 'POST ', when })

/** What the picture is at the first computer after its restart, and at another one that has it too. */
const WELL = ['ended well', 'ended well'] as const
const IN_DOUBT = ['unknown crashed_while_sending', 'unknown unknown_elsewhere'] as const

/**
 * Where kill -9 hits the first computer; docs/team.md lists these. The steps: claim in the ledger, intent in the journal,
 * confirmation, request, answer in the journal, the ledger is told.
 */
const ROWS: [killed: string, point: Point, charges: number, ends: readonly [first: string, other: string]][] = [
  ['before the claim reaches the ledger', atLedger('claim', 'asked'), 1, WELL],
  ['once the claim is in the ledger, before the intent is in the journal', atLedger('claim', 'answered'), 1, WELL],
  ['once the intent is in the journal, before the claim is confirmed', atLedger('confirm', 'asked'), 0, IN_DOUBT],
  ['once the claim is confirmed, before the request reaches the service', atService('asked'), 0, IN_DOUBT],
  ['once the service has charged, before its answer arrives', atService('answered'), 1, IN_DOUBT],
  ['once the answer is in the journal, before the ledger is told', atLedger('report', 'asked'), 1, WELL],
  ['once the ledger was told of the job', atLedger('report', 'answered'), 1, WELL],
]

describeWith(POSTGRES, POSIX)('a computer of a team that is killed, or stands still', () => {
  startServerForAll()

  const proxyTo = async (port: number) => {
    const proxy = await cuttingProxy(port)
    onTestFinished(() => proxy.close())
    return proxy
  }
  const ends = (name: string) =>
    readJobs(dataDirOf(name))!.map(({ state, reason }) =>
      state === 'done' || state === 'skipped' ? 'ended well' : `${state} ${reason ?? ''}`,
    )

  /** One picture goes through the first computer, in a process of its own to which something happens at one point. */
  const stoppedAt = async (
    { at, on, when }: Point,
    act: (first: EngineProcess) => void,
    passesOn: boolean,
    speed = 1,
  ) => {
    await begin({ speed })
    await world.add()
    const ledger = await proxyTo(server.port)
    const service = await proxyTo(Number(new URL(world.practice.imageBaseUrl).port))
    const serviceUrl = world.practice.imageBaseUrl
    // The service has to stay the same one for the journal, whatever leads to it: all go through this proxy.
    const through = urlThrough(service, serviceUrl)
    const ledgerUrl = urlThrough(ledger, database.url)
    const first = world.spawn(computer('first', { serviceUrl: through, overrides: { ledgerUrl } }))
    expect(await first.ready).toBe(true)
    const proxy = at === 'ledger' ? ledger : service
    const acted = new Promise<void>((resolve) => {
      proxy.cut = { on, when, passesOn, act: () => (act(first), resolve()) }
    })
    await first.call('intake.add', world.everything)
    await acted
    return { first, shared: { serviceUrl: through } }
  }
  const killedAt = async (point: Point, speed?: number) => {
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

  it.each(ROWS)(
    '%s, comes to the right end here and elsewhere, with no charge too many',
    async (_, point, charges, [here, there]) => {
      const shared = await killedAt(point)
      // The other one begins while the first is gone, and must not send what the first may have sent.
      const other = await world.open(computer('other', shared))
      await other.engine.call('intake.add', world.everything)
      const again = await world.open(computer('first', shared))
      await again.engine.call('intake.add', world.everything)
      await atRest(['first', 'other'])
      expect([ends('first'), ends('other')]).toEqual([[here], [there]])
      expect(world.practice.ledger().charges).toHaveLength(charges)
      expect(await world.violations(true)).toEqual([])
    },
  )

  it('and never comes back leaves its job to another one', async () => {
    const shared = await killedAt(atLedger('report', 'answered'))
    const other = await world.open(computer('other', shared))
    await other.engine.call('intake.add', world.everything)
    await until('it waits', () => readJobs(dataDirOf('other'))!.some(({ reason }) => reason === 'under_way_elsewhere'))
    await firstIsLost()
    await atRest(['other'])
    expect(ends('other')).toEqual(['ended well'])
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  it('while it stands still between claim and intent, as in a suspend: another one sends, and it does not when it goes on', async () => {
    const act = ({ child }: EngineProcess) => child.kill('SIGSTOP')
    const { first, shared } = await stoppedAt(atLedger('claim', 'answered'), act, true)
    const other = await world.open(computer('other', shared))
    await firstIsLost()
    await other.engine.call('intake.add', world.everything)
    await atRest(['other'])
    expect(ends('other')).toEqual(['ended well'])
    first.child.kill('SIGCONT')
    await atRest(['first'])
    expect(ends('first')).toEqual(['ended well'])
    expect(world.practice.ledger().charges).toHaveLength(1)
  })

  it('leaves what it may have sent to one person, who orders it anywhere, once', async () => {
    const shared = await killedAt(atService('asked'))
    const others = []
    for (const name of ['b', 'c']) {
      const { engine } = await world.open(computer(name, shared))
      others.push({ name, engine })
      await engine.call('intake.add', world.everything)
    }
    await server.query(`DELETE FROM hangar.computers WHERE name = 'first'`, [], database.name)
    for (const { name } of others) {
      await atRest([name])
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
    const shared = await killedAt(atService('asked'), 5)
    const open = async (name: string) => {
      const { engine } = await world.open(computer(name, shared))
      await engine.call('intake.add', world.everything)
      await atRest([name])
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
      { point: atLedger('claim', 'answered'), charged: 0 },
      { point: atLedger('confirm', 'answered'), charged: 0 },
      { point: atService('answered'), charged: 1 },
    ])
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
          await atRest(['first', 'other'])
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
