import { z } from 'zod'
import { ids, type Calls, type Result } from './call.ts'
import { PlaceToken } from './places.ts'
import type { UiMessage } from './stream.ts'

/** Of a browser that is signed in. `seed` is for a new sign-in: the page keeps it and derives its secrets from it. */
export interface SignInAnswer {
  seed?: string
}

/** What the web shell's socket carries: calls and acknowledgements up, results and stream messages down. */
export const SocketRequest = z.union([
  z.object({ id: z.number().int().nonnegative(), channel: z.string().max(50), request: z.unknown() }),
  z.object({ ack: z.number().int().nonnegative() }),
])
export type SocketRequest = z.infer<typeof SocketRequest>

export type SocketReply = { id: number; result: Result<unknown> } | { message: UiMessage }

export const browserCalls = {
  /** For shells with the capability `upload`: deletes uploads that a person decided not to use. Other files are left alone. */
  'uploads.discard': {
    by: 'browser',
    request: z.object({ tokens: z.array(PlaceToken).min(1).max(100_000) }),
    response: z.object({ removed: z.number().int() }),
  },
  /** For shells with the capability `download`: offers the results of these jobs as one archive (`zipPath`). Null without any. */
  'results.zip': { by: 'browser', request: z.object({ ids }), response: z.object({ token: z.string().nullable() }) },
} as const satisfies Calls
