import type { Job } from '../../shared/jobs/job.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import { type BalanceLook, MAX_EQUAL_REFUSALS } from '../core/credit-limit.ts'

/** What a lane's service refused since the last look at the balance, and how often in a row; since this start. */
export class Refusals {
  look: BalanceLook | null = null
  #hasLooked = false
  /** By job, with the service's words. */
  readonly #unseen = new Map<string, Sentence>()
  /** By batch. */
  readonly #inARow = new Map<string, { status: number; count: number }>()

  /** A refused picture may have been charged, or the balance was never looked at. */
  get isLookDue(): boolean {
    return !this.#hasLooked || this.#unseen.size > 0
  }

  /** Those that the next look shows. */
  unseen(): ReadonlyMap<string, Sentence> {
    return new Map(this.#unseen)
  }

  /** `look`: null if the balance cannot be had. */
  looked(look: BalanceLook | null, shown: ReadonlyMap<string, Sentence>): void {
    this.look = look
    this.#hasLooked = true
    for (const id of shown.keys()) this.#unseen.delete(id)
  }

  refused(jobId: string, words: Sentence): void {
    this.#unseen.set(jobId, words)
  }

  /** Counts a refusal; true if it is the last of too many equal ones in a row. */
  countRefusal({ batchId }: Job, status: number): boolean {
    const before = this.#inARow.get(batchId)
    const count = before?.status === status ? before.count + 1 : 1
    if (count < MAX_EQUAL_REFUSALS) this.#inARow.set(batchId, { status, count })
    else this.#inARow.delete(batchId)
    return count >= MAX_EQUAL_REFUSALS
  }

  accepted({ batchId }: Job): void {
    this.#inARow.delete(batchId)
  }
}
