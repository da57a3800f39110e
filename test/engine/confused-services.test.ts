import { beforeEach, describe, expect, it } from 'vitest'
import { json } from '../odd-service.ts'
import { ask, reached, RECIPE, runToEnd, until } from './engine-harness.ts'
import { at, engine, openOddWorldForEachTest, service, startOddEngine, world } from './world-for-each-test.ts'

let dataDir: string
openOddWorldForEachTest(['a.jpg', 'b.jpg'], () => (dataDir = world.newDataFolder()))

const recipe = { ...RECIPE, operation: 'optimize' as const }
const run = (names = ['a.jpg', 'b.jpg']) => runToEnd(engine, names.map(at), { recipe })

/** Begins with both pictures; not all of them will end. */
const begin = async () =>
  (await ask(engine, 'intake.add', { paths: [world.pictures], recipe, confirmed: true })).batchId

const states = (jobs: Awaited<ReturnType<typeof run>>) =>
  jobs.map(({ state, reason }) => (reason === null ? state : `${state} ${reason.code}`)).sort()

describe('two dispatches answered with one job', () => {
  beforeEach(() => {
    service.onDispatch = (_, response) => {
      json(response, 202, { data: { job_id: 'JOB-1', status: 'pending', message: 'dispatched' } })
      return true
    }
  })

  it('leave the second picture unknown, and send nothing again by themselves', async () => {
    const jobs = await run()
    expect(states(jobs)).toEqual(['done', 'unknown no_job_id'])
    expect(service.jobs).toHaveLength(2)
    const unknown = jobs.find(({ state }) => state === 'unknown')!
    expect(unknown).toMatchObject({ outputs: [], nextSteps: ['resend', 'drop'] })
    await run()
    expect(service.jobs).toHaveLength(2)
  })

  it('are told apart also after a restart', async () => {
    expect(states(await run(['a.jpg']))).toEqual(['done'])
    await world.stop(engine)
    await startOddEngine(dataDir)
    expect(states(await run(['b.jpg']))).toEqual(['unknown no_job_id'])
  })
})

describe('an answer to a poll', () => {
  it('about another job is not taken for this one, and the other picture is finished', async () => {
    service.onPoll = (_, response, job) => {
      if (job?.id !== 'JOB-2') return false
      json(response, 200, { data: service.completed(service.jobs[0]!) })
      return true
    }
    const batchId = await begin()
    const second = await waitingWith(batchId, 'service_doubtful')
    expect(second.outputs).toEqual([])
    expect(service.count('GET /images/IMAGE-1/optimized')).toBe(1)
    // Once the service is right again, so is the picture.
    service.onPoll = () => false
    await reached(engine, 'done', 2, { batchId })
    for (const id of ['IMAGE-1', 'IMAGE-2']) expect(service.count(`GET /images/${id}/optimized`)).toBe(1)
  })

  it('with the image of another picture is not taken for this one', async () => {
    service.onPoll = async (_, response, job) => {
      if (job?.id !== 'JOB-2') return false
      // The one that it belongs to has it by then.
      const isTaken = (await ask(engine, 'jobs.list', {})).jobs.some(({ state }) => state === 'done')
      const pending = { job_id: job.id, status: 'pending', image: null }
      json(response, 200, { data: isTaken ? service.completed({ ...job, imageId: 'IMAGE-1' }) : pending })
      return true
    }
    const batchId = await begin()
    expect((await waitingWith(batchId, 'service_doubtful')).outputs).toEqual([])
    expect(service.count('GET /images/IMAGE-1/optimized')).toBe(1)
  })
})

/** The picture of a batch that waits for a reason while the other one is done. */
async function waitingWith(batchId: string, code: string) {
  const jobs = async () => (await ask(engine, 'jobs.list', { batchId })).jobs
  await until(engine, 'both pictures are sent', () => service.jobs.length === 2)
  await until(engine, `one picture is done and one waits: ${code}`, async () =>
    (await jobs()).every(({ state, reason }) => state === 'done' || reason?.code === code),
  )
  return (await jobs()).find(({ state }) => state !== 'done')!
}
