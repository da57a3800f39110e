import { z } from 'zod'
import { BACKGROUND_TASKS } from './background.ts'
import { AppErrorCode, AppErrorShape } from './errors.ts'
import { FolderReason } from './folder-reason.ts'
import { ChargePoint } from './charger.ts'
import { ChargerStatus, SavedChargerFilter, ViewName, ViewValue, type ChargersState } from './charger-status.ts'
import { Job } from './job.ts'
import { KeyPlace } from './key-place.ts'
import { Language } from './language.ts'
import { ConvertFormat, Operation, Recipe } from './recipe.ts'
import { FailReason, HoldReason, JobState, NextStep, NoteCode, Reason, WaitReason } from './reasons.ts'
import { Settings, SettingsChange } from './settings.ts'

/** `none`: there are no texts to look at. */
export const ReviewState = z.enum(['none', 'needed', 'reviewed'])
export type ReviewState = z.infer<typeof ReviewState>

/** A job with what a person can do about it. */
export const JobView = z.object({
  ...Job.shape,
  nextSteps: z.array(NextStep),
  review: ReviewState,
  /** When it was taken from the list (Unix milliseconds); null for one that is on it. */
  removedAtMs: z.number().nullable(),
})
export type JobView = z.infer<typeof JobView>

/** How many jobs are in each state. */
export const JobCounts = z.record(JobState, z.number().int().nonnegative())
export type JobCounts = z.infer<typeof JobCounts>

export const AskAbove = z.number().int().min(0).max(1_000_000)

/** A watched folder as it is stored. */
export const Folder = z.object({
  id: z.string(),
  path: z.string().min(1),
  recipe: Recipe,
  include: z.array(z.string().max(500)).max(100),
  exclude: z.array(z.string().max(500)).max(100),
  paused: z.boolean(),
  /** More new pictures than this at once wait until a person agrees; 0 asks never. Caps hold all the same. */
  askAbove: AskAbove.default(100),
  addedAtMs: z.number(),
})
export type Folder = z.infer<typeof Folder>

export const FolderState = z.enum(['starting', 'watching', 'reconciling', 'polling', 'paused', 'missing', 'refused'])
export type FolderState = z.infer<typeof FolderState>

/** What the last scan of a folder left out though no pattern says so: how many things, and the first of them. */
export const FolderLeftOut = z.object({
  count: z.number().int().nonnegative(),
  first: z.array(z.object({ path: z.string(), reason: FolderReason })),
})
export type FolderLeftOut = z.infer<typeof FolderLeftOut>

export const FolderView = z.object({
  ...Folder.shape,
  state: FolderState,
  /** Why it is so: always there for `polling`, `missing` and `refused`. */
  because: FolderReason.nullable(),
  leftOut: FolderLeftOut,
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

/** A batch that waits for a drive: the first of the paths that are not there, and how many they are. */
export const AwayBatch = z.object({
  batchId: z.string(),
  paths: z.array(z.string()),
  count: z.number().int(),
})
export type AwayBatch = z.infer<typeof AwayBatch>

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
  ...KeyPlace.shape,
  /** When it was set here; null for one that came from elsewhere. */
  setAtMs: z.number().nullable(),
})
export type KeyStatus = z.infer<typeof KeyStatus>

/** What the service said of a key that was given: nothing, when it could not be asked. */
export const KeyCheck = z.enum(['accepted', 'refused', 'unchecked'])
export type KeyCheck = z.infer<typeof KeyCheck>

/** Which jobs a list shows; members that are not given do not filter. */
export const JobFilter = z.object({
  states: z.array(JobState).max(11).optional(),
  batchId: z.string().max(40).optional(),
  folderId: z.string().max(40).optional(),
  /** Part of the path, whatever the case. */
  search: z.string().max(500).optional(),
  /** Only pictures whose texts no person has looked at yet. */
  needsReview: z.boolean().optional(),
  /** Removed jobs instead of those on the list. */
  removed: z.boolean().optional(),
})
export type JobFilter = z.infer<typeof JobFilter>

/**
 * Why a kept original was not brought back. `changed_since`: the file in its place is not what Hangar put there; by force
 * it is restored all the same, and that file is kept.
 */
export const RestoreProblem = z.enum([
  ...(['nothing_kept', 'already_original', 'changed_since', 'not_replaced', 'not_found'] as const),
  ...(['disk_full', 'not_writable', 'failed'] as const),
])
export type RestoreProblem = z.infer<typeof RestoreProblem>

export const GroupBy = z.enum(['none', 'batch', 'folder'])
export type GroupBy = z.infer<typeof GroupBy>

/** An alt text as it stands: the service's, or a person's in its place. */
export const TextView = z.object({
  languageCode: z.string(),
  seoFilename: z.string(),
  altText: z.string(),
  /** The service's own words where a person changed them, else null. */
  original: z.string().nullable(),
})
export type TextView = z.infer<typeof TextView>

/** Words that were typed into an alt text and not saved yet. */
export const TextDraft = z.object({
  languageCode: z.string(),
  /** Of the window that typed them, or of the save that took their place. */
  id: z.string(),
  altText: z.string(),
  atMs: z.number(),
  /** Typed after the text was saved last: it is what a person goes on with. An older one is only offered. */
  newer: z.boolean(),
})
export type TextDraft = z.infer<typeof TextDraft>

/** What adding some files or a folder would mean; nothing is sent or stored to find out. */
export const IntakePreview = z.object({
  /** Pictures without Hangar's own results; no more than `lookedAtMost` are opened, the rest is counted by name. */
  pictures: z.number().int(),
  totalBytes: z.number(),
  /** Would be sent to the service and paid for. */
  toSend: z.number().int(),
  /** Made here, or paid for and only written again. */
  free: z.number().int(),
  /** Done already: nothing is written. */
  done: z.number().int(),
  /** Cannot be taken: too large, cut off, of another type; the first few with their reason. */
  refused: z.number().int(),
  refusals: z.array(z.object({ name: z.string(), reason: Reason })),
  /** True when there were too many to open each: `toSend`, `free` and `refused` then speak of a part, scaled up. */
  estimated: z.boolean(),
  /** Credits for `toSend`, at most; null when the service could not say. */
  price: z.object({ required: z.number(), balance: z.number(), shortfall: z.number(), atMost: z.boolean() }).nullable(),
  examples: z.array(z.object({ source: z.string(), outputs: z.array(z.string()) })),
})
export type IntakePreview = z.infer<typeof IntakePreview>

/** Work that waits until a person agrees to what it costs. */
export const Confirmation = z.object({
  batchId: z.string(),
  kind: z.enum(['run', 'folder']),
  folderId: z.string().nullable(),
  /** Jobs of this batch that the spend guard holds. */
  held: z.number().int(),
  /** Why, as the hold says it. */
  detail: z.string().nullable(),
  /** False when agreeing does not help: a cap or `--max-credits` is reached. */
  confirmable: z.boolean(),
})
export type Confirmation = z.infer<typeof Confirmation>

export const Price = z.object({
  required: z.number(),
  balance: z.number(),
  shortfall: z.number(),
  /** The price is known for the full pipeline only; of anything else it is an upper bound. */
  atMost: z.boolean(),
  images: z.number().int(),
})
export type Price = z.infer<typeof Price>

/** A task of the background that failed and has not worked since; see `Background`. */
export const StoppedTask = z.object({
  task: z.enum(BACKGROUND_TASKS),
  subject: z.string().nullable(),
  code: AppErrorCode,
  sinceMs: z.number(),
})

/** One past day, in this computer's time zone. `credits` is inferred from balances and sent pictures; null if it cannot be. */
export const SpendDay = z.object({ day: z.string(), sent: z.number().int(), credits: z.number().nullable() })
export type SpendDay = z.infer<typeof SpendDay>

export const CreditHistory = z.object({
  /** Measured: what the service answered, oldest first; of answers that say the same the first and the last. */
  balances: z.array(z.object({ atMs: z.number(), credits: z.number() })),
  days: z.array(SpendDay),
  /** `folderId` null: pictures that were dropped or ordered singly. */
  folders: z.array(
    z.object({
      folderId: z.string().nullable(),
      path: z.string().nullable(),
      sent: z.number().int(),
      credits: z.number().nullable(),
    }),
  ),
  /** Credits a day over the last seven, inferred; null when nothing is known. */
  perDay: z.number().nullable(),
  sentToday: z.number().int(),
  sentThisMonth: z.number().int(),
})
export type CreditHistory = z.infer<typeof CreditHistory>

export const RecipeId = z.string().min(1).max(40)
/** A recipe that was saved under its name. The default one is in the settings. */
export const SavedRecipe = z.object({ id: RecipeId, recipe: Recipe })
export type SavedRecipe = z.infer<typeof SavedRecipe>

const nothing = z.object({})
const ids = z.array(z.string().min(1).max(40)).max(100_000)
const draftIds = z.array(z.string().min(1).max(40)).max(1000).default([])

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
  'intake.preview': {
    request: z.object({
      paths: z.array(z.string().min(1)).min(1).max(100_000),
      recipe: Recipe,
      include: z.array(z.string().max(500)).max(100).default([]),
      exclude: z.array(z.string().max(500)).max(100).default([]),
    }),
    response: IntakePreview,
  },
  /**
   * Copies the sample pictures into a new folder and processes them by the default recipe at the practice service,
   * whichever service is in use; it is started if need be.
   */
  'intake.samples': { request: nothing, response: z.object({ batchId: z.string(), dir: z.string() }) },
  /** What the spend guard holds, by batch. */
  'batches.waiting': { request: nothing, response: z.object({ confirmations: z.array(Confirmation) }) },
  /** Batches that go on when a drive is back. */
  'batches.away': { request: nothing, response: z.object({ batches: z.array(AwayBatch) }) },
  /** Gives up what one batch, or with null each, waits for. What was taken in of it stays. */
  'batches.stopWaiting': {
    request: z.object({ id: z.string().nullable() }),
    response: z.object({ changed: z.number() }),
  },
  /** Asks the service what the held pictures of a batch cost (image service document, `GET /credits/afford`). */
  'batches.price': { request: z.object({ id: z.string() }), response: Price },
  /** Cancels what the batch still holds or has ready; what was sent is brought home. */
  'batches.cancel': { request: z.object({ id: z.string() }), response: z.object({ changed: z.number() }) },
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
  /** The ids of all jobs that match, newest first, in sections. `title` is a path for `folder`, null otherwise. */
  'jobs.index': {
    request: z.object({ filter: JobFilter.default({}), groupBy: GroupBy.default('none') }),
    response: z.object({
      sections: z.array(
        z.object({
          key: z.string(),
          title: z.string().nullable(),
          atMs: z.number().nullable(),
          ids: z.array(z.string()),
        }),
      ),
    }),
  },
  /** Those of the jobs that are still there. */
  'jobs.get': { request: z.object({ ids: ids }), response: z.object({ jobs: z.array(JobView) }) },
  'jobs.texts': {
    request: z.object({ id: z.string() }),
    response: z.object({
      texts: z.array(TextView),
      drafts: z.array(TextDraft),
      decorative: z.boolean(),
      reviewed: z.boolean(),
    }),
  },
  /**
   * A person's own alt text: kept through reprocessing and written into the sidecar. Empty text gives the service's back.
   * `settles`: drafts that go with it. `seen`: the text that the person had before them; where another one was saved since,
   * that one becomes a draft instead of being lost.
   */
  'jobs.editText': {
    request: z.object({
      id: z.string(),
      languageCode: z.string().max(20),
      altText: z.string().max(10_000),
      settles: draftIds,
      seen: z.string().max(10_000).nullable().default(null),
    }),
    response: z.object({
      texts: z.array(TextView),
      drafts: z.array(TextDraft),
      sidecarWritten: z.boolean(),
      why: z.string().nullable(),
    }),
  },
  /**
   * Says whether a picture is only decoration: pages and exports give it an empty `alt`, whatever its texts. Kept by its
   * content, written into the sidecar, and a look at the texts of this job.
   */
  'jobs.decorative': {
    request: z.object({ id: z.string(), decorative: z.boolean() }),
    response: z.object({ sidecarWritten: z.boolean(), why: z.string().nullable() }),
  },
  /**
   * Keeps words that are being typed: on the disk once this is answered, by the picture's content and language, also where the
   * job was removed meanwhile. Null takes the draft away. `replaces`: drafts that these words were typed on from.
   */
  'jobs.draftText': {
    request: z.object({
      id: z.string(),
      languageCode: z.string().max(20),
      draftId: z.string().min(1).max(40),
      altText: z.string().max(10_000).nullable(),
      replaces: draftIds,
    }),
    response: z.object({ drafts: z.array(TextDraft) }),
  },
  'jobs.review': {
    request: z.object({ ids: ids, reviewed: z.boolean() }),
    response: z.object({ changed: z.number() }),
  },
  /**
   * Takes ended jobs from the list, by id or by state; files stay, and so does what is known of payments. `settled` takes done,
   * skipped and cancelled ones only. `unsettled`, to which a person agreed by itself, takes failed and unknown ones only: what
   * needs a person never leaves with the rest. `left`: those asked for that stay, by state. `undo` puts them back, for as many
   * days as jobs are kept (`retentionDays`).
   */
  'jobs.remove': {
    request: z.object({
      ids: ids.default([]),
      states: z.array(JobState).default([]),
      kind: z.enum(['settled', 'unsettled']).default('settled'),
    }),
    response: z.object({
      removed: z.number(),
      left: z.partialRecord(JobState, z.number().int().positive()),
      undo: z.string().nullable(),
    }),
  },
  /** Puts back what one removal took, or these jobs; with neither, what the last removal took. */
  'jobs.putBack': {
    request: z.object({ undo: z.string().max(40).nullable().default(null), ids: ids.default([]) }),
    response: z.object({ putBack: z.number() }),
  },
  'jobs.counts': {
    request: z.object({ batchId: z.string().optional(), folderId: z.string().optional() }),
    response: z.object({
      counts: JobCounts,
      /** Of these, whose texts no person has looked at yet. */
      needsReview: z.number().int().nonnegative(),
      /** Taken from the list and still there to be put back; in no other count. */
      removed: z.number().int().nonnegative(),
    }),
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
    request: Folder.pick({ path: true, recipe: true, include: true, exclude: true, askAbove: true }),
    response: z.object({ id: z.string() }),
  },
  'folders.update': {
    request: z.object({
      id: z.string(),
      changes: Folder.pick({ recipe: true, include: true, exclude: true, paused: true })
        .extend({ askAbove: AskAbove })
        .partial(),
      /** Also do what is there already by the new recipe. */
      reprocess: z.boolean().default(false),
    }),
    response: nothing,
  },
  'folders.remove': { request: z.object({ id: z.string() }), response: nothing },
  /** Watches a removed folder again as it was: same id, recipe and counts. */
  'folders.putBack': { request: z.object({ id: z.string() }), response: nothing },
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
  'credits.history': { request: z.object({ days: z.number().int().min(1).max(366) }), response: CreditHistory },
  'recipes.list': { request: nothing, response: z.object({ recipes: z.array(SavedRecipe) }) },
  /** Saves under the id, or as a new one for null. Throws `name_taken` for a name that another recipe has. */
  'recipes.save': { request: z.object({ id: RecipeId.nullable(), recipe: Recipe }), response: SavedRecipe },
  'recipes.remove': { request: z.object({ id: RecipeId }), response: nothing },
  /** The names that would be written for pictures of these names (no file is looked at; the type is the name's). */
  'recipes.example': {
    request: z.object({ recipe: Recipe, names: z.array(z.string().min(1).max(1000)).min(1).max(50) }),
    response: z.object({
      examples: z.array(
        z.object({
          source: z.string(),
          sent: Operation.nullable(),
          outputs: z.array(z.string()),
          notes: z.array(NoteCode),
          refused: FailReason.nullable(),
        }),
      ),
    }),
  },
  'languages.list': { request: nothing, response: z.object({ languages: z.array(Language) }) },
  'chargers.list': {
    request: z.object({ icao: z.string().max(8).optional(), country: z.string().max(4).optional() }),
    response: ChargerStatus.pick({ unusable: true, duplicates: true, gap: true }).extend({
      chargers: z.array(ChargePoint),
    }),
  },
  'chargers.geojson': {
    request: z.object({ icao: z.string().max(8).optional(), country: z.string().max(4).optional() }),
    response: z.object({ collection: z.unknown() }),
  },
  'chargers.status': { request: nothing, response: ChargerStatus },
  /** A person asks: now, whatever the schedule says. Joins a refresh that runs; does not wait for its end. */
  'chargers.refresh': { request: nothing, response: ChargerStatus },
  /**
   * The set as JSON in UTF-8, for the shells: `{version, atMs, unseen, chargers: ChargePoint[]}`. `unseen`: ids that the
   * last refresh did not see, though it could not tell that they are gone. Null before there is one.
   */
  'chargers.data': {
    request: nothing,
    response: z
      .object({ bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array), version: z.number().int() })
      .nullable(),
  },
  'chargers.favourite': {
    request: z.object({ id: z.number().int(), favourite: z.boolean() }),
    response: z.object({ ids: z.array(z.number().int()) }),
  },
  /** Of the service in use, in ascending order. */
  'chargers.favourites': { request: nothing, response: z.object({ ids: z.array(z.number().int()) }) },
  'chargers.filters.list': { request: nothing, response: z.object({ filters: z.array(SavedChargerFilter) }) },
  /** Saves under the id, or as a new one for null. Throws `name_taken` for a name that another has. */
  'chargers.filters.save': {
    request: SavedChargerFilter.extend({ id: SavedChargerFilter.shape.id.nullable() }),
    response: SavedChargerFilter,
  },
  'chargers.filters.remove': { request: z.object({ id: SavedChargerFilter.shape.id }), response: nothing },
  /** How a place was left; null when it never was. The page alone knows what is in it. */
  'views.load': { request: z.object({ name: ViewName }), response: z.object({ value: z.unknown() }) },
  'views.save': { request: z.object({ name: ViewName, value: ViewValue }), response: nothing },
  /**
   * Tries the key with one free call and stores it. One that the service refuses is not stored, which is `key_refused`;
   * one that could not be tried is, and `problem` says why.
   */
  'keys.set': {
    request: z.object({
      name: z.enum(['image', 'chargers']),
      key: z.string().max(10_000),
      /** Whether it belongs to the account whose jobs are in flight; null when that is not known. */
      sameAccount: z.boolean().nullable().default(null),
      /** The service's address or origin that the person gave it for: when another is in use by now, nothing is stored. */
      address: z.string().max(2000).nullable().default(null),
      /** Stores it also when the service refuses it. */
      keepRefused: z.boolean().default(false),
    }),
    response: KeyStatus.extend({ check: KeyCheck, problem: AppErrorShape.nullable() }),
  },
  'keys.delete': { request: z.object({ name: z.enum(['image', 'chargers']) }), response: KeyStatus },
  'keys.status': { request: z.object({ name: z.enum(['image', 'chargers']) }), response: KeyStatus },
  /** One free call with the stored key: does the service take it? */
  'keys.test': {
    request: z.object({ name: z.enum(['image', 'chargers']) }),
    /** `problem` is why not; it need not be the key's fault. */
    response: z.object({ accepted: z.boolean(), problem: AppErrorShape.nullable() }),
  },
  'settings.get': { request: nothing, response: Settings },
  'settings.set': { request: SettingsChange, response: Settings },
  'originals.restore': {
    request: z.object({ paths: z.array(z.string().min(1)).min(1), force: z.boolean().default(false) }),
    response: z.object({
      results: z.array(
        z.object({
          path: z.string(),
          restored: z.boolean(),
          /** Null when it was restored; so is `why`, which says the same in English. */
          problem: RestoreProblem.nullable(),
          why: z.string().nullable(),
        }),
      ),
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

/**
 * What the engine tells; `seq` grows by one with each, so that a gap is noticed. `toReview` is by how many more, or fewer, jobs
 * a person is to look at texts now.
 */
export type EngineEvent = { seq: number } & (
  | { type: 'job'; job: JobView; from: JobState | null; toReview: number }
  | { type: 'batch'; batch: BatchView }
  /** All batches that wait for a drive now. */
  | { type: 'away'; batches: AwayBatch[] }
  | { type: 'folder'; id: string; state: FolderState; because: FolderReason | null; leftOut: FolderLeftOut }
  | { type: 'service'; status: ServiceStatus }
  | { type: 'settings'; settings: Settings }
  /** The set of watched folders, or what is set for one, changed. */
  | { type: 'folders' }
  /** The chargers, how they stand, or the favourites changed. Of a hundred thousand chargers none is in it. */
  | ({ type: 'chargers' } & ChargersState)
  /** Jobs left the list; a negative number came back to it. */
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
  /** Jobs whose texts no person has looked at yet. */
  needsReview: number
  /** Taken from the list and still there to be put back. */
  removed: number
  folders: FolderView[]
  away: AwayBatch[]
  service: ServiceStatus | null
  settings: Settings
  chargers: ChargersState
}

/** The engine as every shell sees it. */
export interface EnginePort {
  call<Name extends Channel>(channel: Name, request: RequestOf<Name>): Promise<Result<ResponseOf<Name>>>
  subscribe(listener: (event: EngineEvent) => void): () => void
  snapshot(): EngineSnapshot
}
