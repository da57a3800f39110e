import type { ChargePoint } from '../../shared/charger.ts'
import type { ChargerStatus, ListGap } from '../../shared/charger-status.ts'
import type { AppError } from '../../shared/errors.ts'
import type { RateHold } from '../../shared/ports.ts'

/** All that one refresh brought. */
export interface ChargerReading {
  /** In ascending order of id, each once. */
  chargers: ChargePoint[]
  unusable: number
  /** Records whose id came before in the same list. */
  duplicates: number
  /** Why chargers that exist may be missing; null when the list is complete. */
  gap: ListGap | null
}

export type ReadingOutcome =
  | { kind: 'read'; reading: ChargerReading }
  /** `retryAfterMs`: how long the service asks to be left alone; null when it does not say. */
  | { kind: 'failed'; error: AppError; retryAfterMs: number | null }

/** A charger service as the book sees it. */
export interface ChargerSource {
  /** Names the service over restarts: what was read of one is never shown for another. */
  id: string
  /** Where it answers now; another address or another start of the practice service is asked at once. */
  access: string
  /** The practice service: samples, which are not kept over restarts either. */
  sample: boolean
  /**
   * Never rejects. `onHold` is told when it waits as the service asks it to, and with null when it goes on; `onProgress`,
   * after each page, how many records came and how many the service says it has.
   */
  read(options: {
    signal: AbortSignal
    onHold: (hold: RateHold | null) => void
    onProgress: (progress: NonNullable<ChargerStatus['progress']>) => void
  }): Promise<ReadingOutcome>
}
