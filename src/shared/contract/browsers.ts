import { z } from 'zod'
import type { Result } from './call.ts'
import { ids, nothing, type Calls } from './call.ts'
import { PlaceToken } from './places.ts'
import type { UiMessage } from './stream.ts'

/** A browser that is signed in to the web shell. Names as the browser reports them, null where it does not. */
export const BrowserRow = z.object({
  id: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** Of the page that it signed in to; for display only. */
  origin: z.string(),
  signedInAtMs: z.number(),
  seenAtMs: z.number(),
  /** The browser that makes this call. */
  current: z.boolean(),
})
export type BrowserRow = z.infer<typeof BrowserRow>

/** Answer to a browser that is not signed in: a person approves `code` with these commands or in the terminal. */
export const SignInRefusal = z.object({ code: z.string(), approve: z.string(), newLink: z.string() })
export type SignInRefusal = z.infer<typeof SignInRefusal>

/** What the web shell's socket carries: calls and acknowledgements up, results and stream messages down. */
export const SocketRequest = z.union([
  z.object({ hello: z.string().max(200) }),
  z.object({ id: z.number().int().nonnegative(), channel: z.string().max(50), request: z.unknown() }),
  z.object({ ack: z.number().int().nonnegative() }),
])
export type SocketRequest = z.infer<typeof SocketRequest>

/** `view` is for `inView`. */
export type SocketReply =
  { id: number; result: Result<unknown> } | { message: UiMessage } | { welcome: true; view: string }

export const browserCalls = {
  /** For shells with the capability `upload`: deletes uploads that a person decided not to use. Other files are left alone. */
  'uploads.discard': {
    by: 'browser',
    request: z.object({ tokens: z.array(PlaceToken).min(1).max(100_000) }),
    response: z.object({ removed: z.number().int() }),
  },
  /**
   * For shells with the capability `download`: offers the results of these jobs as one archive (`zipPath`) for ten minutes. Null
   * when none of them has any.
   */
  'results.zip': { by: 'browser', request: z.object({ ids }), response: z.object({ token: z.string().nullable() }) },
  /** For shells with the capability `signIns`: the browsers that may use this page. Ending a sign-in closes its pages at once. */
  'signIns.list': { by: 'browser', request: nothing, response: z.object({ browsers: z.array(BrowserRow) }) },
  'signIns.end': { by: 'browser', request: z.object({ id: z.string().max(40) }), response: nothing },
  'signIns.endAll': { by: 'browser', request: nothing, response: nothing },
} as const satisfies Calls
