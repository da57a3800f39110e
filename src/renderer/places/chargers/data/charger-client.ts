import type { AnswerTo, AsksOf, Question, QuestionName, Reply } from './protocol.ts'

/** What the client needs of a worker. */
export interface WorkerPort {
  postMessage(question: Question): void
  /** Called once. */
  listen(listener: (reply: Reply) => void): void
  /** Called when the worker did not start or crashed: no answer comes any more. */
  onFailure(listener: () => void): void
  terminate(): void
}

interface Waiting {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** Of one kind of question, the one under way and the newest that waits for its turn. */
interface Lane {
  busy: boolean
  next: { asks: unknown; resolve: (answer: unknown) => void; reject: (error: Error) => void } | null
}

/** The worker is not there any more; over the content it says what to do. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed'
}

/** Asks the worker. Rejects with the worker's words when it could not answer, and with `WorkerFailed` once it is gone. */
export class ChargerClient {
  readonly #worker: WorkerPort
  readonly #waiting = new Map<number, Waiting>()
  readonly #lanes = new Map<QuestionName, Lane>()
  #lastId = 0
  #hasFailed = false

  constructor(worker: WorkerPort) {
    this.#worker = worker
    worker.listen((reply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (reply.ok) waiting?.resolve(reply.answer)
      else waiting?.reject(new Error(reply.message))
    })
    worker.onFailure(() => {
      this.#hasFailed = true
      for (const { reject } of this.#waiting.values()) reject(new WorkerFailed())
      this.#waiting.clear()
    })
  }

  ask<Name extends QuestionName>(name: Name, asks: AsksOf<Name>): Promise<AnswerTo<Name>> {
    if (this.#hasFailed) return Promise.reject(new WorkerFailed())
    const id = (this.#lastId += 1)
    return new Promise<AnswerTo<Name>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject })
      this.#worker.postMessage({ id, name, asks } as Question)
    })
  }

  /**
   * Asks where only the newest question counts, such as what a moving map shows: one is under way at a time, and what was
   * asked meanwhile is left out for what was asked last. Null for a question that was left out.
   */
  async askNewest<Name extends QuestionName>(name: Name, asks: AsksOf<Name>): Promise<AnswerTo<Name> | null> {
    const lane = this.#lanes.get(name) ?? { busy: false, next: null }
    this.#lanes.set(name, lane)
    if (lane.busy)
      return new Promise((resolve, reject) => {
        lane.next?.resolve(null)
        lane.next = { asks, resolve: resolve as (answer: unknown) => void, reject }
      })
    lane.busy = true
    try {
      return await this.ask(name, asks)
    } finally {
      lane.busy = false
      const { next } = lane
      lane.next = null
      if (next !== null) this.askNewest(name, next.asks as AsksOf<Name>).then(next.resolve, next.reject)
    }
  }

  close(): void {
    this.#worker.terminate()
    this.#waiting.clear()
  }
}
