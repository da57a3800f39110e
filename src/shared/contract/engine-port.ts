import type { ChargersState } from '../chargers/charger-status.ts'
import type { FolderReason } from '../sentences/folder-reason.ts'
import type { JobState } from '../sentences/reasons.ts'
import type { Settings } from '../settings/settings.ts'
import type { Result } from './call.ts'
import type { CheckedRequest, EngineCall, EngineRequest, EngineResponse } from './calls.ts'
import type { FolderLeftOut, FolderPhase, FolderView } from './folders.ts'
import type { AwayBatch, BatchView, Confirmation } from './intake.ts'
import type { JobCounts, JobView } from './jobs.ts'
import type { Progress, ServiceStatus } from './queue.ts'

/** `toReview`: the change in the number of jobs to review. `left`: the batch that the job was moved out of. */
export type EngineEvent =
  | { type: 'job'; job: JobView; from: JobState | null; toReview: number; left?: string }
  | { type: 'batch'; batch: BatchView }
  /** All batches that currently wait for a drive. */
  | { type: 'away'; batches: AwayBatch[] }
  | { type: 'folder'; id: string; state: FolderPhase; because: FolderReason | null; leftOut: FolderLeftOut }
  | { type: 'service'; status: ServiceStatus }
  | { type: 'settings'; settings: Settings }
  /** Saved recipes, keys, or hooks of the desktop app, were stored or removed; of hooks also how they ended. */
  | { type: 'stored'; what: 'recipes' | 'keys' | 'hooks' }
  /** A hook of the desktop app failed that had not; `hook`: its program's name or the host of its address. */
  | { type: 'hook_failed'; hook: string }
  /** The set of watched folders, or what is set for one, changed. */
  | { type: 'folders' }
  /** The chargers, their status or the favourites changed. The chargers themselves are not in it: there may be a hundred thousand. */
  | ({ type: 'chargers' } & ChargersState)
  /** This many jobs left the list; a negative number came back. */
  | { type: 'removed'; jobs: number }
  /** A file that needs no work: it is done already, or is our own output. */
  | { type: 'known'; batchId: string; path: string; jobId: string | null; reason: 'already_done' | 'own_output' }

export interface EngineSnapshot {
  counts: JobCounts
  /** Jobs whose texts no person has reviewed yet. */
  needsReview: number
  /** Removed from the list and can still be put back. */
  removed: number
  folders: FolderView[]
  away: AwayBatch[]
  /** Batches that the spend guard holds, oldest first. */
  confirmations: Confirmation[]
  service: ServiceStatus | null
  settings: Settings
  chargers: ChargersState
}

/** The engine as every shell sees it. */
export interface EnginePort {
  /** Checks the request and fills in its defaults. */
  call<Name extends EngineCall>(name: Name, request: EngineRequest<Name>): Promise<Result<EngineResponse<Name>>>
  /** For a complete request that was checked already, as a page's is. */
  perform<Name extends EngineCall>(name: Name, request: CheckedRequest<Name>): Promise<Result<EngineResponse<Name>>>
  subscribe(listener: (event: EngineEvent) => void): () => void
  snapshot(): EngineSnapshot
  /** How far the work is, as of now. */
  progress(): Progress
}
