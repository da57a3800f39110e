import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeWith, need } from '../needs.ts'
import { ATTACKS, type Attack } from './attacker.ts'
import { CAMPAIGN_MS } from './campaign.ts'
import { FaultWorld, mayRunAs, type EngineProcess } from './fault-world.ts'
import { readJobs } from './journal-view.ts'
import { pictureNumber } from './pictures.ts'
import { recordTree, type EntryRecord } from './tree-record.ts'

/** Nobody else's: two users that exist for this test alone. */
const [VICTIM, ATTACKER] = [64_001, 64_002]
const AS_ATTACKER = [`--reuid=${ATTACKER}`, `--regid=${ATTACKER}`, '--clear-groups', process.execPath]
const TWO_USERS = need('root, to be two users', mayRunAs(ATTACKER))

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
  for (const file of ['.bashrc', '.ssh/id', 'album/a.jpg.alt.json', 'album/.hangar-originals/x'])
    writeFileSync(join(home, file), `${SECRET}: ${file}`, { mode: 0o600 })
  // Its pictures have the names of those in the share; everybody may read them where they are.
  for (const [nth, name] of ['a.jpg', 'b.jpg', 'c.jpg', 'a.webp', 'b.webp'].entries())
    writeFileSync(join(album, name), await pictureNumber(900 + nth))
  chmodSync(world.base, 0o755)
  const ofVictim = [
    world.dataDir,
    world.pictures,
    home,
    ...[home, world.pictures].flatMap((dir) => [...recordTree(dir).keys()]),
  ]
  for (const path of ofVictim) chownSync(path, VICTIM, VICTIM)
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

const startEngine = () => world.start({ uid: VICTIM, threads: 4 })

const PROGRAM = join(import.meta.dirname, 'attacker.ts')

function attackOnce(attack: Attack): void {
  const request = JSON.stringify({ share: world.pictures, home, attack })
  const { status, stderr } = spawnSync('setpriv', [...AS_ATTACKER, PROGRAM, request], { encoding: 'utf8' })
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
  // A scan that still goes on may have found it too; then one of the two was late.
  const isDone = () => readJobs(world.dataDir)?.some((job) => job.path === path && job.state === 'done') === true
  await world.until('a picture beside the attacked ones is done', isDone)
}

describeWith(TWO_USERS)('another user who may write in a watched folder', () => {
  it.each(ATTACKS)('gains nothing outside it (%s)', { timeout: CAMPAIGN_MS }, async (attack) => {
    await makeWorld()
    for (const name of ['a', 'b', 'c']) await addToShare(`sub/${name}.jpg`)
    const hangar = await startEngine()
    await world.run(hangar)
    attackOnce(attack)
    await addToShare('new.jpg')
    await hangar.call('intake.add', { ...world.everything, force: true })
    await world.until('it is over', isOver)
    await expectAlive(hangar)
    expectUnharmed('after the attack')
    // What a restart sweeps and recovers was attacked as well.
    await hangar.kill()
    const next = await startEngine()
    await world.until('it is over after the restart', isOver)
    await expectAlive(next)
    expectUnharmed('after a restart')
  })
})
