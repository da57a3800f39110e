import type { Result } from '../../shared/contract.ts'
import { AppError, toAppError } from '../../shared/errors.ts'
import {
  SHELL_CHANNELS,
  UI_CHANNELS,
  type CheckedUiRequestOf,
  type ShellChannel,
  type UiResponseOf,
} from '../../shared/ui-contract.ts'
import type { SignIn } from './sign-ins.ts'
import type { WebContext } from './web-context.ts'

type Handlers = {
  [Name in ShellChannel]: (request: CheckedUiRequestOf<Name>) => UiResponseOf<Name> | Promise<UiResponseOf<Name>>
}

/** The calls that this shell answers itself, because they are about its browsers. Null for every other channel. */
export function ownCall(
  context: WebContext,
  signIn: SignIn,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> | null {
  const name = SHELL_CHANNELS.find((known) => known === channel)
  if (name === undefined) return null
  return answer(handlersFor(context, signIn), name, request)
}

function handlersFor(context: WebContext, { id: currentId }: SignIn): Handlers {
  const { signIns, uploads } = context
  return {
    'uploads.discard': async ({ tokens }) => ({ removed: await uploads.discard(pathsOf(context, tokens)) }),
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

/** What an order takes in is a person's own from then on; when the host refuses it, it is as it was. */
export async function callHost(
  { host, uploads }: WebContext,
  channel: string,
  request: unknown,
): Promise<Result<unknown>> {
  const order = channel === 'intake.add' ? UI_CHANNELS[channel].request.safeParse(request) : null
  const undo = order?.success === true ? uploads.settle(pathsOf({ host }, order.data.tokens)) : () => undefined
  try {
    const result = await host.call(channel, request)
    if (!result.ok) undo()
    return result
  } catch (error) {
    undo()
    throw error
  }
}

/** Those that are known still. */
function pathsOf({ host }: Pick<WebContext, 'host'>, tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => {
    try {
      return [host.places.resolve(token)]
    } catch {
      return []
    }
  })
}

async function answer(handlers: Handlers, name: ShellChannel, request: unknown): Promise<Result<unknown>> {
  try {
    const parsed = UI_CHANNELS[name].request.safeParse(request)
    if (!parsed.success) throw new AppError('bad_request', `“${name}” was asked for in a way that Hangar cannot take.`)
    const handler = handlers[name] as (checked: unknown) => unknown
    return { ok: true, value: await handler(parsed.data) }
  } catch (thrown) {
    const { code, message, retryable } = toAppError(thrown)
    return { ok: false, error: { code, message, retryable } }
  }
}
