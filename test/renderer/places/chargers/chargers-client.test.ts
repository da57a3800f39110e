import { describe, expect, it } from 'vitest'
import { ChargerClient, type WorkerPort } from '../../../../src/renderer/places/chargers/data/charger-client.ts'
import type { AnswerTo, QuestionName, Question, Reply } from '../../../../src/renderer/places/chargers/data/protocol.ts'

/** A worker that answers when it is told to. */
class SlowWorker implements WorkerPort {
  readonly asked: Question[] = []
  reply: (reply: Reply) => void = () => undefined
  fail: () => void = () => undefined
  isGone = false

  postMessage(question: Question): void {
    this.asked.push(question)
  }

  terminate(): void {
    this.isGone = true
  }

  listen(listener: (reply: Reply) => void): void {
    this.reply = listener
  }

  onFailure(listener: () => void): void {
    this.fail = listener
  }
}

function start() {
  const worker = new SlowWorker()
  const client = new ChargerClient(worker)
  const answer = (at: number, value: AnswerTo<QuestionName>) =>
    worker.reply({ id: worker.asked[at]!.id, ok: true, answer: value })
  return { worker, client, answer }
}

describe('Questions to the worker', () => {
  it('get their own answers, in whatever order these come', async () => {
    const { client, answer } = start()
    const [first, second] = [client.ask('position', { id: 1 }), client.ask('position', { id: 2 })]
    answer(1, 22)
    answer(0, 11)
    expect(await Promise.all([first, second])).toEqual([11, 22])
  })

  it('fail at once when the worker did not start or crashed, those that are out and those to come', async () => {
    const { worker, client } = start()
    const out = [client.ask('position', { id: 1 }), client.askNewest('quick', {}), client.askNewest('quick', {})]
    worker.fail()
    const later = [client.ask('position', { id: 2 }), client.askNewest('facet', { name: 'states' })]
    for (const ended of await Promise.allSettled([...out, ...later]))
      expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'WorkerFailed' } })
    expect(worker.asked).toHaveLength(2)
  })

  it('fail with the words of the worker', async () => {
    const { worker, client } = start()
    const asked = client.ask('expand', { cluster: 1 })
    worker.reply({ id: worker.asked[0]!.id, ok: false, why: { raw: 'No such cluster.' } })
    await expect(asked).rejects.toThrow('No such cluster.')
  })

  it('of which only the newest counts wait for the one under way, and those between are left out', async () => {
    const { worker, client, answer } = start()
    const asked = [1, 2, 3].map((id) => client.askNewest('position', { id }))
    expect(worker.asked).toHaveLength(1)
    answer(0, 10)
    await asked[0]
    expect(worker.asked.map(({ asks }) => asks)).toEqual([{ id: 1 }, { id: 3 }])
    answer(1, 30)
    expect(await Promise.all(asked)).toEqual([10, null, 30])
  })

  it('go on after one that failed', async () => {
    const { worker, client, answer } = start()
    const failing = client.askNewest('position', { id: 1 })
    const next = client.askNewest('position', { id: 2 })
    worker.reply({ id: worker.asked[0]!.id, ok: false, why: { raw: 'Not now.' } })
    await expect(failing).rejects.toThrow('Not now.')
    answer(1, 20)
    expect(await next).toBe(20)
  })

  it('end with the worker', () => {
    const { worker, client } = start()
    client.close()
    expect(worker.isGone).toBe(true)
  })
})
