import type { Output } from '../../shared/job.ts'
import type { FailReason, HoldReason, Note } from '../../shared/reasons.ts'

/** Why the work on a finishing job ends before its end, and what becomes of the job. */
export type Stop =
  | { kind: 'skip'; reason: 'source_changed' }
  /** The original is not there; see `eventForMissing`. */
  | { kind: 'missing' }
  | { kind: 'fail'; reason: FailReason; detail: string | null }
  | { kind: 'hold'; reason: HoldReason; detail: string | null }
  /** `missing`: because the result's file is not there yet. */
  | { kind: 'later'; detail: string; notBeforeMs: number | null; countsAsAttempt: boolean; missing?: boolean }
  /** An earlier run had done everything but say so. */
  | { kind: 'finished'; outputs: Output[]; notes: Note[] }
  /** No slot, or the service is held: the job stays as it is and the runner comes back. */
  | { kind: 'notNow' }

export class Stopped extends Error {
  readonly stop: Stop

  constructor(stop: Stop) {
    super(stop.kind)
    this.name = 'Stopped'
    this.stop = stop
  }
}
