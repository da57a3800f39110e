import { browserCalls } from '../../shared/contract/browsers.ts'
import type { Result } from '../../shared/contract/call.ts'
import type { BrowserCall, CheckedRequest, CheckedResponse } from '../../shared/contract/calls.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { newSecret, type SignIn } from './sign-ins.ts'
import type { WebContext } from './web-context.ts'

type Handlers = {
  [Name in BrowserCall]: (
    context: WebContext,
    request: CheckedRequest<Name>,
    signIn: SignIn,
  ) => Promise<CheckedResponse<Name>>
}

/** A browser requests the archive right after it gets the address. */
const MAX_ZIPS = 50

/** The calls that this shell answers itself, because they concern its browsers. */
const HANDLERS: Handlers = {
  'uploads.discard': async (context, { tokens }) => ({
    removed: await context.uploads.discard(pathsOf(context, tokens)),
  }),
  'results.zip': async ({ host, zips }, { ids }, signIn) => {
    let hasResults = false
    for (const id of ids) hasResults ||= (await host.results(id)).length > 0
    if (!hasResults) return { token: null }
    const token = newSecret()
    zips.set(`${signIn.id} ${token}`, ids)
    const [oldest] = zips.keys()
    if (zips.size > MAX_ZIPS && oldest !== undefined) zips.delete(oldest)
    return { token }
  },
}

/** Answers a call of a page, by this shell or by the host. Throws what the host throws. */
export async function answerCall(
  context: WebContext,
  signIn: SignIn,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> {
  if (!Object.hasOwn(HANDLERS, channel)) return context.host.call(channel, request)
  const name = channel as BrowserCall
  try {
    const parsed = browserCalls[name].request.safeParse(request)
    if (!parsed.success) throw new AppError('bad_request', say('value_not_taken', { field: name }))
    return { ok: true, value: await HANDLERS[name](context, parsed.data as never, signIn) }
  } catch (thrown) {
    return { ok: false, error: toAppError(thrown).shape }
  }
}

/** The paths of the tokens that are still known. */
function pathsOf({ host }: WebContext, tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => {
    try {
      return [host.places.resolve(token)]
    } catch {
      return []
    }
  })
}
