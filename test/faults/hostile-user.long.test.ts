import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  fchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeWith, itWith, LINUX_ROOT, need, STRACE } from '../needs.ts'
import { ATTACKS, type Attack, type AttackRequest } from './attacker.ts'
import { PATIENCE_MS, until } from '../until.ts'
import { ALL, CAMPAIGN_MS, SEED } from './campaign.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { readJobs } from './journal-view.ts'
import { pictureNumber } from './pictures.ts'
import { attachStrace, CALLS, threadOf } from './syscalls.ts'
import { recordTree, type EntryRecord } from './tree-record.ts'

const SAMPLE = 10
/** Nobody else's: two users that exist for this test alone. */
const [VICTIM, ATTACKER] = [64_001, 64_002]
const AS_ATTACKER = [`--reuid=${ATTACKER}`, `--regid=${ATTACKER}`, '--clear-groups', process.execPath]
const TWO_USERS = need('root, to be two users', LINUX_ROOT === null && mayRun())

function mayRun(): boolean {
  const script = `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`
  return spawnSync('setpriv', [...AS_ATTACKER, '-e', script], { stdio: 'ignore' }).status === 0
}

let world: FaultWorld
let home: string
let before: string[]
afterEach(endWorld)

async function endWorld(): Promise<void> {
  // Node removes nothing that lies deeper than a path can say.
  spawnSync('rm', ['-rf', world.pictures])
  await world.end()
}

const SECRET = 'only its owner may know this'

/** A share where anyone may write, and a home where only its owner may. */
async function makeWorld(): Promise<void> {
  world = await FaultWorld.make({ speed: 6, recipe: { output: { kind: 'replace' } } })
  home = join(world.base, 'home')
  const album = join(home, 'album')
  for (const dir of [world.dataDir, join(world.pictures, 'sub'), join(home, '.ssh'), join(album, '.hangar-originals')])
    mkdirSync(dir, { recursive: true })
  for (const file of ['.bashrc', '.ssh/id', 'album/a.jpg.alt.json', 'album/.hangarignore', 'album/.hangar-originals/x'])
    writeFileSync(join(home, file), `${SECRET}: ${file}`, { mode: 0o600 })
  // Its pictures have the names of those in the share; everybody may read them where they are.
  for (const [nth, name] of ['a.jpg', 'b.jpg', 'c.jpg', 'a.webp', 'b.webp'].entries())
    writeFileSync(join(album, name), await pictureNumber(900 + nth))
  chmodSync(world.base, 0o755)
  for (const dir of [
    world.dataDir,
    world.pictures,
    home,
    ...recordTree(home).keys(),
    ...recordTree(world.pictures).keys(),
  ])
    chownSync(dir, VICTIM, VICTIM)
  for (const dir of [world.pictures, join(world.pictures, 'sub')]) chmodSync(dir, 0o777)
  chmodSync(join(home, '.ssh'), 0o700)
  before = stamps()
}

const stamp = ([path, { kind, sha256, mode, uid, mtimeNs, ino }]: [string, EntryRecord]) =>
  `${path} ${kind} ${sha256} ${mode.toString(8)} ${uid} ${mtimeNs} ${ino}`
const stamps = () => [...recordTree(home)].map(stamp).sort()

async function addToShare(name: string): Promise<string> {
  const path = await world.add(name)
  chownSync(path, VICTIM, VICTIM)
  return path
}

/** Nothing of a file that was given another name since. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

/** I12: nothing outside the share has other content, mode, owner or place, and nothing of it came into the share. */
function expectUnharmed(at: string): void {
  expect(stamps(), at).toEqual(before)
  const secrets = [...recordTree(home).values()].map(({ sha256 }) => sha256).filter((sha256) => sha256 !== null)
  expect(readdirSync(world.base).sort(), at).toEqual(['data', 'home', 'outside', 'pictures'])
  for (const [path, entry] of recordTree(world.pictures)) {
    if (entry.sha256 === null) continue
    expect(secrets, `${at}: ${path}`).not.toContain(entry.sha256)
    expect(contentOf(path).includes(SECRET), `${at}: ${path}`).toBe(false)
  }
  for (const { sha256 } of world.practice.ledger().charges) expect(secrets, at).not.toContain(sha256)
}

async function startEngine(threads = 4): Promise<EngineProcess> {
  const hangar = world.spawn({ uid: VICTIM, threads })
  expect(await hangar.ready, world.said.slice(-5).join('')).toBe(true)
  return hangar
}

const attackRequest = (attack: Partial<AttackRequest>) => JSON.stringify({ share: world.pictures, home, ...attack })
const PROGRAM = join(import.meta.dirname, 'attacker.ts')

function attackOnce(attack: Attack): void {
  const { status, stderr } = spawnSync('setpriv', [...AS_ATTACKER, PROGRAM, attackRequest({ attack })], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
}

/** Every job has come to its end, or waits for a person or the disk. */
const isOver = () =>
  (readJobs(world.dataDir) ?? []).every(({ state }) => !['sending', 'waiting', 'fetching', 'writing'].includes(state))

/** A picture in a folder of its own is done as if nothing had happened. */
async function expectAlive(hangar: EngineProcess): Promise<void> {
  const path = await addToShare(`fresh-${Math.random().toString(36).slice(2)}/new.jpg`)
  chownSync(join(path, '..'), VICTIM, VICTIM)
  await hangar.call('intake.add', { ...world.everything, paths: [path] })
  await until(
    'a picture beside the attacked ones is done',
    () => readJobs(world.dataDir)?.find((job) => job.path === path)?.state === 'done',
    { describe: () => world.describeUnrest() },
  )
}

/** The calls of the file thread that have to do with the share, for one picture, each with its number of its kind. */
async function listCalls(): Promise<{ call: string; nth: number }[]> {
  const hangar = await startEngine(1)
  const log = join(world.logDir, 'calls')
  const args = ['-y', '-s', '200', '-p', `${threadOf(hangar.pid, 'pool')}`, '-e', `trace=${CALLS},fchmod`, '-o', log]
  const strace = await attachStrace(args)
  await addToShare('sub/a.jpg')
  await hangar.call('intake.add', world.everything)
  await until('the picture is done', () => world.isAtRest(), { describe: () => world.describeUnrest() })
  await strace.detach()
  await hangar.kill()
  const seen = new Map<string, number>()
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const call = /^(\w+)\(/.exec(line)?.[1]
      if (call === undefined) return []
      const nth = (seen.get(call) ?? 0) + 1
      seen.set(call, nth)
      return /\/proc\/self\/fd|\.hangar-|\/pictures\//.test(line) ? [{ call, nth }] : []
    })
}

describeWith(TWO_USERS)('another user who may write in a watched folder', () => {
  itWith(STRACE)(
    `gains nothing outside it by swapping names between two system calls (seed ${SEED})`,
    async () => {
      await makeWorld()
      const calls = await listCalls()
      expect(calls.length).toBeGreaterThan(20)
      const count = ALL ? calls.length * ATTACKS.length : SAMPLE
      let hits = 0
      for (let nth = 0; nth < count; nth += 1) {
        // Both go round, so that a sample has every kind and calls from all along the way.
        const attack = ATTACKS[nth % ATTACKS.length]!
        const { call, nth: when } =
          calls[(SEED + Math.floor((nth * calls.length) / Math.min(count, calls.length))) % calls.length]!
        const at = `${attack} after ${call} ${when}`
        await endWorld()
        await makeWorld()
        const hangar = await startEngine(1)
        const tid = threadOf(hangar.pid, 'pool')
        const inject = `inject=${call}:signal=STOP:when=${when}`
        await attachStrace(['-p', `${tid}`, '-e', `trace=${call}`, '-e', inject, '-o', '/dev/null'])
        await addToShare('sub/a.jpg')
        const added = hangar.call('intake.add', world.everything)
        let isStopped = false
        await until(
          `it is stopped or done: ${at}`,
          () => (isStopped = stateOf(hangar.pid) === 'T') || world.isAtRest(),
          { describe: () => world.describeUnrest() },
        )
        if (isStopped) {
          hits += 1
          attackOnce(attack)
          process.kill(hangar.pid, 'SIGCONT')
        }
        expect(await added, at).toMatchObject({ ok: true })
        await expectAlive(hangar)
        await until(`it is over: ${at}`, isOver, { describe: () => world.describeUnrest() })
        expectUnharmed(at)
        await hangar.kill()
      }
      expect(hits).toBeGreaterThan(count * 0.5)
    },
    CAMPAIGN_MS,
  )

  it(`gains nothing outside it by swapping names all the time (seed ${SEED})`, { timeout: CAMPAIGN_MS }, async () => {
    await makeWorld()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await addToShare(`sub/${name}.jpg`)
    // Held open: through its path, this test would follow the links that are put there.
    const sub = openSync(join(world.pictures, 'sub'), 'r')
    const hangar = await startEngine()
    const args = [...AS_ATTACKER, PROGRAM, attackRequest({ seed: SEED })]
    const attacker = spawn('setpriv', args, { stdio: ['pipe', 'pipe', 'inherit'] })
    let rounds = 0
    attacker.stdout.on('data', (chunk: Buffer) => (rounds += chunk.length / 2))
    for (let nth = 0; nth < (ALL ? 100 : 3); nth += 1) {
      const from = rounds
      for (const name of ['x', 'y']) {
        const bytes = await pictureNumber(1000 + 2 * nth + (name === 'x' ? 0 : 1))
        const file = openSync(`/proc/self/fd/${sub}/${name}-${nth}.jpg`, 'wx')
        writeFileSync(file, bytes)
        fchownSync(file, VICTIM, VICTIM)
        closeSync(file)
      }
      await hangar.call('intake.add', world.everything)
      await until('the attacker went round, and all is over', () => rounds > from + 3 && isOver(), {
        // The share grows, and so does each of the attacker's rounds.
        patienceMs: PATIENCE_MS * (ALL ? 10 : 1),
        describe: () => `${rounds - from} rounds; ${world.describeUnrest()}`,
      })
    }
    closeSync(sub)
    attacker.stdin.end()
    const [code] = (await once(attacker, 'exit')) as [number]
    expect(code).toBe(0)
    await expectAlive(hangar)
    await until('all is over', isOver, { describe: () => world.describeUnrest() })
    expectUnharmed('at the end')
    // What a restart sweeps and recovers is under attack as well.
    await hangar.kill()
    const next = await startEngine()
    await expectAlive(next)
    await until('all is over after the restart', isOver, { describe: () => world.describeUnrest() })
    expectUnharmed('after a restart')
  })
})

const stateOf = (pid: number) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
