import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { orThrow } from '../../src/shared/contract/call.ts'
import { describeWith, itWith, LINUX_ROOT, need } from '../needs.ts'
import { until } from '../until.ts'
import { FaultWorld, mayRunAs } from './fault-world.ts'
import { countIn } from './journal-view.ts'
import { recordEntry } from './tree-record.ts'

let world: FaultWorld
const mounted: string[] = []

afterEach(async () => {
  await world.end().catch(() => undefined)
  for (const dir of mounted.splice(0)) execFileSync('umount', ['-l', dir])
  rmSync(world.base, { recursive: true, force: true })
})

beforeEach(async () => {
  world = await FaultWorld.make({ speed: 20 })
})

function mountSmall(dir: string, size: string): void {
  mkdirSync(dir, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', dir])
  mounted.push(dir)
}

/** Leaves no room at all. */
function fill(dir: string): string {
  const path = join(dir, 'filler.bin')
  const { bavail, bsize } = statfsSync(dir)
  for (let left = bavail * bsize; left > 0; left -= 4096)
    try {
      writeFileSync(path, Buffer.alloc(Math.min(left, 65_536)), { flag: 'a' })
      left -= 61_440
    } catch {
      break
    }
  return path
}

describeWith(LINUX_ROOT)('a full disk', () => {
  it('under the pictures holds the results, little more is sent, and all is done once there is room', async () => {
    mountSmall(world.pictures, '4m')
    world.surround()
    await world.addSome(40)
    const filler = fill(world.pictures)
    world.foreign.set(filler, recordEntry(filler)!)
    const { engine } = await world.open()
    await engine.call('intake.add', world.everything)
    await until('a picture is held for the disk', () => world.reasons().includes('held disk_full'))
    await until(
      'no answer is awaited',
      () => !Object.keys(world.counts()).some((state) => /sending|waiting|fetching|writing/.test(state)),
    )
    expect(await world.violations(false)).toEqual([])
    expect(world.practice.ledger().charges.length).toBeLessThan(40)
    expect(
      readdirSync(world.pictures).filter((name) => !name.startsWith('photo') || name.includes('-optimized')),
    ).toEqual(['filler.bin'])
    world.foreign.clear()
    rmSync(filler)
    await world.rest()
    expect(world.tally()).toEqual({ done: 40 })
    expect(await world.violations(true)).toEqual([])
  })

  it('under the journal stops sending, loses no answer, and all is done once there is room', async () => {
    mountSmall(world.dataDir, '16m')
    await world.addSome(12)
    const { engine } = await world.open()
    await world.weather({ on: 'dispatch', times: 12, effect: { kind: 'slow', delayMs: 4000 } })
    await engine.call('intake.add', world.everything)
    await until('pictures are being sent', () => (world.counts()['sending'] ?? 0) > 0)
    const filler = fill(world.dataDir)
    const charged = () => world.practice.ledger().charges.length
    await until('answers arrived', () =>
      world.said.some((line) => /a background task failed.*queue_work.*disk_full/.test(line)),
    )
    expect(charged()).toBeLessThanOrEqual(4)
    const stopped = async () => (await orThrow(engine.call('queue.status', {}))).stopped
    await expect.poll(stopped).toMatchObject([{ task: 'queue_work', subject: null, code: 'disk_full' }])
    expect(await engine.works()).toBe(false)
    rmSync(filler)
    await world.rest()
    expect(await stopped()).toEqual([])
    expect(world.tally()).toEqual({ done: 12 })
    expect(await world.violations(true)).toEqual([])
  })

  it.each([
    { how: 'one by one', count: 3 },
    { how: 'in a large heap', count: 1100 },
  ])('under the journal while files are deleted $how neither ends Hangar nor loses any', async ({ count }) => {
    mountSmall(world.dataDir, '24m')
    const paths: string[] = []
    // Not worth a job: a file that is no picture is remembered all the same.
    for (let nth = 0; nth < count; nth += 1) {
      const path = join(world.pictures, `gone-${nth}.jpg`)
      writeFileSync(path, `no picture ${nth}`)
      paths.push(path)
    }
    const hangar = world.spawn({ watch: true })
    const isRunning = () => hangar.child.exitCode === null && hangar.child.signalCode === null
    expect(await hangar.ready).toBe(true)
    await hangar.call('folders.add', world.folder)
    const remembered = () => countIn(world.dataDir, `known_files WHERE path LIKE '${world.pictures}/%'`)
    await until('all files are remembered', () => remembered() === count)
    // So that what is written from here on needs room.
    checkpoint(world.dataDir)
    const filler = fill(world.dataDir)
    for (const path of paths) rmSync(path)
    const stopped = () =>
      world.said.some((line) => /a background task failed.*folder_(removals|scan).*disk_full/.test(line))
    await until('it says what has stopped', () => stopped() || !isRunning())
    expect(isRunning()).toBe(true)
    // It still answers, and nothing of what was deleted is forgotten.
    expect(await hangar.call('queue.status', {})).toMatchObject({ ok: true })
    expect(remembered()).toBeGreaterThan(0)
    rmSync(filler)
    await until('what was deleted is noted', () => remembered() === 0)
    await until('it says that it works again', () => world.said.some((line) => line.includes('works again')))
    expect(isRunning()).toBe(true)
  })
})

itWith(LINUX_ROOT)('a disk that becomes read-only holds the results until it can be written again', async () => {
  mountSmall(world.pictures, '4m')
  world.surround()
  await world.addSome(3)
  execFileSync('mount', ['-o', 'remount,ro', world.pictures])
  const { engine } = await world.open()
  await engine.call('intake.add', world.everything)
  await world.until('a picture is held', () => world.reasons().includes('held target_not_writable'))
  expect(await world.violations(false)).toEqual([])
  execFileSync('mount', ['-o', 'remount,rw', world.pictures])
  await world.rest()
  expect(world.tally()).toEqual({ done: 3 })
  expect(await world.violations(true)).toEqual([])
})

const OTHER_USER = need('root, to run Hangar as another user', mayRunAs(65534))

itWith(OTHER_USER)(
  'a picture that may not be read fails, and a folder that may not be written is waited for',
  async () => {
    const unreadable = await world.add('unreadable.jpg')
    await world.add('readable.jpg')
    chmodSync(unreadable, 0o000)
    for (const dir of [world.base, world.pictures]) chmodSync(dir, 0o755)
    mkdirSync(world.dataDir)
    chownSync(world.dataDir, 65534, 65534)
    const hangar = await world.start({ uid: 65534 })
    await hangar.call('intake.add', world.everything)
    await world.until('it is held', () => world.reasons().includes('held target_not_writable'))
    expect(world.reasons()).toEqual(['failed unreadable', 'held target_not_writable'])
    expect(await world.violations(false)).toEqual([])
    chmodSync(world.pictures, 0o777)
    await world.rest()
    expect(world.reasons()).toEqual(['done', 'failed unreadable'])
    expect(await world.violations(true)).toEqual([])
    expect(existsSync(dirname(world.pictures))).toBe(true)
  },
)

/** All that was written stands in the journal's own file, and nothing in the one beside it. */
function checkpoint(dataDir: string): void {
  const db = new Database(join(dataDir, 'journal.db'))
  db.pragma('busy_timeout = 10000')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
