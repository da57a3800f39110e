import { z } from 'zod'
import { BULK_STEPS, MAX_ID_CHARS, MAX_SEARCH_CHARS, NEWEST_FIRST, ORDERED_BY } from '../jobs/job-list.ts'
import { Job, OutputRole } from '../jobs/job.ts'
import { JobState, NextStep, Note, Reason } from '../sentences/reasons.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { Changed, ids, nothing, type Calls } from './call.ts'
import { MAX_LANGUAGES } from '../recipes/limits.ts'
import { AnyLanguageCode } from '../recipes/language.ts'
import { Place, PlaceToken, UiRecipe } from './places.ts'
import { ExportFormat, ExportProfile, EarlierText, HistoryLine, TextView } from './texts.ts'

/** `none`: there are no texts to review. */
export const ReviewState = z.enum(['none', 'needed', 'reviewed'])
export type ReviewState = z.infer<typeof ReviewState>

/** A job with what a person can do about it. */
export const JobView = z.object({
  ...Job.shape,
  nextSteps: z.array(NextStep),
  review: ReviewState,
  /** When it was removed from the list (Unix milliseconds); null for a job on the list. */
  removedAtMs: z.number().nullable(),
})
export type JobView = z.infer<typeof JobView>

/** What can be done with some jobs: the ids that each command applies to. */
const JobFacts = z.object({
  steps: z.record(z.enum(BULK_STEPS), ids),
  /** Of `steps.retry` and `steps.resend`: jobs that are sent again, so they may be charged again. Practice jobs never are. */
  mayCost: ids,
  /** Jobs that another recipe can be chosen for without a second charge. */
  changeable: ids,
  /** Jobs whose texts have not been reviewed, and jobs whose texts have been. */
  toReview: ids,
  reviewed: ids,
  /** Jobs whose original was replaced. */
  replaced: ids,
  /** Ended jobs without and with something left to decide. All others are under way or held. */
  settled: ids,
  unsettled: ids,
})
export type JobFacts = z.infer<typeof JobFacts>

/** How many jobs are in each state. */
export const JobCounts = z.record(JobState, z.number().int().nonnegative())
export type JobCounts = z.infer<typeof JobCounts>

/** Which jobs a list shows; absent members do not filter. */
export const JobFilter = z.object({
  states: z.array(JobState).max(11).optional(),
  batchId: z.string().max(MAX_ID_CHARS).optional(),
  folderId: z.string().max(MAX_ID_CHARS).optional(),
  /** Part of the path, case-insensitive. */
  search: z.string().max(MAX_SEARCH_CHARS).optional(),
  /** Only pictures whose texts no person has reviewed yet. */
  needsReview: z.boolean().optional(),
  /** Removed jobs instead of those on the list. */
  removed: z.boolean().optional(),
})
export type JobFilter = z.infer<typeof JobFilter>

export const GroupBy = z.enum(['none', 'batch', 'folder'])
export type GroupBy = z.infer<typeof GroupBy>

const JobOrder = z.object({ by: z.enum(ORDERED_BY), descending: z.boolean() })

/** `changed_since`: the file in its place is not the one Hangar wrote; with force it is restored anyway, and that file is kept. */
export const RestoreProblem = z.enum([
  'nothing_kept',
  'already_original',
  'changed_since',
  'not_replaced',
  'not_found',
  'disk_full',
  'not_writable',
  'failed',
])
export type RestoreProblem = z.infer<typeof RestoreProblem>

/** A job as a line of the list: small, because there may be a hundred thousand. Sizes in bytes on this disk. */
export const JobRow = z.object({
  id: z.string(),
  batchId: z.string(),
  folderId: z.string().nullable(),
  /** Base name of the original, and its folder; for display only. */
  name: z.string(),
  dir: z.string(),
  state: JobState,
  reason: Reason.nullable(),
  nextSteps: z.array(NextStep),
  review: ReviewState,
  notes: z.number().int(),
  /** The most telling of them. */
  note: Note.nullable(),
  sizeBytes: z.number(),
  optimizedBytes: z.number().nullable(),
  convertedBytes: z.number().nullable(),
  /** Requested languages; empty where no texts are made. */
  languages: z.array(z.string()),
  /** Null until the picture was read. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** The original was replaced, and is kept. */
  replaced: z.boolean(),
  /** Another recipe can take the place of the job's without a second charge. */
  recipeCanChange: z.boolean(),
  /** When it was removed from the list; null for a job on the list. */
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
  /** In pixels, for files encoded on this computer. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** The name that it would have now that the suggested one was edited. */
  renameTo: z.string().optional(),
})
export type OutputRow = z.infer<typeof OutputRow>

export const JobDetail = z.object({
  row: JobRow,
  path: z.string(),
  recipe: UiRecipe,
  service: z.object({ id: z.string(), practice: z.boolean() }),
  /** Facts of the picture; null until it was read. */
  image: z
    .object({ sha256: z.string(), type: z.string(), width: z.number(), height: z.number(), animated: z.boolean() })
    .nullable(),
  texts: z.array(TextView),
  earlier: z.array(EarlierText),
  /** The picture is only decoration: its `alt` is empty, whatever the texts. */
  decorative: z.boolean(),
  notes: z.array(Note),
  outputs: z.array(OutputRow),
  history: z.array(HistoryLine),
  /** The service's own figures for a conversion that it made without offering a download. */
  figures: z.object({ format: z.string().nullable(), sizeBytes: z.number().nullable() }).nullable(),
  /** The original was replaced and can be restored. */
  restorable: z.boolean(),
})
export type JobDetail = z.infer<typeof JobDetail>

/** Each rendering is encoded here and never the file itself. `served`: what was not taken for a result. `file`: of a file without a job. */
export const PictureKind = z.enum(['thumb', 'original', 'optimized', 'converted', 'served', 'file'])
export type PictureKind = z.infer<typeof PictureKind>

/** `all`: every job that the command can apply to. */
const IdsOrAll = z.object({ ids, all: z.boolean().default(false) })
/** An output of a job by its index; null means the original. */
const OutputId = z.object({ id: z.string(), index: z.number().int().nullable() })

export const jobCalls = {
  'jobs.list': {
    by: 'engine',
    request: z.object({
      states: z.array(JobState).optional(),
      batchId: z.string().optional(),
      folderId: z.string().optional(),
      search: z.string().max(MAX_SEARCH_CHARS).optional(),
      afterId: z.string().optional(),
      newestFirst: z.boolean().optional(),
      limit: z.number().int().min(1).max(10_000).default(1000),
    }),
    response: z.object({ jobs: z.array(JobView) }),
  },
  /** The ids of all matching jobs in sections, by their newest jobs. `batch` groups what a watched folder brought by that folder. */
  'jobs.index': {
    by: 'both',
    request: z.object({
      filter: JobFilter.default({}),
      groupBy: GroupBy.default('none'),
      order: JobOrder.default(NEWEST_FIRST),
    }),
    response: z.object({
      sections: z.array(
        z.object({
          key: z.string(),
          title: z.string().nullable(),
          folderId: z.string().nullable(),
          atMs: z.number().nullable(),
          ids: z.array(z.string()),
        }),
      ),
    }),
  },
  /** What is done of each section of a list, whatever states the filter asks for. */
  'jobs.groups': {
    by: 'both',
    request: z.object({ filter: JobFilter.default({}), groupBy: GroupBy.default('none') }),
    response: z.object({
      groups: z.array(
        z.object({
          key: z.string(),
          /** States without jobs are left out, and so are the files that Hangar made itself: these are `own`. */
          counts: z.partialRecord(JobState, z.number().int()),
          savedBytes: z.number(),
          needsReview: z.number().int(),
          own: z.number().int(),
        }),
      ),
    }),
  },
  /** Returns those of the jobs that still exist. */
  'jobs.get': { by: 'engine', request: z.object({ ids }), response: z.object({ jobs: z.array(JobView) }) },
  /**
   * Removes ended jobs from the list; files stay, and so does what is known of payments. `unsettled`, which a person confirms separately,
   * removes failed and unknown ones only: jobs that need a person never leave together with the rest. `left`: requested jobs that stay.
   * `undo` puts them back, for `retentionDays`.
   */
  'jobs.remove': {
    by: 'both',
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
  /** Puts back the jobs of one removal, or these jobs; with neither, those of the last removal. */
  'jobs.putBack': {
    by: 'both',
    request: z.object({ undo: z.string().max(40).nullable().default(null), ids: ids.default([]) }),
    response: z.object({ putBack: z.number() }),
  },
  'jobs.counts': {
    by: 'engine',
    request: z.object({ batchId: z.string().optional(), folderId: z.string().optional() }),
    response: z.object({
      counts: JobCounts,
      /** Of these, how many have texts that no person has reviewed yet. */
      needsReview: z.number().int().nonnegative(),
      /** Removed from the list and can still be put back; included in no other count. */
      removed: z.number().int().nonnegative(),
    }),
  },
  'jobs.retry': { by: 'both', request: IdsOrAll, response: Changed },
  'jobs.resolve': {
    by: 'both',
    request: IdsOrAll.extend({ how: z.enum(['resend', 'drop', 'fetch_again', 'ask_again']) }),
    response: Changed,
  },
  /** Takes back `drop`: those of the jobs that it still applies to are unknown or failed as before. Sends nothing. */
  'jobs.reopen': { by: 'both', request: z.object({ ids }), response: Changed },
  'jobs.cancel': { by: 'both', request: IdsOrAll, response: Changed },
  'jobs.quarantined': {
    by: 'both',
    request: nothing,
    response: z.object({
      rows: z.array(z.object({ atMs: z.number(), source: z.string(), key: z.string(), why: z.string() })),
    }),
  },
  'jobs.rows': { by: 'page', request: z.object({ ids }), response: z.object({ rows: z.array(JobRow) }) },
  /** Those of the jobs that still exist. */
  'jobs.facts': { by: 'page', request: z.object({ ids }), response: JobFacts },
  'jobs.detail': { by: 'page', request: z.object({ id: z.string().max(40) }), response: JobDetail },
  /** The originals of these jobs, each once, to process them again. Those that are gone are only counted. */
  'jobs.sources': {
    by: 'page',
    request: z.object({ ids }),
    response: z.object({ places: z.array(Place), missing: z.number().int() }),
  },
  /** The languages of the texts of these pictures, and the folder that holds all files which an export names. */
  'jobs.exportable': {
    by: 'page',
    request: z.object({ ids }),
    response: z.object({ languages: z.array(z.string()), folder: Place.nullable() }),
  },
  /**
   * A file for download. `profile`: a table for that program, in one language. `from` and `to`: for XLIFF. `published`: where the files in a
   * folder can be had. `tooLong`: texts that are longer than that program takes. `leftOut`: pictures without a text or name for it.
   */
  'jobs.export': {
    by: 'page',
    request: z.object({
      ids,
      format: ExportFormat,
      profile: ExportProfile.optional(),
      languages: z.array(AnyLanguageCode).max(MAX_LANGUAGES).optional(),
      from: AnyLanguageCode.optional(),
      to: AnyLanguageCode.optional(),
      published: z.object({ baseUrl: z.string().max(2000), folder: PlaceToken }).optional(),
    }),
    response: z.object({
      filename: z.string(),
      type: z.string(),
      text: z.string(),
      tooLong: z.number().int(),
      leftOut: z.number().int(),
    }),
  },
  /** Each on its own; `problem` says why one was not restored, `why` gives details. */
  'jobs.restore': {
    by: 'both',
    request: z.object({ ids, force: z.boolean().default(false) }),
    response: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          restored: z.boolean(),
          problem: RestoreProblem.nullable(),
          why: SentenceShape.nullable(),
        }),
      ),
    }),
  },
  'outputs.reveal': { by: 'page', request: OutputId, response: nothing },
  'outputs.drag': { by: 'page', request: z.object({ items: z.array(OutputId).max(200) }), response: nothing },
} as const satisfies Calls
