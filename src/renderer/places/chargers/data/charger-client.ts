import type { Sentence } from '../../../../shared/sentences/sentence.ts'
import type { AnswerTo, AsksOf, Question, QuestionName, Reply } from './protocol.ts'

/** The part of a worker that the client uses. */
export interface WorkerPort {
  postMessage(question: Question): void
  /** Called once. */
  listen(listener: (reply: Reply) => void): void
  /** Called when the worker failed to start or crashed: no more replies will come. */
  onFailure(listener: () => void): void
  terminate(): void
}

interface Waiting {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** For one kind of question: the request under way, and the newest one waiting. */
interface Turn {
  busy: boolean
  next: { asks: unknown; resolve: (answer: unknown) => void; reject: (error: Error) => void } | null
}

/** The worker is gone; a bar over the content says what to do. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed'
}

/** The worker could not answer a question. */
export class WorkerRefused extends Error {
  override name = 'WorkerRefused'
  readonly why: Sentence

  constructor(why: Sentence) {
    super(JSON.stringify(why))
    this.why = why
  }
}

/** Asks the worker. Rejects with `WorkerRefused` if it could not answer, and with `WorkerFailed` once it is gone. */
export class ChargerClient {
  readonly #worker: WorkerPort
  readonly #waiting = new Map<number, Waiting>()
  readonly #turns = new Map<QuestionName, Turn>()
  #lastId = 0
  #hasFailed = false

  constructor(worker: WorkerPort) {
    this.#worker = worker
    worker.listen((reply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if (reply.ok) waiting?.resolve(reply.answer)
      else waiting?.reject(new WorkerRefused(reply.why))
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
   * For questions where only the newest matters, such as what a moving map shows. One is under way at a time; of those asked
   * meanwhile only the last is sent. Resolves to null for a question that was skipped.
   */
  async askNewest<Name extends QuestionName>(name: Name, asks: AsksOf<Name>): Promise<AnswerTo<Name> | null> {
    const turn = this.#turns.get(name) ?? { busy: false, next: null }
    this.#turns.set(name, turn)
    if (turn.busy)
      return new Promise((resolve, reject) => {
        turn.next?.resolve(null)
        turn.next = { asks, resolve: resolve as (answer: unknown) => void, reject }
      })
    turn.busy = true
    try {
      return await this.ask(name, asks)
    } finally {
      turn.busy = false
      const { next } = turn
      turn.next = null
      if (next !== null) this.askNewest(name, next.asks as AsksOf<Name>).then(next.resolve, next.reject)
    }
  }

  close(): void {
    this.#worker.terminate()
    this.#waiting.clear()
  }
}
