import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { makeSidecar } from '../files/make-sidecar.ts'
import { sha256 } from '../files/temp-folder.ts'
import { ask, makePicture, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** The picture that lies in the shared folder as well as in a private one. */
let bytes: Buffer
beforeAll(async () => {
  bytes = await makePicture(1, 'jpeg')
})

const ANALYZE = { ...RECIPE, operation: 'analyze' as const }

/** Writes a file as another user of this computer, where this test may become one. */
function writeAsAnother(path: string, bytes: Uint8Array | string): void {
  const other = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  const [program = 'tee', ...args] = [...other, 'tee', path]
  const { status, stderr } = spawnSync(program, args, { input: bytes, stdio: ['pipe', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`nothing planted: ${stderr.toString()}`)
}

/** A folder that every user of this computer may write in, with what another has put there. */
async function sharedFolder(files: Record<string, Uint8Array | string>): Promise<string> {
  const dir = join(world.dir, 'shared')
  await chmod(world.dir, 0o755)
  await mkdir(dir)
  await chmod(dir, 0o777)
  for (const [name, content] of Object.entries(files)) writeAsAnother(join(dir, name), content)
  return dir
}

async function privatePicture(): Promise<string> {
  const path = join(world.dir, 'private', 'mine.jpg')
  await mkdir(dirname(path), { mode: 0o700 })
  await writeFile(path, bytes)
  return path
}

const RECORDED = {
  languages: RECIPE.languages,
  format: 'webp',
  naming: 'original',
  metadata: RECIPE.metadata,
  minSavingPercent: RECIPE.minSavingPercent,
} as const

/** What a sidecar says that was not made by Hangar. */
function planted(sourceName = 'a.jpg', source: Uint8Array = bytes, changes: Partial<Sidecar> = {}): string {
  const texts = { seoFilename: 'planted', seoAltText: 'planted text' }
  const sidecar = makeSidecar({
    source: { name: sourceName, sha256: sha256(source), sizeBytes: source.byteLength },
    service: { id: world.origin, jobId: 'planted-job', imageId: 'planted-image' },
    recipe: { ...RECORDED, operation: 'analyze', sent: 'analyze' },
    translations: RECIPE.languages.map((languageCode) => ({ languageCode, ...texts })),
    ...changes,
  })
  return JSON.stringify(sidecar)
}

/** A sidecar that calls a picture an output of something. */
function plantedOutput(name: string): string {
  const output = {
    role: 'optimized',
    name,
    sha256: sha256(bytes),
    sizeBytes: bytes.byteLength,
    type: 'jpeg',
  } as const
  return planted('something.jpg', Buffer.from('something'), { outputs: [output] })
}

async function sidecarOf(path: string): Promise<Sidecar> {
  return Sidecar.parse(JSON.parse(await readFile(`${path}.alt.json`, 'utf8')))
}

const only = (jobs: JobView[]) => {
  expect(jobs).toHaveLength(1)
  return jobs[0]!
}

describe('a sidecar that another user planted in a shared folder', () => {
  for (const force of [false, true])
    it(`says nothing about the same picture elsewhere: it is done, with its own texts (force: ${force})`, async () => {
      const shared = await sharedFolder({ 'a.jpg': bytes, 'a.jpg.alt.json': planted() })
      const mine = await privatePicture()
      const engine = await world.engine(world.newDataFolder())
      const there = only(await runToEnd(engine, [shared], { recipe: ANALYZE }))
      expect(there).toMatchObject({ state: 'skipped', reason: { code: 'already_done' } })
      expect(world.charges).toHaveLength(0)

      const job = only(await runToEnd(engine, [dirname(mine)], { recipe: ANALYZE, force }))
      expect(job).toMatchObject({ state: 'done' })
      expect(world.charges).toHaveLength(1)
      for (const { seoAltText } of (await sidecarOf(mine)).translations) expect(seoAltText).not.toContain('planted')
    })

  it.each([false, true])(
    'makes an output of a picture in its own folder alone, however it is added (force: %s)',
    async (force) => {
      const shared = await sharedFolder({ 'a.jpg': bytes, 'something.jpg.alt.json': plantedOutput('a.jpg') })
      const engine = await world.engine(world.newDataFolder())
      const own = { state: 'skipped', reason: { code: 'own_output' } }
      for (const path of [shared, join(shared, 'a.jpg')])
        expect(only(await runToEnd(engine, [path], { force }))).toMatchObject(own)
      expect(world.charges).toHaveLength(0)
      const mine = await privatePicture()
      expect(only(await runToEnd(engine, [mine], { force }))).toMatchObject({ state: 'done' })
      expect(world.charges).toHaveLength(1)
    },
  )

  it('of another computer keeps its results from being paid for when a pattern of the shell names each with --force', async () => {
    await world.addPicture('a.jpg', 1)
    const first = await world.engine(world.newDataFolder())
    await runToEnd(first, [world.pictures])
    await world.stop(first)
    await rename(join(world.pictures, 'a.webp'), join(world.pictures, 'best.webp'))
    const second = await world.engine(world.newDataFolder())
    const results = (await readdir(world.pictures)).filter((name) => /\.(?:jpg|webp)$/.test(name) && name !== 'a.jpg')
    expect(results).toHaveLength(2)
    const paths = results.map((name) => join(world.pictures, name))
    const jobs = await runToEnd(second, paths, { force: true })
    expect(jobs.map(({ reason }) => reason?.code)).toEqual(['own_output', 'own_output'])
    expect(world.charges).toHaveLength(1)
  })

  it('spoils nothing that this computer paid for, when what it promises is not at the service', async () => {
    const says = { recipe: { ...RECORDED, operation: 'process', sent: 'process' } } as const
    const shared = await sharedFolder({ 'a.jpg': bytes, 'a.jpg.alt.json': planted('a.jpg', bytes, says) })
    const mine = await privatePicture()
    const engine = await world.engine(world.newDataFolder())
    const { batchId } = await ask(engine, 'intake.add', { paths: [shared], recipe: RECIPE })
    const waiting = async () => (await ask(engine, 'jobs.list', { batchId })).jobs[0]
    await until(engine, 'it is gone', async () => (await waiting())?.reason?.code === 'download_gone')
    expect(only(await runToEnd(engine, [mine]))).toMatchObject({ state: 'done' })
    expect(world.charges).toHaveLength(1)
  })
})

describe('on a second computer', () => {
  /** Pictures and results as a first computer left them. */
  async function doneByAnother(): Promise<void> {
    await world.addPicture('a.jpg', 1)
    await world.addPicture('sub/b.jpg', 2)
    const first = await world.engine(world.newDataFolder())
    await runToEnd(first, [world.pictures])
    await world.stop(first)
  }

  it('a folder with its results may be moved, and nothing in it is paid for or taken in again', async () => {
    await doneByAnother()
    const second = await world.engine(world.newDataFolder())
    await runToEnd(second, [world.pictures])
    const moved = join(world.dir, 'moved')
    await rename(world.pictures, moved)
    const jobs = await runToEnd(second, [moved])
    expect(new Set(jobs.map(({ state, reason }) => `${state} ${reason?.code}`))).toEqual(
      new Set(['skipped already_done', 'skipped own_output']),
    )
    expect(world.charges).toHaveLength(2)
    await mkdir(world.pictures)
  })

  it('an output folder is known by the sidecars in it', async () => {
    await world.addPicture('sub/a.jpg', 1)
    const recipe = { ...RECIPE, output: { kind: 'folder' as const, dir: join(world.dir, 'out') } }
    const first = await world.engine(world.newDataFolder())
    await runToEnd(first, [world.pictures], { recipe })
    await world.stop(first)
    const second = await world.engine(world.newDataFolder())
    expect(only(await runToEnd(second, [world.pictures], { recipe }))).toMatchObject({ state: 'skipped' })
    const results = await runToEnd(second, [join(world.dir, 'out')])
    expect(new Set(results.map(({ reason }) => reason?.code))).toEqual(new Set(['own_output']))
    expect(world.charges).toHaveLength(1)
  })

  it('a lost result that its sidecar lists is free, even when Hangar was stopped in between', async () => {
    await doneByAnother()
    await unlink(join(world.pictures, 'a-optimized.jpg'))
    const dataDir = world.newDataFolder()
    // Takes in, and does nothing about it.
    const idle = await world.engine(dataDir, { scope: 'none' })
    const { batchId } = await ask(idle, 'intake.add', { paths: [join(world.pictures, 'a.jpg')], recipe: RECIPE })
    await until(idle, 'it is taken in', async () => !(await ask(idle, 'batches.get', { id: batchId })).open)
    await world.stop(idle)
    const second = await world.engine(dataDir)
    await until(second, 'it is done', async () => (await ask(second, 'jobs.counts', {})).counts.done === 1)
    expect(world.charges).toHaveLength(2)
  })
})
