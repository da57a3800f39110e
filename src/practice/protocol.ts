/**
 * Messages of the practice service's process channel. Everything that is not in the two documents but that a test or the UI
 * needs (credits, weather, the ledger) goes over this channel and never over HTTP. The parent's first message is a `start`;
 * the child answers `ready` or `failed`. After that each `control` message carries an id and is answered by one `reply` with
 * the same id. A `stop`, or the end of the channel, ends the child once it has tidied up.
 */
import { z } from 'zod'

export const RouteId = z.enum([
  'languages',
  'analyze',
  'optimize',
  'convert',
  'process',
  'afford',
  'balance',
  'job',
  'optimized',
  'charge-points',
  'charge-points-geojson',
  'unknown',
])
export type RouteId = z.infer<typeof RouteId>

/** How long jobs take from dispatch to their end. */
export const JobTime = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), ms: z.number().nonnegative() }),
  z.object({ kind: z.literal('lognormal'), medianMs: z.number().positive(), sigma: z.number().nonnegative() }),
])
export type JobTime = z.infer<typeof JobTime>

const DEFAULT_JOB_TIME: JobTime = { kind: 'lognormal', medianMs: 8000, sigma: 0.5 }

/** `sample` is the built-in set; a number generates exactly that many, the same ones for the same seed. */
export const ChargerSet = z.union([z.literal('sample'), z.number().int().min(0).max(200_000)])
export type ChargerSet = z.infer<typeof ChargerSet>

export const PracticeConfig = z.object({
  /** 0 picks a free port. */
  port: z.number().int().min(0).max(65_535).default(0),
  /** Random when absent. */
  apiKey: z.string().min(8).max(200).optional(),
  partnerToken: z.string().min(8).max(200).optional(),
  credits: z.number().int().nonnegative().default(500),
  jobTime: JobTime.default(DEFAULT_JOB_TIME),
  /** Seeds job times, weather by chance and generated chargers; random when absent. */
  seed: z.number().int().optional(),
  chargers: ChargerSet.default('sample'),
  /** Compresses an animated PNG into a still, as many services do; by default it is left as it is. */
  stillsOfApng: z.boolean().default(false),
  requestsPerMinute: z.number().int().positive().default(60),
  ipRequestsPerMinute: z.number().int().positive().default(120),
  /** Every ledger line is appended here before the answer leaves; the file outlives this and the parent process. */
  ledgerFile: z.string().optional(),
  /** Jobs are kept here across restarts; only one service at a time uses it. Its folder is not made. */
  jobsFile: z.string().optional(),
})
export type PracticeConfig = z.infer<typeof PracticeConfig>
export type PracticeOptions = z.input<typeof PracticeConfig>

const When = z.enum(['before-work', 'after-work'])

/**
 * A simulated failure. `before-work` leaves the service untouched (nothing charged); `after-work` executes the request,
 * charge included, and spoils only the answer.
 */
export const WeatherEffect = z.discriminatedUnion('kind', [
  /** Sends this answer instead. A string body is sent as it is, anything else as JSON; `{job}` in it after the work is the job's id. */
  z.object({
    kind: z.literal('answer'),
    status: z.number().int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    when: When.default('before-work'),
  }),
  z.object({ kind: z.literal('rate-limited'), retryAfterSeconds: z.number().int().nonnegative() }),
  z.object({ kind: z.literal('redirect'), status: z.number().int().min(300).max(399), location: z.string() }),
  /** Resets the connection. `after-work` on a dispatch is the answer lost after the charge. */
  z.object({ kind: z.literal('reset'), when: When }),
  /** Never answers, until the client gives up. */
  z.object({ kind: z.literal('stall'), when: When }),
  z.object({ kind: z.literal('slow'), delayMs: z.number().nonnegative() }),
  /** The right status, type and length, but other bytes. */
  z.object({ kind: z.literal('wrong-bytes') }),
  /** The full Content-Length, then only this share of the body and a closed connection. */
  z.object({ kind: z.literal('cut-body'), keepFraction: z.number().min(0).max(1) }),
  /** Neither Content-Length nor chunks: the body ends with the connection; below 1 it is cut without a trace. */
  z.object({ kind: z.literal('lengthless'), keepFraction: z.number().min(0).max(1).default(1) }),
  z.object({ kind: z.literal('trickle'), bytesPerSecond: z.number().positive() }),
])
export type WeatherEffect = z.infer<typeof WeatherEffect>

/** Applies to requests with a valid key. Rules are tried in the given order; the first match applies. */
export const WeatherRule = z.object({
  on: z.union([RouteId, z.enum(['any', 'dispatch'])]),
  /** How many times it applies; unlimited when only `fraction` is given, otherwise once. */
  times: z.number().int().positive().optional(),
  /** Lets this many requests pass first. */
  skip: z.number().int().nonnegative().default(0),
  /** Applies to this share of requests, at random. */
  fraction: z.number().min(0).max(1).optional(),
  effect: WeatherEffect,
})
export type WeatherRule = z.infer<typeof WeatherRule>

export const ControlRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('set-credits'), credits: z.number().int().nonnegative() }),
  z.object({ type: z.literal('top-up'), credits: z.number().int().positive() }),
  z.object({ type: z.literal('add-weather'), rules: z.array(WeatherRule) }),
  z.object({ type: z.literal('clear-weather') }),
  z.object({ type: z.literal('set-job-time'), jobTime: JobTime }),
  /** Fails these unfinished jobs now, and the next `next` dispatched jobs at their end. */
  z.object({
    type: z.literal('fail-jobs'),
    jobIds: z.array(z.string()).optional(),
    next: z.number().int().nonnegative().optional(),
  }),
  /** Drops these jobs, or all: polls and downloads then answer 404. */
  z.object({ type: z.literal('forget-jobs'), jobIds: z.array(z.string()).optional() }),
  /** Issues a new key, for the same account or a new empty one; the old key is refused unless kept. */
  z.object({
    type: z.literal('rotate-key'),
    service: z.enum(['image', 'chargers']),
    account: z.enum(['same', 'other']).default('same'),
    keepOld: z.boolean().default(false),
  }),
  z.object({
    type: z.literal('set-limits'),
    requestsPerMinute: z.number().int().positive().optional(),
    ipRequestsPerMinute: z.number().int().positive().optional(),
  }),
  /** Jobs dispatched from now on get exactly these texts in every language; null goes back to practice texts. */
  z.object({
    type: z.literal('set-texts'),
    texts: z.object({ seoFilename: z.string(), seoAltText: z.string() }).nullable(),
  }),
  z.object({ type: z.literal('set-chargers'), chargers: ChargerSet }),
  z.object({ type: z.literal('get-state') }),
  z.object({ type: z.literal('get-ledger') }),
])
export type ControlRequest = z.infer<typeof ControlRequest>
export type ControlInput = z.input<typeof ControlRequest>

const LedgerRequest = z.object({
  type: z.literal('request'),
  seq: z.number(),
  /** Unix milliseconds when its headers were read. */
  atMs: z.number(),
  method: z.string(),
  route: RouteId,
  path: z.string(),
  /** `key-1`, `key-2`, …; null when no known key was sent. Never the key. */
  keyId: z.string().nullable(),
})
const LedgerAnswer = z.object({
  type: z.literal('answer'),
  /** The request's. */
  seq: z.number(),
  atMs: z.number(),
  /** Null when no status was sent. */
  status: z.number().nullable(),
  /** The kind of weather that applied, if any. */
  weather: z.string().nullable(),
})
export const LedgerCharge = z.object({
  type: z.literal('charge'),
  /** The dispatch's. */
  seq: z.number(),
  atMs: z.number(),
  keyId: z.string(),
  accountId: z.string(),
  jobId: z.string(),
  operation: z.enum(['analyze', 'optimize', 'convert', 'process']),
  /** Of the uploaded bytes, in hex. */
  sha256: z.string(),
  sizeBytes: z.number(),
  filename: z.string(),
  /** Sorted; empty where the operation has none. */
  languages: z.array(z.string()),
  format: z.enum(['webp', 'avif']).nullable(),
  credits: z.number(),
})
/** One line of the ledger file. */
export const LedgerLine = z.discriminatedUnion('type', [LedgerRequest, LedgerAnswer, LedgerCharge])
export type LedgerLine = z.infer<typeof LedgerLine>
export type LedgerCharge = z.infer<typeof LedgerCharge>

/** `status` is null while the request is under way and when it got no answer. */
export const LedgerEntry = LedgerRequest.omit({ type: true }).extend({
  status: z.number().nullable(),
  answeredAtMs: z.number().nullable(),
  weather: z.string().nullable(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

/** `requests` and `charges` hold the newest ones (a bounded number); the totals count all. */
export const LedgerSnapshot = z.object({
  requests: z.array(LedgerEntry),
  charges: z.array(LedgerCharge),
  totals: z.object({ requests: z.number(), charges: z.number(), credits: z.number() }),
})
export type LedgerSnapshot = z.infer<typeof LedgerSnapshot>

const PracticeState = z.object({
  balance: z.number(),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  jobs: z.number(),
  jobsInFlight: z.number(),
  chargers: z.number(),
  weatherRules: z.number(),
})
type PracticeState = z.infer<typeof PracticeState>

/** Result types of the controls that return one. */
interface ControlResults {
  'rotate-key': { key: string; keyId: string }
  'get-state': PracticeState
  'get-ledger': LedgerSnapshot
}
export type ControlResult<Type extends ControlRequest['type']> = Type extends keyof ControlResults
  ? ControlResults[Type]
  : null

export const PracticeAddress = z.object({
  /** Ends in `/api/v1`. */
  imageBaseUrl: z.string(),
  /** The host address only. */
  chargerBaseUrl: z.string(),
  apiKey: z.string(),
  partnerToken: z.string(),
})
export type PracticeAddress = z.infer<typeof PracticeAddress>

export const ToPractice = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), config: PracticeConfig }),
  z.object({ type: z.literal('control'), id: z.number().int(), request: ControlRequest }),
  z.object({ type: z.literal('stop') }),
])
export type ToPractice = z.input<typeof ToPractice>

export const FromPractice = z.discriminatedUnion('type', [
  PracticeAddress.extend({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('reply'), id: z.number().int(), ok: z.literal(true), result: z.unknown() }),
  z.object({ type: z.literal('refused'), id: z.number().int().nullable(), message: z.string() }),
])
export type FromPractice = z.infer<typeof FromPractice>
