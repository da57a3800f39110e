import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { startPractice } from '../practice/faulty-practice.ts'
import {
  ask,
  countsOf,
  makePicture,
  previewToEnd,
  reached,
  RECIPE,
  refusal,
  runToEnd,
  until,
} from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'

openWorldForEachTest()

describe('a preview', () => {
  const preview = (engine: Engine, paths = [world.pictures]) => previewToEnd(engine, { paths, recipe: RECIPE })

  it('says what would be sent, is free or cannot be taken, and leaves no trace', async () => {
    await world.addPicture('done.jpg', 1)
    const engine = await world.engine(world.newDataFolder())
    await runToEnd(engine, [world.pictures])
    await writeFile(join(world.pictures, 'copy of done.jpg'), await makePicture(1, 'jpeg'))
    for (const name of ['new.jpg', 'new again.jpg']) await world.addPicture(name, 2)
    await writeFile(join(world.pictures, 'text.jpg'), 'no picture')
    const [listing, before] = [await world.listing(), await countsOf(engine)]
    const seen = await preview(engine)
    // The results that lie beside the first picture are no pictures. The second new one is the same content again.
    expect(seen).toMatchObject({ pictures: 5, toSend: 1, free: 2, done: 1, refused: 1, estimated: false })
    const sizes = await Promise.all(
      ['done.jpg', 'copy of done.jpg', 'new.jpg', 'new again.jpg', 'text.jpg'].map((name) =>
        stat(join(world.pictures, name)),
      ),
    )
    expect(seen.totalBytes).toBe(sizes.reduce((sum, { size }) => sum + size, 0))
    expect(seen.examples.map(({ source }) => source)).toEqual(['copy of done.jpg', 'new again.jpg', 'new.jpg'])
    expect(seen.refusals).toMatchObject([{ name: 'text.jpg', reason: { code: 'not_an_image' } }])
    const { balance } = await ask(engine, 'credits.balance', {})
    const one = await ask(engine, 'credits.afford', { images: 1, languages: 2, format: 'webp' })
    expect(seen.price).toEqual({ required: one.required, balance, shortfall: 0, atMost: false })
    expect(seen.examples).toContainEqual({
      source: 'new.jpg',
      outputs: ['new-optimized.jpg', 'new.webp', 'new.jpg.alt.json'],
    })
    expect(await countsOf(engine)).toEqual(before)
    expect(await world.listing()).toEqual(listing)
    expect(world.charges).toHaveLength(1)
    await runToEnd(engine, [world.pictures])
    expect(world.charges).toHaveLength(2)
  })

  it('opens a part of very many and says that it is an estimate', async () => {
    const content = await makePicture(1, 'jpeg')
    for (let n = 0; n < 330; n += 1)
      await writeFile(join(world.pictures, `${n}.jpg`), Buffer.concat([content, Buffer.from(`${n}`)]))
    const engine = await world.engine(world.newDataFolder())
    const seen = await preview(engine)
    expect(seen).toMatchObject({ pictures: 330, estimated: true, toSend: 330, free: 0, refused: 0 })
    expect(seen.price?.atMost).toBe(true)
    expect(seen.examples.length).toBeLessThanOrEqual(5)
  })

  it('has no price without a key, and says so for a path where nothing is', async () => {
    await world.addPicture('a.jpg', 1)
    await world.secrets.delete('image', world.origin)
    const engine = await world.engine(world.newDataFolder())
    expect(await preview(engine)).toMatchObject({ toSend: 1, price: null })
    const nowhere = { paths: ['/nowhere/at/all'], recipe: RECIPE }
    expect((await refusal(engine, 'intake.preview', nowhere)).code).toBe('bad_request')
  })
})

/** Another service, with an account of its own. */
async function openAnother(credits: number) {
  const other = await startPractice({ credits, seed: 9, requestsPerMinute: 10_000 })
  onTestFinished(() => other.close())
  await world.secrets.set('image', new URL(other.imageBaseUrl).origin, other.apiKey)
  return other
}

describe('what waits for a person', () => {
  const addMany = async () => {
    for (let n = 0; n < 101; n += 1) await world.addPicture(`${n}.jpg`, n)
    await world.addPicture('twin.jpg', 0)
  }

  it('is listed by order, priced as it would be sent, and goes when that is agreed to', async () => {
    await addMany()
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures], { confirmed: false })
    const { confirmations } = engine.snapshot()
    const { batchId } = job!
    expect(confirmations).toMatchObject([{ batchId, kind: 'run', folderId: null, held: 102, confirmable: true }])
    expect(englishText(confirmations[0]!.detail!)).toMatch(/approve/)
    const price = await ask(engine, 'batches.price', { id: job!.batchId })
    const all = await ask(engine, 'credits.afford', { images: 101, languages: 2, format: 'webp' })
    expect(price).toEqual({ ...all, canAfford: undefined, atMost: false, images: 101 })
    await ask(engine, 'batches.confirm', { id: job!.batchId })
    await until(engine, 'the first is sent', () => world.charges.length > 0)
  })

  it('is told with what it costs together, while there are too few credits for it', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await world.addPicture(name, name.charCodeAt(0))
    const poor = await openAnother(1)
    const engine = await world.engine(world.newDataFolder(), { overrides: { imageBaseUrl: poor.imageBaseUrl } })
    const jobs = await runToEnd(engine, [world.pictures], { confirmed: true })
    expect(jobs.map(({ state }) => state)).toEqual(['held', 'held', 'held'])
    const { required, shortfall } = await ask(engine, 'credits.afford', { images: 3, languages: 2, format: 'webp' })
    const price = { required, balance: 1, shortfall, atMost: false, images: 3 }
    expect(await ask(engine, 'batches.price', { id: null })).toEqual(price)
  })

  it('is priced by the service that it would be sent to, whichever is in use, or not at all', async () => {
    await addMany()
    const dataDir = world.newDataFolder()
    const engine = await world.engine(dataDir)
    const [job] = await runToEnd(engine, [world.pictures], { confirmed: false })
    const { batchId } = job!
    const there = await ask(engine, 'batches.price', { id: batchId })
    await world.stop(engine)
    const other = await openAnother(3)
    const overrides = { imageBaseUrl: other.imageBaseUrl }

    const elsewhere = await world.engine(dataDir, { overrides })
    expect((await ask(elsewhere, 'credits.balance', {})).balance).toBe(3)
    expect(await ask(elsewhere, 'batches.price', { id: batchId })).toEqual(there)
    await world.stop(elsewhere)

    const db = openJournal(dataDir)
    db.prepare('UPDATE batches SET service_id = ? WHERE id = ?').run(world.origin, batchId)
    db.close()
    const bound = await world.engine(dataDir, { overrides })
    expect(await ask(bound, 'batches.price', { id: batchId })).toEqual(there)
    await world.stop(bound)

    await world.secrets.delete('image', world.origin)
    const keyless = await world.engine(dataDir, { overrides })
    expect((await refusal(keyless, 'batches.price', { id: batchId })).code).toBe('key_missing')
    expect(other.ledger().requests.filter(({ path }) => path.includes('afford'))).toEqual([])
  })

  it('is cancelled as a whole, and nothing of it is sent', async () => {
    await addMany()
    const engine = await world.engine(world.newDataFolder())
    const [job] = await runToEnd(engine, [world.pictures], { confirmed: false })
    expect(await ask(engine, 'batches.cancel', { id: job!.batchId })).toEqual({ changed: 102 })
    expect(await countsOf(engine)).toMatchObject({ cancelled: 102, held: 0 })
    expect(engine.snapshot().confirmations).toEqual([])
    expect(await ask(engine, 'batches.price', { id: job!.batchId })).toMatchObject({ required: 0, images: 0 })
    expect(world.charges).toHaveLength(0)
  })

  it('cannot be agreed to when a cap is reached', async () => {
    for (let n = 0; n < 3; n += 1) await world.addPicture(`${n}.jpg`, n)
    const overrides = { caps: { perDay: 1, perMonth: null, perFolderPerDay: null } }
    const engine = await world.engine(world.newDataFolder(), { overrides })
    await runToEnd(engine, [world.pictures])
    const { confirmations } = engine.snapshot()
    expect(confirmations).toMatchObject([{ held: 2, confirmable: false }])
    expect(englishText(confirmations[0]!.detail!)).toMatch(/cap per day/)
  })
})

it('a cap counts what was sent to the service in use, and nothing of what was tried out', async () => {
  const caps = { perDay: 3, perMonth: 3, perFolderPerDay: null }
  const dataDir = world.newDataFolder()
  for (let n = 0; n < 3; n += 1) await world.addPicture(`tried/${n}.jpg`, n)
  const { practice } = world
  const trial = await world.engine(dataDir, { practice, overrides: { imageBaseUrl: null, caps } })
  await runToEnd(trial, [join(world.pictures, 'tried')])
  expect(await ask(trial, 'credits.history', { days: 1 })).toMatchObject({ sentToday: 3, sentThisMonth: 3 })
  await world.stop(trial)

  for (let n = 3; n < 7; n += 1) await world.addPicture(`real/${n}.jpg`, n)
  const engine = await world.engine(dataDir, { overrides: { caps } })
  expect(await ask(engine, 'credits.history', { days: 1 })).toMatchObject({ sentToday: 0, sentThisMonth: 0 })
  const jobs = await runToEnd(engine, [join(world.pictures, 'real')])
  expect(jobs.map(({ state }) => state).sort()).toEqual(['done', 'done', 'done', 'held'])
  expect(await ask(engine, 'credits.history', { days: 1 })).toMatchObject({
    sentToday: 3,
    days: [{ sent: 3 }],
  })
  expect(world.charges).toHaveLength(6)
})

it('spend is what the balance fell by', async () => {
  for (let n = 0; n < 3; n += 1) await world.addPicture(`${n}.jpg`, n)
  const engine = await world.engine(world.newDataFolder())
  const { balance } = await ask(engine, 'credits.balance', {})
  await runToEnd(engine, [world.pictures])
  const unknown = await ask(engine, 'credits.history', { days: 3 })
  expect(unknown.days.at(-1)).toMatchObject({ sent: 3, credits: 0 })
  expect(unknown).toMatchObject({ perDay: null, sentToday: 3, sentThisMonth: 3 })
  const after = await ask(engine, 'credits.balance', {})
  expect(engine.snapshot().service?.balance?.credits).toBe(after.balance)
  const history = await ask(engine, 'credits.history', { days: 3 })
  expect(history.balances.map(({ credits }) => credits)).toEqual([balance, after.balance])
  const spent = balance - after.balance
  expect(history.days.map(({ sent, credits }) => [sent, credits])).toEqual([
    [0, null],
    [0, null],
    [3, spent],
  ])
  // A forecast needs a week.
  expect(history.perDay).toBeNull()
})

it('a kept result is used while sending is paused: it costs nothing', async () => {
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  await runToEnd(engine, [world.pictures])
  await ask(engine, 'queue.pause', {})
  await world.addPicture('elsewhere/b.jpg', 1)
  await world.addPicture('elsewhere/c.jpg', 2)
  await ask(engine, 'intake.add', { paths: [join(world.pictures, 'elsewhere')], recipe: RECIPE })
  await until(engine, 'the kept one is done, the other waits', async () => {
    const { done, ready } = await countsOf(engine)
    return done === 2 && ready === 1
  })
  expect(world.charges).toHaveLength(1)
})

it('a key that is deleted holds what was sent with it, in words, and brings it home when it is back', async () => {
  const endJobs = await world.holdJobs()
  await world.addPicture('a.jpg', 1)
  const engine = await world.engine(world.newDataFolder())
  await ask(engine, 'intake.add', { paths: [world.pictures], recipe: RECIPE })
  await reached(engine, 'waiting', 1)
  await ask(engine, 'keys.delete', { name: 'image' })
  await reached(engine, 'held', 1)
  const { jobs } = await ask(engine, 'jobs.list', {})
  expect(jobs[0]).toMatchObject({
    reason: { code: 'key_missing' },
    resume: 'waiting',
    nextSteps: ['set_key', 'cancel'],
  })
  await ask(engine, 'keys.set', { name: 'image', key: world.practice.apiKey, sameAccount: true })
  endJobs()
  await reached(engine, 'done', 1)
  expect(world.charges).toHaveLength(1)
})
