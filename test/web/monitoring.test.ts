import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Background } from '../../src/shared/runtime/background.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { VERSION } from '../../src/main/engine/version.ts'
import { Metrics } from '../../src/main/web/metrics.ts'
import { EngineWorld } from '../engine/engine-harness.ts'
import { quiet } from '../simulation/world.ts'
import { until } from '../until.ts'
import { ask, openWorld, worldForTest, type WebWorld } from './harness.ts'

const TOKEN = 'a-token-for-monitors-0123456789'
const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}`, host: `127.0.0.1:${web.port}` } })

let world: EngineWorld
let dataDir: string
let background: Background
let engine: Engine
let web: WebWorld

/** A web server over a real engine, which watches a folder. */
beforeAll(async () => {
  world = await EngineWorld.open()
  dataDir = world.newDataFolder()
  background = new Background({ log: quiet, nowMs: () => realClock.nowMs() })
  engine = await world.engine(dataDir, { watch: true, background })
  const metrics = new Metrics({ engine, background, clock: realClock })
  engine.subscribe((event) => metrics.take(event))
  web = await openWorld({ works: () => engine.works(), metrics: { token: TOKEN, read: () => metrics.read() } })
})
afterAll(async () => {
  await web?.close()
  await world?.close()
})

const healthz = (headers: Record<string, string> = { host: `127.0.0.1:${web.port}` }) =>
  ask(web.port, '/healthz', { headers })

/** The values by name and labels, read by the rules of the format and not by our code. */
async function readMetrics(): Promise<Record<string, number>> {
  const { status, body } = await ask(web.port, '/metrics', withToken(TOKEN))
  expect(status).toBe(200)
  return Object.fromEntries(
    body
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [, name, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line)!
        return [name, Number(value)] as [string, number]
      }),
  )
}

describe('/healthz', () => {
  it('says one word to everybody on this computer, and no more', async () => {
    const answer = await healthz()
    expect([answer.status, answer.body]).toEqual([200, 'ok'])
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('is unavailable while the queue cannot be gone through, and ok when it can again', async () => {
    const other = new Database(join(dataDir, 'journal.db'))
    const rename = (from: string, to: string) => other.exec(`ALTER TABLE ${from} RENAME TO ${to}`)
    try {
      rename('jobs', 'jobs_away')
      await until('it is unavailable', async () => (await healthz()).status === 503)
      expect((await healthz()).body).toBe('unavailable')
    } finally {
      rename('jobs_away', 'jobs')
      other.close()
    }
    await until('it is ok', async () => (await healthz()).status === 200)
  })
})

describe('/metrics', () => {
  it.each([
    ['none', undefined],
    ['another token', 'Bearer another-token-for-monitors-0123'],
    ['its beginning', `Bearer ${TOKEN.slice(0, -1)}`],
    ['more than it', `Bearer ${TOKEN}x`],
    ['another scheme', `Basic ${TOKEN}`],
    ['nothing after the scheme', 'Bearer '],
    ['two of them', `Bearer ${TOKEN} ${TOKEN}`],
    ['a character that is none of ASCII', 'Bearer \u00fc'],
  ])('refuses %s', async (_what, authorization) => {
    const headers = { host: `127.0.0.1:${web.port}`, ...(authorization === undefined ? {} : { authorization }) }
    const answer = await ask(web.port, '/metrics', { headers })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(answer.body).not.toContain('hangar_')
  })

  it('is not there without a token, and its token signs nobody in', async () => {
    const without = await worldForTest()
    const headers = { host: `127.0.0.1:${without.port}`, authorization: `Bearer ${TOKEN}` }
    expect((await ask(without.port, '/metrics', { headers })).status).toBe(404)
    expect((await ask(without.port, '/healthz', { headers })).status).toBe(200)
    const asToken = { host: `127.0.0.1:${web.port}`, 'x-hangar-token': TOKEN }
    expect((await ask(web.port, '/chargers.json', { headers: asToken })).status).toBe(403)
  })

  it('counts pictures, folders, calls and credits, and names none of them', async () => {
    const before = await readMetrics()
    expect(before).toMatchObject({
      hangar_engine_up: 1,
      'hangar_jobs{state="done"}': 0,
      'hangar_jobs_ended_total{state="done"}': 0,
      hangar_service_up: 1,
      hangar_rate_limit_requests: 600,
      hangar_paused: 0,
    })
    expect(before).not.toHaveProperty('hangar_last_change_timestamp_seconds')
    await world.addPicture('a secret name.jpg', 1)
    const gone = join(world.dir, 'gone')
    await mkdir(gone)
    const add = (path: string) =>
      engine.call('folders.add', {
        path,
        include: [],
        exclude: [],
        askAbove: 0,
        recipe: engine.snapshot().settings.recipe,
      })
    for (const path of [world.pictures, gone]) expect((await add(path)).ok).toBe(true)
    await rm(gone, { recursive: true })
    await engine.call('credits.balance', {})
    await until('it is done', async () => (await readMetrics())['hangar_jobs{state="done"}'] === 1)
    await until('the folder is missed', async () => (await readMetrics())['hangar_folders{state="missing"}'] === 1)
    const after = await readMetrics()
    expect(after).toMatchObject({
      'hangar_jobs_ended_total{state="done"}': 1,
      'hangar_jobs_ended_total{state="failed"}': 0,
      'hangar_folders{state="watching"}': 1,
      'hangar_needs_person{cause="unwatchable_folder"}': 1,
      'hangar_needs_person{cause="held_picture"}': 0,
      'hangar_needs_person{cause="standstill"}': 0,
      'hangar_needs_person{cause="ledger"}': 0,
    })
    const { service } = engine.snapshot()
    expect(after['hangar_credits']).toBe(service!.balance!.credits)
    expect(after['hangar_credits_timestamp_seconds']).toBe(service!.balance!.atMs / 1000)
    expect(after['hangar_service_requests_total']).toBe(service!.requests)
    expect(after['hangar_rate_limit_remaining_requests']).toBe(600 - service!.requests)
    expect(Math.abs(after['hangar_last_change_timestamp_seconds']! - Date.now() / 1000)).toBeLessThan(60)
    const { body, headers } = await ask(web.port, '/metrics', withToken(TOKEN))
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain(`hangar_build_info{version="${VERSION}",node="${process.versions.node}"} 1\n`)
    for (const secret of ['secret', world.dir, world.practice.apiKey, '127.0.0.1', TOKEN])
      expect(body).not.toContain(secret)
  })
})

it('once the engine has stopped, /healthz is unavailable and /metrics says so', async () => {
  await engine.stop(0)
  const answer = await healthz()
  expect([answer.status, answer.body]).toEqual([503, 'unavailable'])
  const values = await readMetrics()
  expect(values).toMatchObject({ hangar_engine_up: 0 })
  expect(Object.keys(values)).toHaveLength(2)
})
