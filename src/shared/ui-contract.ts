import { z } from 'zod'
import {
  CHANNELS,
  AskAbove,
  AwayBatch,
  Confirmation,
  Folder,
  FolderView,
  IntakePreview,
  JobCounts,
  RestoreProblem,
  ReviewState,
  SavedRecipe,
  ServiceStatus,
  TextDraft,
  TextView,
  type Result,
  StoppedTask,
} from './contract.ts'
import { ChargerChange, ChargersState } from './charger-status.ts'
import { OutputRole } from './job.ts'
import { Recipe } from './recipe.ts'
import { JobState, NextStep, Note, Reason } from './reasons.ts'
import { Settings, SettingsChange } from './settings.ts'

/*
 * What crosses between a shell and its page. Main, preload, web shell and renderer all derive from this one map. Files and
 * folders go in as tokens: random ids of this session that stand for a path which the shell knows. Paths come out as text
 * to read, and mean nothing on the way in. Secrets go in, never out.
 */

/** A random id of this session for a file or folder. */
export const PlaceToken = z.string().min(16).max(64)
export type PlaceToken = z.infer<typeof PlaceToken>

/** A file or folder that a person picked, dropped or uploaded. `path` is text for people. */
export const Place = z.object({
  token: PlaceToken,
  name: z.string(),
  path: z.string(),
  kind: z.enum(['file', 'folder']),
})
export type Place = z.infer<typeof Place>

const tokens = z.array(PlaceToken).min(1).max(100_000)
const ids = z.array(z.string().min(1).max(40)).max(100_000)
const nothing = z.object({})

/** A recipe as the page sees it: `output.dir` is a token; `path` is what it stands for, in words. */
export const UiRecipe = Recipe.extend({
  output: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('beside') }),
    z.object({ kind: z.literal('replace') }),
    z.object({ kind: z.literal('folder'), dir: PlaceToken, path: z.string() }),
  ]),
})
export type UiRecipe = z.infer<typeof UiRecipe>

/** `inboxDir` is a path in words, or null; it is set with `inbox.choose`. */
export const UiSettings = Settings.extend({ recipe: UiRecipe })
export type UiSettings = z.infer<typeof UiSettings>
export const UiSettingsChange = SettingsChange.omit({ inboxDir: true, recipe: true }).extend({
  recipe: UiRecipe.optional(),
})
export type UiSettingsChange = z.infer<typeof UiSettingsChange>

export const FolderRow = FolderView.omit({ recipe: true }).extend({
  recipe: UiRecipe,
  /** Unix milliseconds of the newest change of one of its jobs; null before the first. */
  lastEventAtMs: z.number().nullable(),
  /** Stands for the folder itself, for `places.reveal` and previews. */
  token: PlaceToken,
})
export type FolderRow = z.infer<typeof FolderRow>

/** A job as a line of the list: small, because there may be a hundred thousand. Sizes in bytes on this disk. */
export const JobRow = z.object({
  id: z.string(),
  batchId: z.string(),
  folderId: z.string().nullable(),
  /** Base name of the original, and the folder it lies in; text to read. */
  name: z.string(),
  dir: z.string(),
  state: JobState,
  reason: Reason.nullable(),
  nextSteps: z.array(NextStep),
  review: ReviewState,
  notes: z.number().int(),
  sizeBytes: z.number(),
  optimizedBytes: z.number().nullable(),
  convertedBytes: z.number().nullable(),
  /** Languages that were asked for; empty where no texts are made. */
  languages: z.array(z.string()),
  /** Null until the picture was looked into. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** The original was replaced, and is kept. */
  replaced: z.boolean(),
  /** When it was taken from the list; null for one that is on it. */
  removedAtMs: z.number().nullable(),
  /** It is for the practice service. */
  practice: z.boolean(),
  notBeforeMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
})
export type JobRow = z.infer<typeof JobRow>

export const OutputRow = z.object({
  index: z.number().int(),
  role: OutputRole,
  name: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  type: z.string(),
  /** `missing`: Hangar wrote it, and it is no longer there. */
  state: z.enum(['planned', 'published', 'missing']),
})
export type OutputRow = z.infer<typeof OutputRow>

export const HistoryLine = z.object({ atMs: z.number(), event: z.string(), state: JobState, reason: Reason.nullable() })
export type HistoryLine = z.infer<typeof HistoryLine>

export const JobDetail = z.object({
  row: JobRow,
  path: z.string(),
  recipe: UiRecipe,
  service: z.object({ id: z.string(), practice: z.boolean() }),
  /** The picture's own facts; null until it was looked into. */
  image: z.object({ type: z.string(), width: z.number(), height: z.number(), animated: z.boolean() }).nullable(),
  texts: z.array(TextView),
  /** Typed and not saved yet, newest first. */
  drafts: z.array(TextDraft),
  /** Only there to be looked at: its `alt` is empty, whatever the texts. */
  decorative: z.boolean(),
  notes: z.array(Note),
  outputs: z.array(OutputRow),
  history: z.array(HistoryLine),
  /** The service's own figures for a conversion that it made and gave no download for. */
  figures: z.object({ format: z.string().nullable(), sizeBytes: z.number().nullable() }).nullable(),
  /** The original was replaced and can be brought back. */
  restorable: z.boolean(),
})
export type JobDetail = z.infer<typeof JobDetail>

/** A folder as the page's own folder browser shows it. */
export const BrowseView = z.object({
  here: Place,
  parent: PlaceToken.nullable(),
  /** By name; at most 2,000. */
  folders: z.array(Place),
  pictures: z.number().int(),
  /** There were more folders than are listed. */
  cut: z.boolean(),
})
export type BrowseView = z.infer<typeof BrowseView>

export const LogLine = z.object({
  /** Grows by one with each line of this process. */
  seq: z.number().int(),
  atMs: z.number(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  text: z.string(),
})
export type LogLine = z.infer<typeof LogLine>

export const CapabilityName = z.enum([
  'pickPaths',
  'browse',
  'dropPaths',
  'upload',
  'download',
  'reveal',
  'startDrag',
  'notify',
  'openExternal',
  'startAtLogin',
  'tray',
  'signIns',
])

export const AppInfo = z.object({
  version: z.string(),
  capabilities: z.array(CapabilityName),
  /** Where journal, log and previews are; text to read. */
  dataDir: z.string(),
  /** `linux`, `darwin` or `win32`: decides which modifier key the shortcuts name. */
  platform: z.string(),
  /** BCP 47, as the system says. */
  locale: z.string(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** The strip over the list: the work since the queue was last empty. */
export const Progress = z.object({
  total: z.number().int(),
  /** However they ended; one that is tried again ends twice. */
  ended: z.number().int(),
  /** Of these, each picture once. */
  done: z.number().int(),
  skipped: z.number().int(),
  savedBytes: z.number(),
  /** Estimate; null while there is too little to go by, or nothing to do. */
  leftMs: z.number().nullable(),
  requestsPerMinute: z.number(),
})
export type Progress = z.infer<typeof Progress>

/** Something to tell a person, in the page and, where the shell can and the settings say so, outside it. */
export const Notice = z.discriminatedUnion('kind', [
  z.object({
    id: z.string(),
    kind: z.literal('batch_done'),
    done: z.number(),
    failed: z.number(),
    savedBytes: z.number(),
  }),
  z.object({ id: z.string(), kind: z.literal('confirm_spend'), batchId: z.string(), held: z.number() }),
  z.object({ id: z.string(), kind: z.literal('service_held'), reason: Reason }),
  z.object({ id: z.string(), kind: z.literal('unknown'), jobs: z.number() }),
  z.object({ id: z.string(), kind: z.literal('failed'), jobs: z.number() }),
  /** Chargers that a person marked; at most 500. */
  z.object({ id: z.string(), kind: z.literal('favourite'), changes: z.array(ChargerChange) }),
  /** Files and folders that were handed to the program from outside: the page asks what to do with them. */
  z.object({ id: z.string(), kind: z.literal('offer'), places: z.array(Place) }),
])
export type Notice = z.infer<typeof Notice>

/** A browser that is signed in to the web shell. Names as the browser gives them, null where it does not say. */
export const BrowserRow = z.object({
  id: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Host and port by which it came; text to read. */
  host: z.string(),
  signedInAtMs: z.number(),
  seenAtMs: z.number(),
  /** The one that asks. */
  current: z.boolean(),
})
export type BrowserRow = z.infer<typeof BrowserRow>

/** What a browser gets that is not signed in: `code` is for a person to approve, with these commands or in the terminal. */
export const SignInRefusal = z.object({ code: z.string(), approve: z.string(), newLink: z.string() })
export type SignInRefusal = z.infer<typeof SignInRefusal>

const external = z.enum(['documentation', 'source', 'issues'])

const passed = <Name extends keyof typeof CHANNELS>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, CHANNELS[name]])) as Pick<typeof CHANNELS, Name>

export const UI_CHANNELS = {
  ...passed(
    ...(['jobs.index', 'jobs.retry', 'jobs.resolve', 'jobs.cancel', 'jobs.editText', 'jobs.review'] as const),
    ...(['jobs.draftText', 'jobs.decorative', 'jobs.remove', 'jobs.putBack', 'jobs.quarantined'] as const),
    ...(['queue.pause', 'queue.resume', 'batches.confirm', 'batches.price', 'batches.cancel'] as const),
    ...(['batches.stopWaiting'] as const),
    ...(['folders.remove', 'folders.putBack', 'folders.reconcile'] as const),
    ...(['credits.balance', 'credits.afford', 'credits.history', 'languages.list', 'chargers.list'] as const),
    ...(['keys.set', 'keys.delete', 'keys.status', 'keys.test', 'recipes.remove'] as const),
    ...(['chargers.status', 'chargers.refresh', 'chargers.favourite', 'chargers.favourites'] as const),
    ...(['chargers.filters.list', 'chargers.filters.save', 'chargers.filters.remove'] as const),
    ...(['views.load', 'views.save'] as const),
  ),
  'jobs.rows': { request: z.object({ ids }), response: z.object({ rows: z.array(JobRow) }) },
  'jobs.detail': { request: z.object({ id: z.string().max(40) }), response: JobDetail },
  /** A file to hand over: the page offers it for download. */
  'jobs.export': {
    request: z.object({ ids, format: z.enum(['csv', 'json', 'html']) }),
    response: z.object({ filename: z.string(), type: z.string(), text: z.string() }),
  },
  /** Brings kept originals back, one by one; `problem` says why not, and `why` the same in English. */
  'jobs.restore': {
    request: z.object({ ids, force: z.boolean().default(false) }),
    response: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          restored: z.boolean(),
          problem: RestoreProblem.nullable(),
          why: z.string().nullable(),
        }),
      ),
    }),
  },
  /** Outputs by their index; null means the original. */
  'outputs.reveal': { request: z.object({ id: z.string(), index: z.number().int().nullable() }), response: nothing },
  'outputs.drag': {
    request: z.object({ items: z.array(z.object({ id: z.string(), index: z.number().int().nullable() })).max(200) }),
    response: nothing,
  },
  'places.pick': {
    request: z.object({ kind: z.enum(['files', 'folder']) }),
    response: z.object({ places: z.array(Place) }),
  },
  /** With a null token: the person's home folder and the roots beside it. */
  'places.browse': { request: z.object({ token: PlaceToken.nullable() }), response: BrowseView },
  'places.makeFolder': { request: z.object({ parent: PlaceToken, name: z.string().min(1).max(200) }), response: Place },
  'places.reveal': { request: z.object({ token: PlaceToken }), response: nothing },
  'inbox.choose': { request: z.object({ token: PlaceToken }), response: nothing },
  'intake.preview': {
    request: CHANNELS['intake.preview'].request
      .omit({ paths: true, recipe: true })
      .extend({ tokens, recipe: UiRecipe }),
    response: IntakePreview,
  },
  'intake.add': {
    request: z.object({
      tokens,
      recipe: UiRecipe,
      force: z.boolean().default(false),
      /** The person saw the price and agreed. */
      confirmed: z.boolean().default(false),
    }),
    response: z.object({ batchId: z.string() }),
  },
  /** As the engine's: the practice service processes them, whichever service is in use. */
  'intake.samples': { request: nothing, response: z.object({ batchId: z.string(), place: Place }) },
  'folders.add': {
    request: z.object({
      token: PlaceToken,
      recipe: UiRecipe,
      include: Folder.shape.include,
      exclude: Folder.shape.exclude,
      askAbove: Folder.shape.askAbove,
    }),
    response: z.object({ id: z.string() }),
  },
  'folders.update': {
    request: z.object({
      id: z.string(),
      changes: z
        .object({
          recipe: UiRecipe,
          include: Folder.shape.include,
          exclude: Folder.shape.exclude,
          paused: z.boolean(),
          askAbove: AskAbove,
        })
        .partial(),
      reprocess: z.boolean().default(false),
    }),
    response: nothing,
  },
  'recipes.list': {
    request: nothing,
    response: z.object({ recipes: z.array(SavedRecipe.extend({ recipe: UiRecipe })) }),
  },
  'recipes.save': {
    request: z.object({ id: z.string().max(40).nullable(), recipe: UiRecipe }),
    response: SavedRecipe.extend({ recipe: UiRecipe }),
  },
  'recipes.example': {
    request: CHANNELS['recipes.example'].request.extend({ recipe: UiRecipe }),
    response: CHANNELS['recipes.example'].response,
  },
  'settings.set': { request: UiSettingsChange, response: UiSettings },
  /** The last lines, newest last; `afterSeq` 0 gives all that are kept (2,000). */
  'log.read': {
    request: z.object({ afterSeq: z.number().int().nonnegative() }),
    response: z.object({ lines: z.array(LogLine) }),
  },
  /** Facts for a bug report without keys, paths, file names or texts. */
  'app.diagnostics': { request: nothing, response: z.object({ filename: z.string(), text: z.string() }) },
  'app.revealData': { request: nothing, response: nothing },
  /** Of shells with the capability `upload`: a person does not go on with these. Other files are left alone. */
  'uploads.discard': { request: z.object({ tokens }), response: z.object({ removed: z.number().int() }) },
  /** Of shells with the capability `signIns`: the browsers that may use this page. Ending one closes its pages at once. */
  'signIns.list': { request: nothing, response: z.object({ browsers: z.array(BrowserRow) }) },
  'signIns.end': { request: z.object({ id: z.string().max(40) }), response: nothing },
  'signIns.endAll': { request: nothing, response: nothing },
  'app.openExternal': { request: z.object({ link: external }), response: nothing },
} as const satisfies Record<string, { request: z.ZodType; response: z.ZodType }>

export type UiChannel = keyof typeof UI_CHANNELS

/** What a shell answers itself, and only where it has the capability; the host knows nothing of it. */
export const SHELL_CHANNELS = [
  'uploads.discard',
  'signIns.list',
  'signIns.end',
  'signIns.endAll',
] as const satisfies UiChannel[]
export type ShellChannel = (typeof SHELL_CHANNELS)[number]
export type UiRequestOf<Name extends UiChannel> = z.input<(typeof UI_CHANNELS)[Name]['request']>
export type CheckedUiRequestOf<Name extends UiChannel> = z.output<(typeof UI_CHANNELS)[Name]['request']>
export type UiResponseOf<Name extends UiChannel> = z.infer<(typeof UI_CHANNELS)[Name]['response']>

/** Everything but the jobs themselves, which are asked for as they are looked at. */
export const UiState = z.object({
  app: AppInfo,
  settings: UiSettings,
  counts: JobCounts,
  needsReview: z.number().int(),
  removed: z.number().int(),
  service: ServiceStatus.nullable(),
  folders: z.array(FolderRow),
  progress: Progress,
  confirmations: z.array(Confirmation),
  /** Batches that wait for a drive. */
  away: z.array(AwayBatch),
  chargers: ChargersState,
  /** What runs in the background and has failed, until it works again. */
  stopped: z.array(StoppedTask),
})
export type UiState = z.infer<typeof UiState>

/** First of all, and again whenever the page fell behind: what it held before is void. */
export const UiSnapshot = z.object({ type: z.literal('snapshot'), seq: z.number().int(), state: UiState })

/** What changed since the message before: at most about ten a second. `seq` grows by one. */
export const UiDelta = z.object({
  type: z.literal('delta'),
  seq: z.number().int(),
  /** Whole parts of the state, where they changed. */
  state: UiState.partial(),
  /** Jobs that are new, newest last. */
  added: z.array(z.string()),
  /** Jobs that changed, as they are now; at most 200. */
  rows: z.array(JobRow),
  /** Jobs were removed, put back, or more changed than are told: lists are to be asked for again. */
  stale: z.boolean(),
  notices: z.array(Notice),
})
export const UiMessage = z.discriminatedUnion('type', [UiSnapshot, UiDelta])
export type UiSnapshot = z.infer<typeof UiSnapshot>
export type UiDelta = z.infer<typeof UiDelta>
export type UiMessage = z.infer<typeof UiMessage>

/** Which rendering of a picture; each is re-encoded here, never the file as it came. */
export const PictureKind = z.enum(['thumb', 'original', 'optimized', 'converted'])
export type PictureKind = z.infer<typeof PictureKind>

/** What the web shell's socket carries: calls and acknowledgements up, results and stream messages down. */
export const SocketRequest = z.union([
  z.object({ hello: z.string().max(200) }),
  z.object({ id: z.number().int().nonnegative(), channel: z.string().max(50), request: z.unknown() }),
  z.object({ ack: z.number().int().nonnegative() }),
])
export type SocketRequest = z.infer<typeof SocketRequest>
export type SocketReply = { id: number; result: Result<unknown> } | { message: UiMessage } | { welcome: true }
