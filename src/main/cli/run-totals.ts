import type { JobView } from '../../shared/contract/jobs.ts'
import { changeText, sizeText } from './figures.ts'

/** Totals of a run or a watch, besides the counts of states. */
export class RunTotals {
  #before = 0
  #after = 0
  /** Pictures that were done before. */
  doneBefore = 0
  /** Hangar's own outputs among the files. */
  ownOutputs = 0

  add(job: JobView): void {
    if (job.state === 'skipped') this.addKnown(job.reason?.code ?? '')
    const optimized = job.outputs.find((output) => output.role === 'optimized' && output.state === 'published')
    if (job.state !== 'done' || optimized === undefined) return
    this.#before += job.source.sizeBytes
    this.#after += optimized.sizeBytes
  }

  addKnown(reason: string): void {
    if (reason === 'already_done') this.doneBefore += 1
    if (reason === 'own_output') this.ownOutputs += 1
  }

  get savedBytes(): number {
    return Math.max(0, this.#before - this.#after)
  }

  /** ` · 3.1 MB → 2.0 MB (−35 %)`, or nothing if nothing was compressed. */
  savingText(): string {
    if (this.#before === 0) return ''
    return ` · ${sizeText(this.#before)} → ${sizeText(this.#after)} (${changeText(this.#before, this.#after)})`
  }
}
