import { z } from 'zod'
import { browserCalls } from '../../shared/contract/browsers.ts'
import type { Result } from '../../shared/contract/call.ts'
import type { BrowserCall, CheckedRequest, CheckedResponse } from '../../shared/contract/calls.ts'
import { PlaceToken } from '../../shared/contract/places.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { SignIn } from './sign-ins.ts'
import type { WebContext } from './web-context.ts'

type Handlers = {
  [Name in BrowserCall]: (request: CheckedRequest<Name>) => CheckedResponse<Name> | Promise<CheckedResponse<Name>>
}

/** The calls that this shell answers itself, because they concern its browsers. Null for every other channel. */
export function ownCall(
  context: WebContext,
  signIn: SignIn,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> | null {
  if (!Object.hasOwn(browserCalls, channel)) return null
  return answer(handlersFor(context, signIn), channel as BrowserCall, request)
}

function handlersFor(context: WebContext, { id: currentId }: SignIn): Handlers {
  const { host, signIns, uploads, zips } = context
  return {
    'uploads.discard': async ({ tokens }) => ({ removed: await uploads.discard(pathsOf(context, tokens)) }),
    'results.zip': async ({ ids }) => ({ token: (await hasResults(host, ids)) ? zips.put(currentId, ids) : null }),
    'signIns.list': () => ({ browsers: signIns.list(currentId) }),
    'signIns.end': ({ id }) => {
      signIns.end(id)
      return {}
    },
    'signIns.endAll': () => {
      signIns.endAll()
      return {}
    },
  }
}

/** How many jobs are read before yielding to other work. */
const SLICE = 200

async function hasResults(host: WebContext['host'], ids: readonly string[]): Promise<boolean> {
  for (const [n, id] of ids.entries()) {
    if ((await host.results(id)).length > 0) return true
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return false
}

/** The part of an intake request that this shell reads; the host validates the whole. */
const TakenIn = z.object({ paths: z.array(PlaceToken) })

/** Uploads that a request takes in belong to a person from then on; undone if the host refuses the request. */
export async function callHost(
  { host, uploads }: WebContext,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> {
  const taken = channel === 'intake.add' ? TakenIn.safeParse(request) : null
  const undo = taken?.success === true ? uploads.keep(pathsOf({ host }, taken.data.paths)) : () => undefined
  try {
    const result = await host.call(channel, request)
    if (!result.ok) undo()
    return result
  } catch (error) {
    undo()
    throw error
  }
}

/** The paths of the tokens that are still known. */
function pathsOf({ host }: Pick<WebContext, 'host'>, tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => {
    try {
      return [host.places.resolve(token)]
    } catch {
      return []
    }
  })
}

async function answer(handlers: Handlers, name: BrowserCall, request: unknown): Promise<Result<unknown>> {
  try {
    const parsed = browserCalls[name].request.safeParse(request)
    if (!parsed.success) throw new AppError('bad_request', say('request_not_taken', { name }))
    const handler = handlers[name] as (checked: unknown) => unknown
    return { ok: true, value: await handler(parsed.data) }
  } catch (thrown) {
    return { ok: false, error: toAppError(thrown).shape }
  }
}
