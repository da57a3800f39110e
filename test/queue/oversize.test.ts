import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/shared/jobs/job.ts'
import { MAX_UPLOAD_BYTES, type Recipe } from '../../src/shared/recipes/recipe.ts'
import { nextSteps } from '../../src/main/core/next-steps.ts'
import { recover } from '../../src/main/queue/recovery.ts'
import { hashOf } from '../simulation/memory-files.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

const MINUTE = 60_000
/** What `add` makes a picture of: more than the service takes. */
const LARGE = 'x'.repeat(MAX_UPLOAD_BYTES)
const SMALLER = 'y'.repeat(MAX_UPLOAD_BYTES)

const SENT_SMALLER = { code: 'sent_downscaled', detail: '4 × 3 → 2 × 2' }

makeBenchForEachTest()

const add = (name: string, content = LARGE, recipe: Partial<Recipe> = {}, force = false) =>
  bench.add(name, content, { recipe: { oversize: 'downscale', ...recipe }, force })

describe('a picture over the limit', () => {
  it('is refused where no copy is wanted', async () => {
    const job = await bench.add('1', LARGE)
    expect(job).toMatchObject({ state: 'failed', reason: { code: 'too_large' } })
  })

  it('is sent as its copy, once, and says so', async () => {
    const job = await add('1')
    await bench.run(5 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'done', notes: [SENT_SMALLER] })
    const copy = await bench.files.shrink({ bytes: Buffer.from('jpeg:'), sha256: job.image!.sha256 })
    if (!copy.ok) throw new Error(englishText(copy.detail))
    expect(bench.service.charges).toEqual([`${hashOf(copy.bytes)}|process|en|webp`])
    expect(bench.files.disk.get('/pictures/1.jpg')?.bytes.length).toBeGreaterThan(MAX_UPLOAD_BYTES)
    // It is converted here from the original.
    expect(bench.files.disk.get('/pictures/1.webp')?.bytes.toString()).toBe(`webp:${job.image!.sha256}`)
  })

  it('waits for room on the disk where its copy needs some, and is then sent once', async () => {
    const job = await add('1')
    const shrink = bench.files.shrink.bind(bench.files)
    bench.files.shrink = () => Promise.reject(new AppError('disk_full', say('no_space', { dir: '/data' })))
    await bench.run(MINUTE / 2)
    expect(bench.get(job)).toMatchObject({ state: 'held', reason: { code: 'disk_full' } })
    bench.files.shrink = shrink
    await bench.clock.advance(30 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'done' })
    expect(bench.service.charges).toHaveLength(1)
  })

  it('is paid for once, however many files have its content, and all of them say what was sent', async () => {
    const jobs = [await add('1'), await add('2'), await add('3')]
    await bench.run(5 * MINUTE)
    for (const job of jobs) {
      expect(bench.get(job).state).toBe('done')
      expect(bench.get(job).notes).toContainEqual(SENT_SMALLER)
    }
    expect(bench.service.charges).toHaveLength(1)
  })

  it('never gives way to its copy where originals are replaced', async () => {
    const job = await add('1', LARGE, { operation: 'optimize', output: { kind: 'replace' } })
    await bench.run(5 * MINUTE)
    expect(bench.get(job).state).toBe('done')
    expect(bench.get(job).outputs.map(({ path }) => path)).toContain('/pictures/1-optimized.jpg')
    expect(hashOf(bench.files.disk.get('/pictures/1.jpg')!.bytes)).toBe(job.image!.sha256)
  })

  it('is not made smaller when it is an animation', async () => {
    const seen = { ok: true, type: 'webp', width: 4, height: 3, animated: true, frames: 2, extras: [] } as const
    bench.files.pictures.inspect = async () => ({ ...seen, extras: [] })
    expect(await add('1')).toMatchObject({ state: 'failed', reason: { code: 'too_large' } })
  })

  it('fails without a charge when no copy can be made', async () => {
    bench.files.shrink = async () => ({ ok: false, reason: 'too_large', detail: say('no_copy_small_enough') })
    const job = await add('1')
    await bench.run(MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'failed', reason: { code: 'too_large' } })
    expect(bench.service.charges).toHaveLength(0)
  })
})

describe('while a copy is made', () => {
  /** Copying takes three seconds; `meanwhile` happens in the first. */
  const copySlowly = (meanwhile: () => unknown) => {
    const shrink = bench.files.shrink.bind(bench.files)
    bench.files.shrink = async (source) => {
      await new Promise<void>((resolve) => bench.clock.setTimer(1000, resolve))
      meanwhile()
      await new Promise<void>((resolve) => bench.clock.setTimer(2000, resolve))
      return shrink(source)
    }
  }

  it.each<[string, (job: Job) => unknown, object]>([
    [
      'a change of the original keeps both versions here',
      () => bench.files.put('/pictures/1.jpg', Buffer.from(`jpeg:${SMALLER}`)),
      { state: 'skipped', reason: { code: 'source_changed' } },
    ],
    [
      'a person can still cancel it',
      (job) => bench.store.apply(job.id, { type: 'cancel' }),
      { state: 'cancelled', reason: { code: 'before_sending' } },
    ],
    [
      'another service that a person chose keeps it from being sent to the one before',
      () => (bench.activeService = 'https://other.example'),
      { state: 'held', reason: { code: 'other_service' } },
    ],
    [
      'another batch that it was put into decides whether it may be sent',
      (job) => {
        bench.batch('capped', { maxCredits: 0, creditsPerImage: 1 })
        bench.store.move(job.id, 'capped')
      },
      { state: 'held', reason: { code: 'spend_guard' } },
    ],
  ])('%s', async (_, meanwhile, end) => {
    const job = await add('1')
    copySlowly(() => meanwhile(job))
    await bench.run(5 * MINUTE)
    expect(bench.get(job)).toMatchObject(end)
    expect(bench.service.charges).toHaveLength(0)
  })

  it('that it is cancelled and taken off the list holds nothing else up', async () => {
    const job = await add('1')
    bench.files.shrink = async () => {
      await new Promise<void>((resolve) => bench.clock.setTimer(1000, resolve))
      bench.store.apply(job.id, { type: 'cancel' })
      bench.store.remove({ ids: [job.id], states: [], kind: 'settled' }, 'undo')
      return { ok: false, reason: 'too_large', detail: say('no_copy_small_enough') }
    }
    await bench.run(5000)
    expect(bench.problems).toEqual([])
    const other = await bench.add('2')
    await bench.clock.advance(2000)
    expect(bench.get(other).state).not.toBe('ready')
    bench.store.putBack({ undoId: 'undo', ids: [] })
    expect(bench.get(job).state).toBe('cancelled')
  })

  it('a stop keeps it from being sent', async () => {
    const job = await add('1')
    let stopped = Promise.resolve()
    copySlowly(() => {
      stopped = bench.runner.stop(60_000)
    })
    await bench.run(5 * MINUTE)
    await stopped
    expect(bench.get(job).state).toBe('ready')
    expect(bench.service.charges).toHaveLength(0)
  })
})

describe('after a crash', () => {
  it('in the middle of sending a copy it is unknown, and an approved resend sends the copy', async () => {
    const job = await add('1')
    bench.store.apply(job.id, { type: 'dispatch', accountId: 'account-1' })
    recover(bench.context)
    await bench.run(5 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'unknown', reason: { code: 'crashed_while_sending' } })
    expect(nextSteps(bench.get(job))).toContain('resend')
    expect(bench.service.charges).toHaveLength(0)
    bench.store.apply(job.id, { type: 'resend' })
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'done', notes: [{ code: 'sent_downscaled' }] })
    expect(bench.service.charges).toHaveLength(1)
  })

  it('while its result was written it is finished without another charge', async () => {
    const job = await add('1')
    await bench.run(1500)
    expect(bench.get(job).state).toBe('waiting')
    recover(bench.context)
    await bench.clock.advance(5 * MINUTE)
    expect(bench.get(job)).toMatchObject({ state: 'done', notes: [SENT_SMALLER] })
    expect(bench.service.charges).toHaveLength(1)
  })

  it('of the network the copy is sent when it is back, and noted once', async () => {
    const job = await add('1')
    bench.service.weather = 'down'
    await bench.run(2 * MINUTE)
    bench.service.weather = 'fine'
    await bench.clock.advance(10 * MINUTE)
    expect(bench.get(job).notes.filter(({ code }) => code === 'sent_downscaled')).toHaveLength(1)
    expect(bench.service.charges).toHaveLength(1)
  })
})
