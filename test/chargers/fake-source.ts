import type { ChargerSource, ReadingOutcome } from '../../src/main/chargers/charger-book.ts'
import type { ChargerSet } from '../../src/main/chargers/charger-set.ts'
import type { RatePause } from '../../src/shared/runtime/ports.ts'
import type { ChargePoint } from '../../src/shared/chargers/charger.ts'
import type { ChargerReading, ListGap } from '../../src/shared/chargers/charger-status.ts'
import { AppError, type AppErrorCode } from '../../src/shared/sentences/errors.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'

export const chargersOf = (...ids: number[]): ChargePoint[] => ids.map((id) => charger({ id }))

export const reading = (chargers: ChargePoint[], changes: Partial<ChargerReading> = {}): ChargerReading => ({
  chargers,
  unusable: 0,
  gap: null,
  ...changes,
})

export const SHORT: ListGap = { code: 'short', listed: 2, counted: 3 }

export const failed = (code: AppErrorCode, retryAfterMs: number | null = null): ReadingOutcome => ({
  kind: 'failed',
  error: new AppError(code, raw(`it says ${code}`)),
  retryAfterMs,
})

/** A service that answers when the test says so. */
export class FakeSource implements ChargerSource {
  readonly id: string
  sample = false
  /** One for each refresh that began. */
  readonly asked: {
    signal: AbortSignal
    pause: (pause: RatePause | null) => void
    progress: Parameters<ChargerSource['read']>[0]['onProgress']
    answer: (outcome: ReadingOutcome | ChargerReading) => Promise<void>
  }[] = []

  constructor(id = 'https://chargers.example') {
    this.id = id
  }

  read: ChargerSource['read'] = ({ signal, onPause, onProgress }) =>
    new Promise((resolve) => {
      const answer = async (outcome: ReadingOutcome | ChargerReading) => {
        resolve('kind' in outcome ? outcome : { kind: 'read', reading: outcome })
        for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setImmediate(done))
      }
      this.asked.push({ signal, pause: onPause, progress: onProgress, answer })
    })
}

/** What is kept, in memory. */
export class MemoryCache {
  readonly kept = new Map<string, ChargerSet>()
  saves = 0

  async load(source: string): Promise<ChargerSet | null> {
    return this.kept.get(source) ?? null
  }

  async save(source: string, set: ChargerSet): Promise<void> {
    this.saves += 1
    this.kept.set(source, set)
  }
}
