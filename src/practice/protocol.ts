/** The messages of the practice service's process channel, and what it is started with. */
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
  /** Seeds job times and generated chargers; random when absent. */
  seed: z.number().int().optional(),
  chargers: ChargerSet.default('sample'),
  /** Compresses an animation into a still, as many services do. */
  stillsOfAnimations: z.boolean().default(false),
  requestsPerMinute: z.number().int().positive().default(60),
  ipRequestsPerMinute: z.number().int().positive().default(120),
  /** Every ledger line is appended here before the answer leaves; the file outlives this and the parent process. */
  ledgerFile: z.string().optional(),
})
export type PracticeConfig = z.infer<typeof PracticeConfig>
export type PracticeOptions = z.input<typeof PracticeConfig>

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
})
const LedgerCharge = z.object({
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

export const PracticeAddress = z.object({
  /** Ends in `/api/v1`. */
  imageBaseUrl: z.string(),
  /** The host address only. */
  chargerBaseUrl: z.string(),
  apiKey: z.string(),
  partnerToken: z.string(),
})
export type PracticeAddress = z.infer<typeof PracticeAddress>

export type ToPractice = { type: 'start'; config: PracticeOptions } | { type: 'stop' }

export const FromPractice = z.discriminatedUnion('type', [
  PracticeAddress.extend({ type: z.literal('ready') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
export type FromPractice = z.infer<typeof FromPractice>
