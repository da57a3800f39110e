import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { seededRandom } from '../../src/practice/seeded-random.ts'
import type { EngineProcess } from '../faults/fault-world.ts'
import { mostInWindow } from '../faults/invariants.ts'
import { readJobs } from '../faults/journal-view.ts'
import { describeWith, POSIX } from '../needs.ts'
import { cuttingProxy, urlThrough } from './cutting-proxy.ts'
import { POSTGRES } from './postgres.ts'
import { atRest, begin, computer, database, dataDirOf, server, startServerForAll, world } from './team-world.ts'

/** The whole campaign in `npm run test:faults -- team`; a sample in `npm run test:long`. */
const IS_WHOLE = process.env['HANGAR_FAULTS'] === 'all'
const SEED = Number(process.env['HANGAR_FAULT_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const ROUNDS = IS_WHOLE
  ? [
      { computers: 2, pictures: 40, faults: 20 },
      { computers: 4, pictures: 60, faults: 30 },
      { computers: 8, pictures: 80, faults: 40 },
    ]
  : [{ computers: 2, pictures: 8, faults: 5 }]

/** Low enough for the whole campaign to be at the limit nearly all the time. */
const LIMIT = IS_WHOLE ? 90 : 600
const HOUR = 3_600_000

if (IS_WHOLE) vi.setConfig({ testTimeout: 1_800_000 })

describeWith(POSTGRES, POSIX)(`a team whose computers and ledger fail at random (seed ${SEED})`, () => {
  startServerForAll()

  for (const { computers, pictures, faults } of ROUNDS)
    it(`pays once for each of ${pictures} pictures that ${computers} computers watch, through ${faults} faults`, async () => {
      const random = seededRandom(SEED + computers)
      await begin({ overrides: { requestsPerMinute: LIMIT } })
      const through = await cuttingProxy(server.port)
      onTestFinished(() => through.close())
      const names = Array.from({ length: computers }, (_, n) => `computer-${n}`)
      const overrides = { ledgerUrl: urlThrough(through, database.url) }
      const start = (n: number) =>
        computer(names[n]!, { watch: true, clockAheadMs: (n - Math.floor(computers / 2)) * 5 * HOUR, overrides })
      const running: EngineProcess[] = []
      for (const n of names.keys()) running.push(world.spawn(start(n)))
      for (const each of running) expect(await each.ready).toBe(true)
      for (const each of running) await each.call('folders.add', world.folder)
      const restart = async (n: number) => {
        await running[n]!.kill()
        running[n] = world.spawn(start(n))
      }
      const FAULTS: (() => Promise<void>)[] = [
        () => restart(Math.floor(random() * computers)),
        () => restart(Math.floor(random() * computers)),
        async () => {
          const { child } = running[Math.floor(random() * computers)]!
          child.kill('SIGSTOP')
          await delay(500 + random() * 1500)
          child.kill('SIGCONT')
        },
        async () => through.cutAll(),
        async () => {
          through.stalled = true
          await delay(500 + random() * 1500)
          through.stalled = false
        },
        async () => {
          await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hangar'`)
        },
        async () => {
          await server.kill()
          await delay(random() * 1000)
          await server.run()
        },
        async () => {
          server.pause()
          await delay(500 + random() * 1500)
          server.resume()
        },
      ]
      let added = 0
      for (let nth = 0; nth < faults; nth += 1) {
        while (added < ((nth + 1) * pictures) / faults && added < pictures) {
          await world.add()
          added += 1
        }
        await delay(random() * 1500)
        await FAULTS[Math.floor(random() * FAULTS.length)]!()
      }
      for (const each of running) expect(await each.ready).toBe(true)
      await atRest(names, IS_WHOLE ? 900_000 : 120_000)
      for (const each of running) await each.kill()
      const { charges, requests } = world.practice.ledger()
      const times = requests.flatMap(({ keyId, atMs }) => (keyId === null ? [] : [atMs])).sort((a, b) => a - b)
      const contents = new Set(charges.map(({ sha256 }) => sha256))
      expect(charges.length).toBe(contents.size)
      expect(await world.violations(false)).toEqual([])
      // The count of the team: every charge, and beyond these only what may have been sent.
      const [counted] = await server.query(
        `SELECT (SELECT sum(sent)::integer FROM hangar.sent) AS sent, count(*) FILTER (WHERE state IN ('sending', 'unknown'))::integer AS unknown
          FROM hangar.payments`,
        [],
        database.name,
      )
      expect(Number(counted!['sent'])).toBeGreaterThanOrEqual(charges.length)
      expect(Number(counted!['sent'])).toBeLessThanOrEqual(charges.length + Number(counted!['unknown']))
      const states = names.flatMap((name) =>
        readJobs(dataDirOf(name))!.map(({ state, reason }) => `${state} ${reason ?? ''}`),
      )
      const odd = states.filter((state) => !/^(done|skipped|unknown)/.test(state))
      expect(odd).toEqual([])
      if (IS_WHOLE)
        process.stdout.write(
          `${computers} computers, ${faults} faults: ${charges.length} charges for ${contents.size} contents of ${pictures}, ` +
            `at most ${mostInWindow(times)} calls in any minute, ` +
            `${states.filter((state) => state.startsWith('unknown')).length} unknown\n`,
        )
    })
})
