import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { until } from '../until.ts'
import { ALL, CAMPAIGN_MS, killAtSample, SEED } from './campaign.ts'
import { FaultWorld, type EngineProcess } from './fault-world.ts'
import { countIn, readJournal } from './journal-view.ts'
import { callsDuring, inject, type Call, type ThreadName } from './syscalls.ts'
import { sha256Of } from './tree-record.ts'

/** As in `system-calls.long.test.ts`: this many of each kind in `npm run test:long`, all of them in `npm run test:faults`. */
const SAMPLE = 5

interface Kind {
  thread: ThreadName
  /** Without them, as on FAT and some network shares, `link` fails. */
  links: boolean
}

let kind: Kind
let world: FaultWorld
/** The one that runs: each that is checked after a kill is the next to be killed. */
let hangar: EngineProcess
let jobId: string
/** The bytes of the results, whatever their names are. */
let hashes: string[]
let names = 0
afterEach(() => world.end())

const options = () => ({ threads: 1, noLinks: !kind.links })

async function start(): Promise<void> {
  hangar = await world.start(options())
}

const attachKiller = (call: Call, thread = kind.thread) => inject(hangar.pid, thread, call, 'signal=KILL')
const listCalls = (work: () => Promise<void>) =>
  callsDuring(hangar.pid, kind.thread, join(world.logDir, 'calls'), work, '-y')

/** Runs `work` with one that is traced from the first call of its engine until it runs, or is killed. */
async function whileStarting(work: (goOn: () => Promise<void>) => Promise<void>): Promise<void> {
  hangar = world.spawn({ ...options(), held: true })
  await until('the process holds', () => /\) T /.test(readFileSync(`/proc/${hangar.pid}/stat`, 'utf8')))
  await work(async () => {
    process.kill(hangar.pid, 'SIGCONT')
    await hangar.ready
  })
  await hangar.kill()
}

/** What the thread does while one starts after a kill in the middle of renaming a result. */
async function listStartCalls(): Promise<Call[]> {
  await chooseName()
  // After the link, with both names; without links, before the file has its new name.
  await attachKiller(kind.links ? { call: 'unlink', nth: 1 } : { call: 'rename', nth: 2 }, 'pool')
  expect(await renameAndUndo()).toBe(false)
  await hangar.kill()
  expect(plans()).toBe(1)
  let calls: Call[] = []
  await whileStarting(async (goOn) => {
    calls = await listCalls(goOn)
  })
  await start()
  await expectInStep('after the first kill')
  return calls
}

const results = () => readJournal(world.dataDir)!.outputs.filter(({ role }) => role !== 'sidecar')

/** A world with one picture whose three results are called as the service suggested. */
async function makeWorld(): Promise<void> {
  world = await FaultWorld.make({ speed: 6, recipe: { naming: 'seo' } })
  await world.add()
  await start()
  await world.run(hangar)
  jobId = readJournal(world.dataDir)!.jobs[0]!.id
  hashes = results()
    .map(({ sha256 }) => sha256)
    .toSorted()
  expect(hashes).toHaveLength(3)
}

/** Gives the picture a name that no file has. */
async function chooseName(): Promise<string> {
  names += 1
  const seoFilename = `heron-number-${names}`
  const answer = await hangar.call('jobs.editName', { id: jobId, languageCode: 'en', seoFilename })
  expect(answer).toMatchObject({ ok: true, value: { sidecarWritten: true } })
  return seoFilename
}

/** Renames the results, and then gives them their names back. False when the engine was killed on the way. */
async function renameAndUndo(): Promise<boolean> {
  for (const back of [false, true]) {
    const answer = await hangar.call('jobs.renameFiles', { id: jobId, back })
    if (answer === null) return false
    expect(answer).toMatchObject({ ok: true, value: { renamed: [{}, {}, {}], left: [] } })
  }
  return true
}

/** Journal, sidecar and folder agree: each result is there once, whole, and nothing else is. */
async function expectInStep(at: string): Promise<void> {
  const listed = results()
  const files = listed.map(({ path, sha256 }) => [basename(path), sha256]).toSorted()
  expect(files.map(([, sha256]) => sha256).toSorted(), at).toEqual(hashes)
  expect(
    listed.map(({ state }) => state),
    at,
  ).toEqual(['published', 'published', 'published'])
  const left = new Set(['photo-0.jpg', 'photo-0.jpg.alt.json'])
  const inFolder = readdirSync(world.pictures).filter((name) => !left.has(name))
  const onDisk = inFolder.map((name) => [name, sha256Of(readFileSync(join(world.pictures, name)))])
  expect(onDisk.toSorted(), at).toEqual(files)
  const sidecar = Sidecar.parse(JSON.parse(readFileSync(join(world.pictures, 'photo-0.jpg.alt.json'), 'utf8')))
  expect(sidecar.outputs.map(({ name, sha256 }) => [name, sha256]).toSorted(), at).toEqual(files)
  const got = await hangar.call('jobs.get', { ids: [jobId] })
  const job = got?.ok === true ? got.value.jobs[0]! : null
  const ofJob = job!.outputs.filter(({ role }) => role !== 'sidecar')
  expect(ofJob.map(({ path, sha256 }) => [basename(path), sha256]).toSorted(), at).toEqual(files)
  expect(plans(), at).toBe(0)
}

const plans = () => countIn(world.dataDir, `documents WHERE kind = 'rename'`)

/** After a kill: the next start ends what was begun, a run finds nothing to do, and the results can be renamed. */
async function restartAndCheck(at: string, seoName: string): Promise<void> {
  await start()
  await expectInStep(at)
  await world.run(hangar)
  await expectInStep(at)
  expect(await world.violations(true), at).toEqual([])
  expect(await hangar.call('jobs.renameFiles', { id: jobId }), at).toMatchObject({ ok: true, value: { left: [] } })
  await expectInStep(at)
  for (const { path } of results()) expect(basename(path), at).toMatch(new RegExp(`^${seoName}[.-](?!2)`))
  expect(readJournal(world.dataDir)!.jobs, at).toHaveLength(1)
}

const KINDS: Kind[] = [
  { thread: 'main', links: true },
  { thread: 'pool', links: true },
  { thread: 'pool', links: false },
]

describeWith(STRACE)('a kill while results are renamed and named back, and another while that is put right', () => {
  for (const one of KINDS) {
    const what = `the ${one.thread} thread, ${one.links ? 'with' : 'without'} hard links`
    it(
      `breaks no promise (${ALL ? 'every call' : `${SAMPLE} calls`} of ${what}, seed ${SEED})`,
      { timeout: CAMPAIGN_MS },
      async () => {
        kind = one
        await makeWorld()
        await chooseName()
        const all = await listCalls(async () => expect(await renameAndUndo()).toBe(true))
        const startCalls = await listStartCalls()
        await killAtSample(all, SAMPLE, `${what}, ${startCalls.length} calls of the start`, {
          another: async () => {
            await world.end()
            await makeWorld()
          },
          killAt: async (group) => {
            let hits = 0
            for (const position of group) {
              const seoName = await chooseName()
              await attachKiller(position)
              if (!(await renameAndUndo())) hits += 1
              await hangar.kill()
              const again = startCalls[(names * 7 + SEED) % startCalls.length]!
              await whileStarting(async (goOn) => {
                await attachKiller(again)
                await goOn()
              })
              const where = [position, again].map((one) => `${one.call} ${one.nth}`)
              await restartAndCheck(`killed at ${where.join(', then at ')}`, seoName)
            }
            return hits
          },
        })
      },
    )
  }
})
