import { z } from 'zod'
import { nothing, type Calls } from './call.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'

const TeamComputer = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  /** Time since its last beat, by the ledger's clock. */
  seenMs: z.number(),
  sentToday: z.number().int(),
  /** Pictures that it is sending or waiting for. */
  underWay: z.number().int(),
})
export type TeamComputer = z.infer<typeof TeamComputer>

/** The ledger's report on one account. */
export const TeamReport = z.object({
  computers: z.array(TeamComputer),
  /** Calls in the last minute and under way, of all computers. */
  calls: z.number().int(),
  /** How long nobody may call, at the service's request. */
  pausedMs: z.number(),
  /** Pictures in the state unknown. */
  unknown: z.number().int(),
  sentToday: z.number().int(),
  sentThisMonth: z.number().int(),
})
export type TeamReport = z.infer<typeof TeamReport>

/** The result of inspecting a ledger, which changes nothing but makes its tables where they are missing. */
export const TeamCheck = z.object({
  /** The version of PostgreSQL. */
  server: z.string(),
  ledgerVersion: z.number().int(),
  encrypted: z.boolean(),
  roundTripMs: z.number(),
})
export type TeamCheck = z.infer<typeof TeamCheck>

const TeamStatus = z.object({
  /** Null without a team ledger. */
  address: z.string().nullable(),
  trouble: z.object({ code: z.string(), detail: SentenceShape.nullable(), forMs: z.number() }).nullable(),
  /** This computer's id; null until it has entered. */
  me: z.string().nullable(),
  name: z.string(),
  /** Null while the ledger does not answer, or without a key for the image service. */
  report: TeamReport.nullable(),
})

const url = z.string().max(1000)
const password = z.string().max(4096)

export const teamCalls = {
  'team.status': { by: 'both', request: nothing, response: TeamStatus },
  /** Inspects a ledger. `password` null: the stored one. Fails with what is wrong. */
  'team.check': {
    by: 'both',
    request: z.object({ url, password: password.nullable() }),
    response: TeamCheck,
  },
  /** Stores a ledger's password, or deletes it where it is null. */
  'team.password': { by: 'both', request: z.object({ url, password: password.nullable() }), response: nothing },
  /** An active computer rejoins by itself; what a lost one was sending becomes unknown at once. */
  'team.remove': { by: 'both', request: z.object({ id: z.string().max(100) }), response: nothing },
} as const satisfies Calls
