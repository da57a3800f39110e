import type { ChargePoint } from '../../shared/chargers/charger.ts'
import type { ChargerStatus, ListGap } from '../../shared/chargers/charger-status.ts'
import type { AppError } from '../../shared/sentences/errors.ts'
import type { RatePause } from '../../shared/runtime/ports.ts'

/** All that one refresh returned. */
export interface ChargerReading {
  /** In ascending order of id, without duplicates. */
  chargers: ChargePoint[]
  unusable: number
  /** Records whose id occurred earlier in the same list. */
  duplicates: number
  /** Why existing chargers may be missing; null when the list is complete. */
  gap: ListGap | null
}

export type ReadingOutcome =
  | { kind: 'read'; reading: ChargerReading }
  /** `retryAfterMs`: the pause that the service asks for; null when it gives none. */
  | { kind: 'failed'; error: AppError; retryAfterMs: number | null }

/** A charger service as the charger book sees it. */
export interface ChargerSource {
  /** Identifies the service across restarts: what was read from one is never shown for another. */
  id: string
  /** Its current address; another address, or another start of the practice service, is asked at once. */
  access: string
  /** The practice service: samples, which are not kept across restarts. */
  sample: boolean
  /**
   * Never rejects. `onPause` is called with the pause that the service asks for, and with null when the refresh
   * continues; `onProgress`, after each page, with the number of records received and the total that the service
   * reports.
   */
  read(options: {
    signal: AbortSignal
    onPause: (pause: RatePause | null) => void
    onProgress: (progress: NonNullable<ChargerStatus['progress']>) => void
  }): Promise<ReadingOutcome>
}
