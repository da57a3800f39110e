import { z } from 'zod'
import { ChosenType } from '../recipes/recipe.ts'
import { Reason } from '../sentences/reasons.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'
import { Changed, ids, nothing, type Calls } from './call.ts'
import type { PlaceForms, Side } from './places.ts'

/** Folders of other programs, which are not entered: how many, and the names of the first. */
export const ForeignFolders = z.object({ count: z.number().int(), first: z.array(z.string()) })
export type ForeignFolders = z.infer<typeof ForeignFolders>
export const NO_FOREIGN_FOLDERS: ForeignFolders = { count: 0, first: [] }

/** One batch: the pictures of one command or of one burst in a watched folder. */
export const BatchView = z.object({
  id: z.string(),
  kind: z.enum(['run', 'folder']),
  /** Files are still being searched for or examined. */
  open: z.boolean(),
  found: z.number().int(),
  takenIn: z.number().int(),
  /** Files that are already done, or our own output: not listed. */
  known: z.number().int(),
  /** Entries that could not be read, such as a folder without permission to list it: its contents are unknown. */
  leftOut: z.number().int(),
  /** Pictures that were found but could not be taken in, for a reason that the log has. */
  missed: z.number().int(),
  foreign: ForeignFolders,
  confirmed: z.boolean(),
})
export type BatchView = z.infer<typeof BatchView>

/** A batch that waits for a drive: the first of the missing paths, and how many there are. */
export const AwayBatch = z.object({
  batchId: z.string(),
  paths: z.array(z.string()),
  count: z.number().int(),
})
export type AwayBatch = z.infer<typeof AwayBatch>

export const Price = z.object({
  required: z.number(),
  balance: z.number(),
  shortfall: z.number(),
  /** The price is known for the full pipeline only; for anything else it is an upper bound. */
  atMost: z.boolean(),
  images: z.number().int(),
})
export type Price = z.infer<typeof Price>

/** What adding some files or a folder would do and cost; nothing is sent or stored to find out. */
const Preview = <S extends Side>(at: PlaceForms<S>) =>
  z.object({
    /** Pictures, not counting Hangar's own results; of very many only a sample is read, the rest is counted by name. */
    pictures: z.number().int(),
    totalBytes: z.number(),
    /** To be sent to the service and paid for. */
    toSend: z.number().int(),
    /** Made on this computer, or already paid for and only written again. */
    free: z.number().int(),
    /** Already done: nothing is written. */
    done: z.number().int(),
    /** The recipe makes nothing from them. */
    nothingToDo: z.number().int(),
    /** Cannot be taken in: too large, cut off, of another type; the first few with their reason. */
    refused: z.number().int(),
    refusals: z.array(z.object({ name: z.string(), reason: Reason })),
    /** True when not every picture was read, or not yet: `toSend`, `free` and `refused` are then extrapolated from a part. */
    estimated: z.boolean(),
    foreign: ForeignFolders,
    /** Files whose names suggest a type that is not taken in there. */
    otherTypes: z.number().int(),
    /** Credits for `toSend`, at most; null when the service could not say. */
    price: Price.omit({ images: true }).nullable(),
    /** The service did not answer the question for the price. */
    away: z.boolean(),
    examples: z.array(z.object({ source: z.string(), outputs: z.array(z.string()) })),
    /** The first few of `pictures`, to be shown. */
    first: z.array(at.file),
    /** Pictures of `toSend` that caps would hold, and why; null for none. */
    held: z.object({ pictures: z.number().int(), reason: Reason }).nullable(),
    /** How many pictures were read, and are to be (null while they are found). Null once complete, with `price` and `held`. */
    progress: z.object({ id: z.string(), inspected: z.number().int(), of: z.number().int().nullable() }).nullable(),
  })
export type IntakePreview = z.infer<ReturnType<typeof Preview>>

/** Work that waits until a person approves what it costs. */
export const Confirmation = z.object({
  batchId: z.string(),
  kind: z.enum(['run', 'folder']),
  folderId: z.string().nullable(),
  /** Jobs of this batch that the spend guard holds. */
  held: z.number().int(),
  /** The reason of the hold. */
  detail: SentenceShape.nullable(),
  /** False when approving does not help: a cap or `--max-credits` is reached. */
  confirmable: z.boolean(),
})
export type Confirmation = z.infer<typeof Confirmation>

const Patterns = z.array(z.string().max(500)).max(100).default([])
const IntakeRequest = <S extends Side>(at: PlaceForms<S>) =>
  z.object({
    paths: z.array(at.path).min(1).max(100_000),
    recipe: at.recipe,
    include: Patterns,
    exclude: Patterns,
    /** As that of a watched folder; without it, all types are taken in. */
    alsoTakes: z.array(ChosenType).max(ChosenType.options.length).optional(),
    /** Jobs that the recipe takes the place of, but for what is under way or unknown. Without it, a picture has a job for each recipe. */
    insteadOf: ids.default([]),
    /** Process what is done already once more, and pay for it again. */
    force: z.boolean().default(false),
  })

const PreviewId = z.object({ id: z.string().min(1).max(40) })

export const intakeCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    'intake.add': {
      by: 'both',
      request: IntakeRequest(at).extend({
        /** The person saw the price and approved it. */
        confirmed: z.boolean().default(false),
        maxCredits: z.number().int().nonnegative().nullable().default(null),
      }),
      response: z.object({ batchId: z.string() }),
    },
    /** What is known after a moment. An incomplete preview must be polled every few seconds: else it is stopped, and `not_found`. */
    'intake.preview': { by: 'both', request: IntakeRequest(at), response: Preview(at) },
    'intake.morePreview': { by: 'both', request: PreviewId, response: Preview(at) },
    'intake.stopPreview': { by: 'both', request: PreviewId, response: nothing },
    /** Copies the samples into a new folder and processes them by the default recipe at the practice service, whichever is in use. */
    'intake.samples': { by: 'both', request: nothing, response: z.object({ batchId: z.string(), place: at.made }) },
  }) as const satisfies Calls

export const batchCalls = {
  /** Gives up what one batch, or with null every batch, waits for. Pictures that were taken in stay. */
  'batches.stopWaiting': { by: 'both', request: z.object({ id: z.string().nullable() }), response: Changed },
  /** What the spend guard holds, by batch. */
  'batches.waiting': { by: 'engine', request: nothing, response: z.object({ confirmations: z.array(Confirmation) }) },
  /** What the service says that the held pictures of a batch cost (`GET /credits/afford`); without an id, those that wait for credits. */
  'batches.price': { by: 'both', request: z.object({ id: z.string().nullable() }), response: Price },
  /** Cancels what the batch still holds or has ready; what was sent is still fetched. */
  'batches.cancel': { by: 'both', request: z.object({ id: z.string() }), response: Changed },
  'batches.get': { by: 'engine', request: z.object({ id: z.string() }), response: BatchView },
  'batches.confirm': { by: 'both', changesService: true, request: z.object({ id: z.string() }), response: nothing },
} as const satisfies Calls
