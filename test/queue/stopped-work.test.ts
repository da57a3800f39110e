import { expect, it } from 'vitest'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'
import { NO_GUARD } from '../journal/no-guard.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'
import { SERVICE } from './make-job.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

makeBenchForEachTest()

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
const stopped = () => bench.background.stopped()

it('Work on pictures that the full disk of the journal stops stands as stopped until some of it works', async () => {
  bench.saveBudget = () => {
    throw full()
  }
  const job = await bench.add('1')
  await bench.run(20 * SECOND)
  expect(stopped()).toMatchObject([{ task: 'queue_work', subject: null, code: 'disk_full' }])
  expect(bench.service.charges).toEqual([])
  bench.saveBudget = () => undefined
  await bench.clock.advance(5 * MINUTE)
  expect(bench.get(job).state).toBe('done')
  expect(stopped()).toEqual([])
})

it('A result whose hold the full disk of the journal did not take is fetched again, and none is missing', async () => {
  const stage = bench.files.stage.bind(bench.files)
  const apply = bench.store.apply.bind(bench.store)
  bench.files.stage = (place, id, role, ...rest) => {
    if (role !== 'converted') return stage(place, id, role, ...rest)
    bench.files.stage = stage
    bench.store.apply = () => {
      bench.store.apply = apply
      throw full()
    }
    return Promise.reject(new AppError('disk_full', raw('no space')))
  }
  const job = await bench.add('1')
  await bench.run(5 * MINUTE)
  expect(bench.get(job).outputs.map(({ role }) => role)).toEqual(['optimized', 'converted', 'sidecar'])
})

it('Going through the queue stands as stopped while it fails, also in the pause before it is tried again', async () => {
  const list = bench.store.list.bind(bench.store)
  bench.store.list = () => {
    throw full()
  }
  bench.runner.start()
  for (let second = 0; second < 20; second += 1) {
    await bench.clock.advance(SECOND)
    bench.runner.wake()
    expect(stopped().map(({ task }) => task)).toContain('queue')
  }
  bench.store.list = list
  await bench.clock.advance(MINUTE)
  expect(stopped()).toEqual([])
})

it('A mistake in the work on one picture stands as stopped until that picture is cancelled', async () => {
  const [bad, good] = [await bench.add('bad'), await bench.add('good')]
  const read = bench.files.readSource.bind(bench.files)
  bench.files.readSource = (path, ...rest) =>
    path.includes('bad') ? Promise.reject(new Error('a mistake')) : read(path, ...rest)
  await bench.run(5 * MINUTE)
  expect(bench.get(good).state).toBe('done')
  expect(stopped()).toMatchObject([{ task: 'queue_work', subject: bad.id, code: 'internal' }])
  bench.store.apply(bad.id, { type: 'cancel' })
  bench.runner.abandon(bad.id)
  expect(stopped()).toEqual([])
})

it('Asking whether a service can be used again stands as stopped while it fails here', async () => {
  bench.lane.setHold({ code: 'key_refused', detail: null })
  bench.onBalance = () => {
    throw full()
  }
  bench.runner.start()
  bench.lane.askSoon()
  await bench.clock.advance(5 * SECOND)
  expect(stopped()).toMatchObject([{ task: 'service_probe', subject: SERVICE, code: 'disk_full' }])
  bench.onBalance = () => undefined
  await bench.clock.advance(15 * MINUTE)
  expect(bench.lane.hold).toBeNull()
  expect(stopped()).toEqual([])
})

it('Looking through what is held stands as stopped while it fails', async () => {
  const job = await bench.add('1')
  bench.store.apply(job.id, { type: 'hold', reason: { code: 'folder_missing', detail: null } })
  const isFolder = bench.files.isFolder.bind(bench.files)
  bench.files.isFolder = () => Promise.reject(full())
  await bench.run(5 * SECOND)
  expect(stopped()).toMatchObject([{ task: 'holds', subject: null, code: 'disk_full' }])
  bench.files.isFolder = isFolder
  await bench.clock.advance(MINUTE)
  expect(stopped()).toEqual([])
})

it('Pictures of which no request was made, because the journal could not be read once they were in it, are sent later', async () => {
  const jobs = [await bench.add('1'), await bench.add('2'), await bench.add('3'), await bench.add('4')]
  let failures = 0
  bench.context.guard = {
    ...NO_GUARD,
    sent: () => {
      failures += 1
      if (failures <= 4) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
    },
  }
  await bench.run(10 * MINUTE)
  expect(jobs.map((job) => bench.get(job).state)).toEqual(['done', 'done', 'done', 'done'])
  expect(bench.service.charges).toHaveLength(4)
})

it('A picture whose answer came while the journal could not be read goes on by that answer', async () => {
  const { db } = bench
  let failures = 0
  bench.context.db = new Proxy(db, {
    get: (_, key) => {
      const member: unknown = Reflect.get(db, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (key === 'prepare' && String(args[0]).includes('remote_job_id = ? AND paid_key <>') && failures < 3) {
          failures += 1
          throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' })
        }
        return member.apply(db, args) as unknown
      }
    },
  })
  const job = await bench.add('1')
  await bench.run(5 * MINUTE)
  expect(failures).toBe(3)
  expect(bench.get(job).state).toBe('done')
  expect(bench.service.charges).toHaveLength(1)
})

it('Pictures whose answers a mistake kept from the journal are unknown, and the others are sent', async () => {
  const bad = [await bench.add('1'), await bench.add('2'), await bench.add('3'), await bench.add('4')]
  const isBad = (id: string) => bad.some((job) => job.id === id)
  const apply = bench.store.apply.bind(bench.store)
  bench.store.apply = (id, event, alongside) => {
    if (event.type === 'accepted' && isBad(id)) throw new Error('a mistake')
    return apply(id, event, alongside)
  }
  await bench.run(5 * MINUTE)
  expect(bad.map((job) => bench.get(job))).toMatchObject(
    bad.map(() => ({ state: 'unknown', reason: { code: 'unclear_answer' } })),
  )
  const good = await bench.add('5')
  await bench.clock.advance(20 * MINUTE)
  expect(bench.get(good).state).toBe('done')
  expect(bench.service.charges).toHaveLength(5)
})
