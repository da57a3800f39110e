import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { CHARGERS_FOLDER } from '../../src/main/chargers/charger-cache.ts'
import type { ChargerStatus } from '../../src/shared/chargers/charger-status.ts'
import { startPractice } from '../practice/faulty-practice.ts'
import type { WeatherEffect } from '../practice/faults.ts'
import { quiet } from '../simulation/world.ts'
import { ask, collect, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

const COUNT = 450
openWorldForEachTest({ chargers: COUNT, ipRequestsPerMinute: 10_000 })
beforeEach(() => world.secrets.set('chargers', world.origin, world.practice.partnerToken))

/** As a window runs it; waits between tries are as short as they get. */
const open = (dataDir = world.newDataFolder(), changes: Parameters<typeof world.engine>[1] = {}) =>
  world.engine(dataDir, { watch: true, random: () => 0, ...changes })

const statusOf = (engine: Engine) => engine.snapshot().chargers.status

async function status(engine: Engine, what: string, holds: (status: ChargerStatus) => boolean): Promise<ChargerStatus> {
  await until(engine, what, async () => holds(statusOf(engine)))
  return statusOf(engine)
}
const filled = (engine: Engine) =>
  status(engine, 'there are chargers', ({ atMs, refreshing }) => atMs !== null && !refreshing)
async function refreshed(engine: Engine) {
  await ask(engine, 'chargers.refresh', {})
  return status(engine, 'the refresh ends', ({ refreshing }) => !refreshing)
}

const dataOf = async (engine: Engine) => Buffer.from((await ask(engine, 'chargers.data', {}))!).toString('utf8')

const weather = (effect: WeatherEffect, times = 1, skip = 0) =>
  world.practice.control({ type: 'add-weather', rules: [{ on: 'charge-points', times, skip, effect }] })

describe('The chargers of a window', () => {
  it('come on their own, are told of without being sent, and are there as one document', async () => {
    const engine = await open()
    const events = collect(engine)
    const { version, count, gap, sample, problem, nextAtMs, atMs } = await filled(engine)
    expect({ count, gap, sample, problem }).toEqual({ count: COUNT, gap: null, sample: false, problem: null })
    // The clock may go on by a millisecond between the two.
    expect(Math.round((nextAtMs! - atMs!) / 1000)).toBe(15 * 60)
    expect(JSON.parse(await dataOf(engine))).toHaveLength(COUNT)
    const told = events.filter(({ type }) => type === 'chargers')
    expect(told.length).toBeGreaterThanOrEqual(2)
    expect(JSON.stringify(told).length).toBeLessThan(10_000)
    expect(engine.snapshot().chargers.status).toMatchObject({ version, count: COUNT })
  })

  it('are none, and not asked for, in an engine that carries out one order', async () => {
    const engine = await world.engine(world.newDataFolder(), { scope: 'none' })
    expect(statusOf(engine)).toMatchObject({ atMs: null, refreshing: false, nextAtMs: null })
    expect(await ask(engine, 'chargers.data', {})).toBeNull()
    expect(world.practice.ledger().totals.requests).toBe(0)
    expect(await refreshed(engine)).toMatchObject({ count: COUNT, nextAtMs: null })
  })
})

it('A charger service that is another shows nothing of the one before, and each has its own favourites', async () => {
  const other = await startPractice({ chargers: 7 })
  onTestFinished(() => other.close())
  const engine = await open(undefined, { overrides: null })
  await world.secrets.set('chargers', other.chargerBaseUrl, other.partnerToken)
  const use = (chargerBaseUrl: string | null) => ask(engine, 'settings.set', { chargerBaseUrl })
  await use(world.practice.chargerBaseUrl)
  const first = await filled(engine)
  await ask(engine, 'chargers.favourites', { ids: [5], favourite: true })
  await use(other.chargerBaseUrl)
  expect(engine.snapshot().chargers).toMatchObject({ status: { atMs: null, count: 0 }, favourites: [] })
  const second = await filled(engine)
  expect(second).toMatchObject({ count: 7, changesAtMs: null })
  expect(second.version).toBeGreaterThan(first.version)
  await use(world.practice.chargerBaseUrl)
  expect(engine.snapshot().chargers).toMatchObject({ status: { count: COUNT }, favourites: [5] })
  await use(null)
  const none = { status: { atMs: null, count: 0, nextAtMs: null }, favourites: [] }
  expect(engine.snapshot().chargers).toMatchObject(none)
})

it('What a person marks outlives a restart', async () => {
  const dataDir = world.newDataFolder()
  const first = await open(dataDir)
  const events = collect(first)
  for (const id of [30, 4, 17, 4]) await ask(first, 'chargers.favourites', { ids: [id], favourite: true })
  await ask(first, 'chargers.favourites', { ids: [17], favourite: false })
  expect(events.findLast(({ type }) => type === 'chargers')).toMatchObject({ favourites: [4, 30] })
  await world.stop(first)
  const second = await open(dataDir)
  expect(second.snapshot().chargers.favourites).toEqual([4, 30])
})

it('The token is in no address, no log, no file of the chargers and no answer', async () => {
  const lines: string[] = []
  const write = (message: string, facts?: Record<string, unknown>) => {
    lines.push(message + JSON.stringify(facts))
  }
  const log = { ...quiet, debug: write, info: write, warn: write, error: write }
  const token = world.practice.partnerToken
  await weather({ kind: 'answer', status: 500, body: { message: `no ${token} here` }, when: 'before-work' }, 3)
  const dataDir = world.newDataFolder()
  const engine = await open(dataDir, { log })
  const events = collect(engine)
  const failed = await status(engine, 'it fails', ({ problem }) => problem !== null)
  expect(englishText(failed.problem!.sentence)).toContain('[key]')
  await refreshed(engine)
  expect(lines.some((line) => line.includes('could not be refreshed'))).toBe(true)
  const data = await dataOf(engine)
  await world.stop(engine)
  const [name] = await readdir(join(dataDir, CHARGERS_FOLDER))
  const kept = await readFile(join(dataDir, CHARGERS_FOLDER, name!), 'utf8')
  expect([kept, ...lines, JSON.stringify(events), JSON.stringify(world.practice.ledger()), data].join()).not.toContain(
    token,
  )
})
