import { readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { ask, collect, EngineWorld, RECIPE, runToEnd, until } from './engine-harness.ts'

let world: EngineWorld

beforeEach(async () => {
  world = await EngineWorld.open()
})

afterEach(async () => {
  await world.close()
})

describe('a run over a folder', () => {
  it('puts results beside the originals, and leaves those as they were', async () => {
    for (let n = 0; n < 5; n += 1) await world.addPicture(`${n}.jpg`, n)
    await world.addPicture('sub/deep.png', 9, 'png')
    const before = await world.listing()
    const jobs = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
    expect(jobs.filter(({ state }) => state === 'done')).toHaveLength(6)
    const after = await world.listing()
    for (const [name, sha256] of Object.entries(before)) expect(after[name]).toBe(sha256)
    expect(Object.keys(after)).toEqual(
      expect.arrayContaining(['0-optimized.jpg', '0.webp', '0.jpg.alt.json', 'sub/deep.webp', 'sub/deep.png.alt.json']),
    )
    const sidecar = Sidecar.parse(JSON.parse(await readFile(join(world.pictures, '0.jpg.alt.json'), 'utf8')))
    expect(sidecar.translations.map(({ languageCode }) => languageCode).sort()).toEqual(['de', 'en'])
    for (const output of sidecar.outputs) expect(after[output.name]).toBe(output.sha256)
    expect(world.charges).toHaveLength(6)
  })

  it('does nothing the second time, with the same journal and with a new one', async () => {
    for (let n = 0; n < 4; n += 1) await world.addPicture(`${n}.jpg`, n)
    const dataDir = world.newDataFolder()
    const first = await world.engine(dataDir)
    await runToEnd(first, [world.pictures])
    const listing = await world.listing()
    await runToEnd(first, [world.pictures])
    await world.stop(first)
    const fresh = await world.engine(world.newDataFolder())
    const jobs = await runToEnd(fresh, [world.pictures])
    expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(['skipped']))
    expect(await world.listing()).toEqual(listing)
    expect(world.charges).toHaveLength(4)
  })

  it('brings back a lost result without paying again, also when only the sidecar knows', async () => {
    await world.addPicture('a.jpg', 1)
    // The sidecar says when it was made, so it may change.
    const results = async () => ({ ...(await world.listing()), 'a.jpg.alt.json': 'there' })
    const first = await world.engine(world.newDataFolder())
    await runToEnd(first, [world.pictures])
    const listing = await results()
    await unlink(join(world.pictures, 'a-optimized.jpg'))
    await runToEnd(first, [world.pictures])
    expect(await results()).toEqual(listing)
    await world.stop(first)
    await unlink(join(world.pictures, 'a-optimized.jpg'))
    await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
    expect(await results()).toEqual(listing)
    expect(world.charges).toHaveLength(1)
  })

  it('never overwrites what it did not write', async () => {
    await world.addPicture('a.jpg', 1)
    await writeFile(join(world.pictures, 'a-optimized.jpg'), 'mine')
    await writeFile(join(world.pictures, 'a.webp'), 'mine too')
    await writeFile(join(world.pictures, 'a.jpg.alt.json'), '{"mine": true}')
    const [job] = await runToEnd(await world.engine(world.newDataFolder()), [join(world.pictures, 'a.jpg')])
    expect(job?.state).toBe('done')
    expect(await readFile(join(world.pictures, 'a-optimized.jpg'), 'utf8')).toBe('mine')
    expect(await readFile(join(world.pictures, 'a.webp'), 'utf8')).toBe('mine too')
    expect(await readFile(join(world.pictures, 'a.jpg.alt.json'), 'utf8')).toBe('{"mine": true}')
    const names = Object.keys(await world.listing())
    expect(names).toEqual(expect.arrayContaining(['a-optimized-2.jpg', 'a-2.webp']))
  })

  it('says what is wrong with files that cannot be sent, without a request', async () => {
    await writeFile(join(world.pictures, 'text.jpg'), 'no picture at all')
    const whole = await readFile(await world.addPicture('whole.jpg', 1))
    await writeFile(join(world.pictures, 'cut.jpg'), whole.subarray(0, whole.length / 2))
    await writeFile(join(world.pictures, 'large.jpg'), Buffer.concat([whole, Buffer.alloc(10_485_761)]))
    await rm(join(world.pictures, 'whole.jpg'))
    const jobs = await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
    const reasons = Object.fromEntries(
      jobs.map((job) => [basename(job.source.path), [job.state, job.reason?.code ?? null]] as const),
    )
    expect(reasons).toEqual({
      'text.jpg': ['failed', 'not_an_image'],
      'cut.jpg': ['failed', 'cut_off'],
      'large.jpg': ['failed', 'too_large'],
    })
    expect(world.practice.ledger().totals.requests).toBe(0)
  })

  it('converts on this computer without sending anything', async () => {
    await world.addPicture('a.jpg', 1)
    const engine = await world.engine(world.newDataFolder())
    const jobs = await runToEnd(engine, [world.pictures], {
      recipe: { ...RECIPE, operation: 'convert', format: 'avif' },
    })
    expect(jobs[0]?.state).toBe('done')
    expect(Object.keys(await world.listing())).toContain('a.avif')
    expect(world.charges).toHaveLength(0)
  })

  it('replaces an original only when asked, and brings it back', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const original = await readFile(path)
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures], {
      recipe: { ...RECIPE, operation: 'optimize', output: { kind: 'replace' } },
    })
    expect(job?.state).toBe('done')
    expect((await readFile(path)).length).toBeLessThan(original.length)
    const again = await runToEnd(engine, [world.pictures], {
      recipe: { ...RECIPE, operation: 'optimize', output: { kind: 'replace' } },
    })
    expect(again.filter(({ state }) => state === 'done')).toHaveLength(0)
    expect(world.charges).toHaveLength(1)
    const { results } = await ask(engine, 'originals.restore', { paths: [path] })
    expect(results).toEqual([{ path, restored: true, problem: null, why: null }])
    expect(await readFile(path)).toEqual(original)
  })

  it('keeps the tree in an output folder', async () => {
    await world.addPicture('sub/a.jpg', 1)
    const dir = join(world.dir, 'out')
    const engine = await world.engine(world.newDataFolder())
    await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, output: { kind: 'folder', dir } } })
    await stat(join(dir, 'sub', 'a-optimized.jpg'))
    await stat(join(dir, 'sub', 'a.jpg.alt.json'))
    expect(Object.keys(await world.listing())).toEqual(['sub/a.jpg'])
  })

  it('waits for a person before it sends more than a hundred', async () => {
    for (let n = 0; n < 101; n += 1) await world.addPicture(`${n}.jpg`, n)
    const engine = await world.engine(world.newDataFolder())
    const held = await runToEnd(engine, [world.pictures], { confirmed: false })
    expect(held.every((job) => job.state === 'held' && job.reason?.code === 'spend_guard')).toBe(true)
    expect(world.charges).toHaveLength(0)
    await ask(engine, 'batches.confirm', { id: held[0]!.batchId })
    await until(engine, 'the first picture is sent', () => world.charges.length > 0)
  })
})

describe('when things go wrong', () => {
  it('leaves a picture unknown when its answer was lost after the charge, and resends it only when a person approves', async () => {
    await world.addPicture('a.jpg', 1)
    await world.practice.control({
      type: 'add-weather',
      rules: [{ on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } }],
    })
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    const [job] = await runToEnd(engine, [world.pictures])
    expect(job).toMatchObject({ state: 'unknown', reason: { code: 'unclear_answer' }, nextSteps: ['resend', 'drop'] })
    await world.stop(engine)
    const again = await world.engine(dataDir)
    const [still] = await runToEnd(again, [world.pictures])
    expect(still?.state).toBe('unknown')
    expect(world.charges).toHaveLength(1)
    await ask(again, 'jobs.resolve', { ids: [still!.id], how: 'resend' })
    await until(again, 'the resend is done', async () => (await ask(again, 'jobs.counts', {})).counts.done === 1)
    expect(world.charges).toHaveLength(2)
  })

  it('takes back that pictures were left unsent: each is as it was, and nothing is sent', async () => {
    const engine = await world.engine(world.newDataFolder())
    await world.practice.control({ type: 'fail-jobs', next: 1 })
    const failing = await runToEnd(engine, [await world.addPicture('a.jpg', 1)])
    await world.practice.control({
      type: 'add-weather',
      rules: [{ on: 'dispatch', times: 1, effect: { kind: 'reset', when: 'after-work' } }],
    })
    const others = await runToEnd(engine, [await world.addPicture('b.jpg', 2), await world.addPicture('c.jpg', 3)])
    const before = [...failing, ...others]
    expect(before.map(({ state }) => state).sort()).toEqual(['done', 'failed', 'unknown'])
    const ids = before.map(({ id }) => id)
    const charges = world.charges.length
    const jobs = async () => (await ask(engine, 'jobs.get', { ids })).jobs.map((job) => ({ ...job, updatedAtMs: 0 }))
    const asTheyWere = await jobs()
    expect(await ask(engine, 'jobs.resolve', { ids, how: 'drop' })).toEqual({ changed: 2 })
    expect((await ask(engine, 'jobs.counts', {})).counts).toMatchObject({ done: 1, cancelled: 2 })
    expect(await ask(engine, 'jobs.reopen', { ids })).toEqual({ changed: 2 })
    expect(await jobs()).toEqual(asTheyWere)
    // What was not left unsent, or is no longer, stays as it is.
    expect(await ask(engine, 'jobs.reopen', { ids })).toEqual({ changed: 0 })
    const failed = asTheyWere.find(({ state }) => state === 'failed')!
    await ask(engine, 'jobs.resolve', { ids: [failed.id], how: 'drop' })
    await ask(engine, 'jobs.retry', { ids: [failed.id] })
    expect(await ask(engine, 'jobs.reopen', { ids: [failed.id] })).toEqual({ changed: 0 })
    await until(engine, 'the retried one is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 2)
    const removed = asTheyWere.find(({ state }) => state === 'unknown')!
    await ask(engine, 'jobs.resolve', { ids: [removed.id], how: 'drop' })
    await ask(engine, 'jobs.remove', { ids: [removed.id] })
    expect(await ask(engine, 'jobs.reopen', { ids: [removed.id, 'no-such-job'] })).toEqual({ changed: 0 })
    expect(world.charges).toHaveLength(charges + 1)
  })

  it('holds everything for a wrong key, and goes on when the right one is set', async () => {
    await world.addPicture('a.jpg', 1)
    await world.secrets.set('image', world.origin, 'wrong-key-wrong-key')
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures])
    expect(job).toMatchObject({ state: 'held', reason: { code: 'key_refused' } })
    await ask(engine, 'keys.set', { name: 'image', key: world.practice.apiKey })
    await until(engine, 'the picture is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 1)
    expect(world.charges).toHaveLength(1)
  })

  it('holds for credits and goes on after a top-up', async () => {
    await world.practice.control({ type: 'set-credits', credits: 0 })
    await world.addPicture('a.jpg', 1)
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures])
    expect(job).toMatchObject({ state: 'held', reason: { code: 'credits_short' } })
    await world.practice.control({ type: 'top-up', credits: 100 })
    await ask(engine, 'jobs.retry', { ids: [job!.id] })
    await until(engine, 'the picture is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 1)
  })

  it('goes on with waiting jobs after a restart, by their job id', async () => {
    const endJobs = await world.holdJobs()
    await world.addPicture('a.jpg', 1)
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
    await until(engine, 'it waits', async () => (await ask(engine, 'jobs.counts', {})).counts.waiting === 1)
    await world.stop(engine)
    const again = await world.engine(dataDir)
    endJobs()
    await until(again, 'it is done', async () => (await ask(again, 'jobs.counts', {})).counts.done === 1)
    expect(world.charges).toHaveLength(1)
  })
})

describe('the practice service', () => {
  it('is sent to again at once when it no longer has a known result, without a word', async () => {
    const path = await world.addPicture('a.jpg', 1)
    const overrides = { imageBaseUrl: null, chargerBaseUrl: null }
    const engine = await world.engine(world.newDataFolder(), { practice: () => world.practice, overrides })
    await runToEnd(engine, [path])
    await world.practice.control({ type: 'forget-jobs' })
    const renamed = join(world.pictures, 'renamed.jpg')
    await rename(path, renamed)
    const events = collect(engine)
    const jobs = await runToEnd(engine, [renamed])
    expect(jobs.map(({ state }) => state)).toEqual(['done'])
    expect(world.charges).toHaveLength(2)
    const states = events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
    expect(states).not.toContain('failed')
  })

  it('is sent to again after a restart in which it forgot what was in flight', async () => {
    const later = await EngineWorld.open()
    try {
      await world.holdJobs()
      await world.addPicture('a.jpg', 1)
      const dataDir = world.newDataFolder()
      const overrides = { imageBaseUrl: null, chargerBaseUrl: null }
      const engine = await world.engine(dataDir, { practice: () => world.practice, overrides })
      await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
      await until(engine, 'it waits', async () => (await ask(engine, 'jobs.counts', {})).counts.waiting === 1)
      await world.stop(engine)
      const again = await world.engine(dataDir, { practice: () => later.practice, overrides })
      const events = collect(again)
      await until(again, 'it is done', async () => (await ask(again, 'jobs.counts', {})).counts.done === 1)
      expect(later.charges).toHaveLength(1)
      const states = events.flatMap((event) => (event.type === 'job' ? [event.job.state] : []))
      expect(states).not.toContain('unknown')
    } finally {
      await later.close()
    }
  })
})

describe('a watched folder', () => {
  it('takes in what arrives, and never its own results', async () => {
    const engine = await world.engine(world.newDataFolder(), { watch: true })
    await ask(engine, 'folders.add', { path: world.pictures, recipe: RECIPE, include: [], exclude: [] })
    await world.addPicture('first.jpg', 1)
    await until(engine, 'the first is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 1)
    await world.addPicture('second.jpg', 2)
    await until(engine, 'the second is done', async () => (await ask(engine, 'jobs.counts', {})).counts.done === 2)
    await ask(engine, 'folders.reconcile', { id: null })
    const { counts } = await ask(engine, 'jobs.counts', {})
    expect(counts).toMatchObject({ done: 2, failed: 0 })
    expect(world.charges).toHaveLength(2)
    const events = collect(engine)
    await rename(join(world.pictures, 'first.webp'), join(world.pictures, 'moved.webp'))
    await until(
      engine,
      'the moved result is looked at',
      async () => (await ask(engine, 'jobs.counts', {})).counts.skipped === 1,
    )
    expect(events.some((event) => event.type === 'job' && event.job.reason?.code === 'own_output')).toBe(true)
    expect(world.charges).toHaveLength(2)
  })
})

it('lists languages of the service', async () => {
  const engine = await world.engine(world.newDataFolder())
  const { languages } = await ask(engine, 'languages.list', {})
  expect(languages.length).toBeGreaterThanOrEqual(10)
  expect(await ask(engine, 'credits.afford', { images: 250, languages: 2, format: 'webp' })).toMatchObject({
    balance: 1000,
  })
})
