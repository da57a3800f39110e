import { z } from 'zod'
import type { AppErrorShape } from './errors.ts'
import { ChargePoint } from './charger.ts'
import { Job } from './job.ts'
import { Language } from './language.ts'
import { ConvertFormat, Recipe } from './recipe.ts'
import { HoldReason, JobState, NextStep, Reason, WaitReason } from './reasons.ts'
import { Settings, SettingsChange } from './settings.ts'

/** A job with what a person can do about it. */
export const JobView = z.object({ ...Job.shape, nextSteps: z.array(NextStep) })
export type JobView = z.infer<typeof JobView>

/** How many jobs are in each state. */
export const JobCounts = z.record(JobState, z.number().int().nonnegative())
export type JobCounts = z.infer<typeof JobCounts>

/** A watched folder as it is stored. */
export const Folder = z.object({
  id: z.string(),
  path: z.string().min(1),
  recipe: Recipe,
  include: z.array(z.string().max(500)).max(100),
  exclude: z.array(z.string().max(500)).max(100),
  paused: z.boolean(),
  addedAtMs: z.number(),
})
export type Folder = z.infer<typeof Folder>

export const FolderState = z.enum(['starting', 'watching', 'reconciling', 'polling', 'paused', 'missing'])
export type FolderState = z.infer<typeof FolderState>

export const FolderView = z.object({
  ...Folder.shape,
  state: FolderState,
  /** Why it is so, in words: "polling because …". */
  because: z.string().nullable(),
  counts: JobCounts,
})
export type FolderView = z.infer<typeof FolderView>

/** One batch: what one order of a person, or one burst in a watched folder, brought. */
export const BatchView = z.object({
  id: z.string(),
  kind: z.enum(['run', 'folder']),
  /** Files still being looked for or looked at. */
  open: z.boolean(),
  found: z.number().int(),
  takenIn: z.number().int(),
  /** Already done, or our own output: nothing new to list. */
  known: z.number().int(),
  /** What could not be looked at, such as a folder that may not be listed: whatever is in it was not seen. */
  leftOut: z.number().int(),
  confirmed: z.boolean(),
})
export type BatchView = z.infer<typeof BatchView>

/** What the queue can do with the service it uses. */
export const ServiceStatus = z.object({
  serviceId: z.string(),
  baseUrl: z.string().nullable(),
  practice: z.boolean(),
  hasKey: z.boolean(),
  hold: z.object({ code: HoldReason, detail: z.string().nullable() }).nullable(),
  unreachable: z.object({ code: WaitReason, forMs: z.number() }).nullable(),
  balance: z.object({ credits: z.number(), atMs: z.number() }).nullable(),
  requests: z.number().int().nonnegative(),
})
export type ServiceStatus = z.infer<typeof ServiceStatus>

export const Affordability = z.object({
  canAfford: z.boolean(),
  required: z.number(),
  balance: z.number(),
  shortfall: z.number(),
})
export type Affordability = z.infer<typeof Affordability>

export const KeyStatus = z.object({
  name: z.enum(['image', 'chargers']),
  origin: z.string().nullable(),
  present: z.boolean(),
  place: z.enum(['keychain', 'memory', 'environment']),
  lasting: z.boolean(),
  because: z.string().nullable(),
})
export type KeyStatus = z.infer<typeof KeyStatus>

const nothing = z.object({})
const ids = z.array(z.string().min(1).max(40)).max(100_000)

/** Every call of the engine: what goes in and what comes out. Secrets go in, never out. */
export const CHANNELS = {
  'intake.add': {
    request: z.object({
      paths: z.array(z.string().min(1)).min(1).max(100_000),
      recipe: Recipe,
      include: z.array(z.string().max(500)).max(100).default([]),
      exclude: z.array(z.string().max(500)).max(100).default([]),
      force: z.boolean().default(false),
      confirmed: z.boolean().default(false),
      maxCredits: z.number().int().nonnegative().nullable().default(null),
    }),
    response: z.object({ batchId: z.string() }),
  },
  'batches.get': { request: z.object({ id: z.string() }), response: BatchView },
  'batches.confirm': { request: z.object({ id: z.string() }), response: nothing },
  'jobs.list': {
    request: z.object({
      states: z.array(JobState).optional(),
      batchId: z.string().optional(),
      folderId: z.string().optional(),
      search: z.string().max(500).optional(),
      afterId: z.string().optional(),
      newestFirst: z.boolean().optional(),
      limit: z.number().int().min(1).max(10_000).default(1000),
    }),
    response: z.object({ jobs: z.array(JobView) }),
  },
  'jobs.counts': {
    request: z.object({ batchId: z.string().optional(), folderId: z.string().optional() }),
    response: z.object({ counts: JobCounts }),
  },
  'jobs.history': {
    request: z.object({ id: z.string() }),
    response: z.object({
      events: z.array(z.object({ atMs: z.number(), event: z.string(), state: JobState, reason: Reason.nullable() })),
    }),
  },
  /** `all` means every failed or held job. Says how many could take the order. */
  'jobs.retry': {
    request: z.object({ ids: ids, all: z.boolean().default(false) }),
    response: z.object({ changed: z.number() }),
  },
  'jobs.resolve': {
    request: z.object({
      ids: ids,
      all: z.boolean().default(false),
      how: z.enum(['resend', 'drop', 'fetch_again', 'ask_again']),
    }),
    response: z.object({ changed: z.number() }),
  },
  'jobs.cancel': {
    request: z.object({ ids: ids, all: z.boolean().default(false) }),
    response: z.object({ changed: z.number() }),
  },
  'jobs.clear': {
    request: z.object({ states: z.array(JobState).default(['done', 'skipped', 'cancelled']) }),
    response: z.object({ removed: z.number() }),
  },
  'jobs.quarantined': {
    request: nothing,
    response: z.object({
      rows: z.array(z.object({ atMs: z.number(), source: z.string(), key: z.string(), why: z.string() })),
    }),
  },
  'queue.pause': { request: nothing, response: nothing },
  'queue.resume': { request: nothing, response: nothing },
  'queue.status': {
    request: nothing,
    response: z.object({ paused: z.boolean(), counts: JobCounts, service: ServiceStatus.nullable() }),
  },
  'folders.list': { request: nothing, response: z.object({ folders: z.array(FolderView) }) },
  'folders.add': {
    request: Folder.pick({ path: true, recipe: true, include: true, exclude: true }),
    response: z.object({ id: z.string() }),
  },
  'folders.update': {
    request: z.object({
      id: z.string(),
      changes: Folder.pick({ recipe: true, include: true, exclude: true, paused: true }).partial(),
      /** Also do what is there already by the new recipe. */
      reprocess: z.boolean().default(false),
    }),
    response: nothing,
  },
  'folders.remove': { request: z.object({ id: z.string() }), response: nothing },
  'folders.reconcile': { request: z.object({ id: z.string().nullable() }), response: nothing },
  'credits.balance': { request: nothing, response: z.object({ balance: z.number() }) },
  'credits.afford': {
    request: z.object({
      images: z.number().int().min(1).max(1_000_000),
      languages: z.number().int().min(1).max(10),
      format: ConvertFormat,
    }),
    response: Affordability,
  },
  'languages.list': { request: nothing, response: z.object({ languages: z.array(Language) }) },
  'chargers.list': {
    request: z.object({ icao: z.string().max(8).optional(), country: z.string().max(4).optional() }),
    response: z.object({ chargers: z.array(ChargePoint), unusable: z.number().int() }),
  },
  'chargers.geojson': {
    request: z.object({ icao: z.string().max(8).optional(), country: z.string().max(4).optional() }),
    response: z.object({ collection: z.unknown() }),
  },
  'keys.set': {
    request: z.object({
      name: z.enum(['image', 'chargers']),
      key: z.string().max(10_000),
      /** Whether it belongs to the account whose jobs are in flight; null when that is not known. */
      sameAccount: z.boolean().nullable().default(null),
    }),
    response: KeyStatus,
  },
  'keys.delete': { request: z.object({ name: z.enum(['image', 'chargers']) }), response: KeyStatus },
  'keys.status': { request: z.object({ name: z.enum(['image', 'chargers']) }), response: KeyStatus },
  'settings.get': { request: nothing, response: Settings },
  'settings.set': { request: SettingsChange, response: Settings },
  'originals.restore': {
    request: z.object({ paths: z.array(z.string().min(1)).min(1), force: z.boolean().default(false) }),
    response: z.object({
      results: z.array(z.object({ path: z.string(), restored: z.boolean(), why: z.string().nullable() })),
    }),
  },
} as const satisfies Record<string, { request: z.ZodType; response: z.ZodType }>

export type Channel = keyof typeof CHANNELS
/** What a caller gives: defaults may be left out. */
export type RequestOf<Name extends Channel> = z.input<(typeof CHANNELS)[Name]['request']>
/** What a handler gets, checked and with defaults. */
export type CheckedRequestOf<Name extends Channel> = z.output<(typeof CHANNELS)[Name]['request']>
export type ResponseOf<Name extends Channel> = z.infer<(typeof CHANNELS)[Name]['response']>

/** A failure is a value: nothing crosses the seam as an exception or as `undefined`. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; error: AppErrorShape }

/** What the engine tells; `seq` grows by one with each, so that a gap is noticed. */
export type EngineEvent = { seq: number } & (
  | { type: 'job'; job: JobView; from: JobState | null }
  | { type: 'batch'; batch: BatchView }
  | { type: 'folder'; id: string; state: FolderState; because: string | null }
  | { type: 'service'; status: ServiceStatus }
  | { type: 'removed'; jobs: number }
  /** A file that needs nothing: it is done, or it is our own output. */
  | { type: 'known'; batchId: string; path: string; jobId: string | null; reason: 'already_done' | 'own_output' }
)

type WithoutSeq<Event> = Event extends { seq: number } ? Omit<Event, 'seq'> : never
/** What is told, before it has its number. */
export type EngineEventBody = WithoutSeq<EngineEvent>

export interface EngineSnapshot {
  seq: number
  counts: JobCounts
  folders: FolderView[]
  service: ServiceStatus | null
  settings: Settings
}

/** The engine as every shell sees it. */
export interface EnginePort {
  call<Name extends Channel>(channel: Name, request: RequestOf<Name>): Promise<Result<ResponseOf<Name>>>
  subscribe(listener: (event: EngineEvent) => void): () => void
  snapshot(): EngineSnapshot
}
