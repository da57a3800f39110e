import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startPractice, type PracticeServer } from './faulty-practice.ts'
import { client, dispatched, form, picture, poll, untilEnded } from './harness.ts'

let dir: string
const servers: PracticeServer[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hangar-kept-jobs-'))
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await rm(dir, { recursive: true })
})

async function start(ms = 10): Promise<PracticeServer> {
  const server = await startPractice({ jobsFile: join(dir, 'jobs.db'), jobTime: { kind: 'fixed', ms } })
  servers.push(server)
  return server
}

const stop = (server: PracticeServer) => servers.splice(servers.indexOf(server), 1)[0]!.close()

const bytesOf = async (server: PracticeServer, imageId: string) =>
  Buffer.from(await (await client(server).raw(`/images/${imageId}/optimized`)).arrayBuffer())

it('gives a job and its file after a restart, with another key', async () => {
  const first = await start()
  const id = await dispatched(client(first), '/images/process', form(await picture('jpeg')))
  const job = await untilEnded(client(first), id)
  const file = await bytesOf(first, job.image.id)
  await stop(first)
  const second = await start()
  expect(second.apiKey).not.toBe(first.apiKey)
  expect(await poll(client(second), id)).toEqual(job)
  expect(await bytesOf(second, job.image.id)).toEqual(file)
})

it('lets a job that was under way end in its time', async () => {
  const first = await start(3_600_000)
  const id = await dispatched(client(first), '/images/optimize', form(await picture('png')))
  await stop(first)
  expect((await poll(client(await start()), id)).status).not.toBe('completed')
})

it('keeps nothing while another practice service has the file, and works all the same', async () => {
  const first = await start()
  await untilEnded(client(first), await dispatched(client(first), '/images/optimize', form(await picture('jpeg'))))
  const second = await start()
  const id = await dispatched(client(second), '/images/optimize', form(await picture('jpeg', 60, 40)))
  expect((await untilEnded(client(second), id)).status).toBe('completed')
  await stop(second)
  await stop(first)
  expect((await client(await start()).get(`/jobs/${id}`)).status).toBe(404)
})

it('forgets what it was told to forget', async () => {
  const first = await start()
  const id = await dispatched(client(first), '/images/analyze', form(await picture('jpeg')))
  await untilEnded(client(first), id)
  await first.control({ type: 'forget-jobs' })
  await stop(first)
  expect((await client(await start()).get(`/jobs/${id}`)).status).toBe(404)
})
