import { z } from 'zod'
import { nothing, type Calls } from './call.ts'
import { SentenceShape } from '../sentence-shape.ts'

const TeamComputer = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** How long ago it was there, by the ledger's clock. */
  seenMs: z.number(),
  sentToday: z.number().int(),
  /** Pictures that it is sending, or waits for. */
  underWay: z.number().int(),
})
export type TeamComputer = z.infer<typeof TeamComputer>

/** What the ledger says about one account. */
export const TeamReport = z.object({
  computers: z.array(TeamComputer),
  /** Calls of the last minute and those under way, of all computers. */
  calls: z.number().int(),
  /** For how long nobody may call, because the service asked for it. */
  pausedMs: z.number(),
  /** Pictures of which nobody knows whether they were charged. */
  unknown: z.number().int(),
  paid: z.number().int(),
  sentToday: z.number().int(),
  sentThisMonth: z.number().int(),
})
export type TeamReport = z.infer<typeof TeamReport>

/** What a look at a ledger found, with nothing changed but its tables brought up to date. */
export const TeamCheck = z.object({
  /** Of PostgreSQL. */
  server: z.string(),
  ledgerVersion: z.number().int(),
  encrypted: z.boolean(),
  /** By how much this computer's clock is ahead; nothing depends on it. */
  clockAheadMs: z.number(),
  roundTripMs: z.number(),
})
export type TeamCheck = z.infer<typeof TeamCheck>

export const TeamStatus = z.object({
  /** Null without a team ledger. */
  address: z.string().nullable(),
  trouble: z.object({ code: z.string(), detail: SentenceShape.nullable(), forMs: z.number() }).nullable(),
  /** This computer's id; null until it entered. */
  me: z.string().nullable(),
  name: z.string(),
  /** Null while the ledger does not answer, and without a key of the image service. */
  report: TeamReport.nullable(),
})
export type TeamStatus = z.infer<typeof TeamStatus>

const url = z.string().max(1000)

export const teamCalls = {
  'team.status': { by: 'both', request: nothing, response: TeamStatus },
  /** Looks at a ledger. `password` null: the stored one. Fails with what is wrong, in `field` `url` or `password`. */
  'team.check': {
    by: 'both',
    request: z.object({ url, password: z.string().max(1000).nullable() }),
    response: TeamCheck,
  },
  /** Keeps the password of a ledger. */
  'team.password': { by: 'both', request: z.object({ url, password: z.string().max(1000) }), response: nothing },
  'team.rename': {
    by: 'both',
    request: z.object({ id: z.string(), name: z.string().trim().min(1).max(60) }),
    response: nothing,
  },
  /** A computer that is there comes back by itself; what a lost one was sending becomes unknown at once. */
  'team.remove': { by: 'both', request: z.object({ id: z.string() }), response: nothing },
} as const satisfies Calls
