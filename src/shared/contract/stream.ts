import { z } from 'zod'
import { ChargersState } from '../chargers/charger-status.ts'
import { AppInfo } from './app.ts'
import { FolderRow } from './folders.ts'
import { AwayBatch, Confirmation } from './intake.ts'
import { JobCounts, JobRow } from './jobs.ts'
import { Place } from './places.ts'
import { Progress, ServiceStatus, StoppedTask } from './queue.ts'
import { UiSettings } from './settings.ts'

/** A notification for a person, in the page and, where the shell can and the settings allow it, outside it. */
export const Notice = z.discriminatedUnion('kind', [
  /** What happened, in the window's language. `address`: the fragment of the page where a person sees it. */
  z.object({
    id: z.string(),
    kind: z.enum(['batch_done', 'confirm_spend', 'service_held', 'unknown', 'failed', 'favourite', 'hook_failed']),
    title: z.string(),
    body: z.string(),
    address: z.string(),
  }),
  /** Files and folders that were opened with Hangar from outside; `missing`: the names of those that are not there. */
  z.object({ id: z.string(), kind: z.literal('offer'), places: z.array(Place), missing: z.array(z.string()) }),
])
export type Notice = z.infer<typeof Notice>

/** The whole state except the jobs themselves, which are requested when they are displayed. */
export const UiState = z.object({
  app: AppInfo,
  settings: UiSettings,
  counts: JobCounts,
  needsReview: z.number().int(),
  removed: z.number().int(),
  service: ServiceStatus.nullable(),
  folders: z.array(FolderRow),
  progress: Progress,
  /** While dropped or chosen files are searched for and read: how many of those found are still to be read; null otherwise. */
  reading: z.number().int().nullable(),
  confirmations: z.array(Confirmation),
  /** Batches that wait for a drive. */
  away: z.array(AwayBatch),
  chargers: ChargersState,
  /** Change whenever something that pages request separately does: the saved recipes, where keys are, and hooks. */
  versions: z.object({ recipes: z.number(), keys: z.number(), hooks: z.number() }),
  /** What runs in the background and has failed, until it works again. */
  stopped: z.array(StoppedTask),
})
export type UiState = z.infer<typeof UiState>

/** The first message, sent again whenever the page fell behind: it replaces everything before. */
const UiSnapshot = z.object({ type: z.literal('snapshot'), seq: z.number().int(), state: UiState })
type UiSnapshot = z.infer<typeof UiSnapshot>

/** Changes since the previous message: at most about ten a second. `seq` increases by one. */
export const UiDelta = z.object({
  type: z.literal('delta'),
  seq: z.number().int(),
  /** The top-level members of the state that changed, each complete. */
  state: UiState.partial(),
  /** Jobs that are new, newest last. */
  added: z.array(z.string()),
  /** The new rows of changed jobs; at most 200. */
  rows: z.array(JobRow),
  /** Jobs were removed, put back, or more changed than are listed: lists must be requested again. */
  stale: z.boolean(),
  notices: z.array(Notice),
})
export type UiDelta = z.infer<typeof UiDelta>

export const UiMessage = z.discriminatedUnion('type', [UiSnapshot, UiDelta])
export type UiMessage = z.infer<typeof UiMessage>
