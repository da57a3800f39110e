import { z } from 'zod'
import type { Result } from '../../../shared/contract/call.ts'
import { callsWith, type PageContract, type PassedCall } from '../../../shared/contract/calls.ts'
import { AppError, toAppError, type AppErrorShape } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { closedJournal } from '../../journal/journal-trouble.ts'
import { tokenForms } from '../place-forms.ts'
import { appCalls } from './app-calls.ts'
import { jobCalls } from './job-calls.ts'
import { outputCalls, placeCalls } from './place-calls.ts'
import type { PageCallDeps, PageHandlers } from './page-call-deps.ts'

/** Refuses what is not in the contract; never throws. */
export type AnswerPage = (name: string, request: unknown) => Promise<Result<unknown>>

/**
 * Validates a request, runs it here or in the engine, and returns only what the contract allows. Tokens become paths on the way in, and
 * paths become tokens on the way out.
 */
export function createPageCalls(deps: PageCallDeps, recheck: () => void): AnswerPage {
  const contract: PageContract = callsWith(tokenForms(deps.places))
  const handlers: PageHandlers = {
    ...jobCalls(deps),
    ...outputCalls(deps),
    ...placeCalls(deps),
    ...appCalls(deps),
  }

  return async (given, request) => {
    try {
      const call = Object.hasOwn(contract, given) ? contract[given as keyof PageContract] : null
      if (call === null || call.by === 'engine' || call.by === 'browser')
        throw new AppError('bad_request', say('call_unknown'))
      const name = given as keyof PageHandlers
      const parsed = call.request.safeParse(request)
      if (!parsed.success) return { ok: false, error: refusal(name, parsed.error) }
      const handler = handlers[name] as ((checked: unknown) => unknown) | undefined
      const done: Result<unknown> =
        handler === undefined
          ? await deps.engine.perform(name as PassedCall, parsed.data)
          : { ok: true, value: await handler(parsed.data) }
      if (!done.ok) return done
      if ('changesService' in call) recheck()
      const { response }: { response: z.ZodType } = call
      return { ok: true, value: z.encode(response, done.value ?? {}) }
    } catch (thrown) {
      const error = closedJournal(thrown) ?? toAppError(thrown)
      if (error.code === 'internal')
        deps.log.error('a call of a page failed', { channel: given, error: error.cause ?? error.message })
      return { ok: false, error: error.shape }
    }
  }
}

/** The error of an unknown token if nothing else is wrong; other issues are for programmers. */
function refusal(name: string, { issues }: z.ZodError): AppErrorShape {
  const unfit = issues.find((issue) => placeError(issue) === null)
  const place = issues[0] === undefined ? null : placeError(issues[0])
  if (unfit === undefined && place !== null) return place.shape
  const field = unfit?.path.join('.') || name
  return new AppError('bad_request', say('value_not_taken', { field })).shape
}

function placeError(issue: z.core.$ZodIssue): AppError | null {
  const error: unknown = issue.code === 'custom' ? issue.params?.['error'] : undefined
  return error instanceof AppError ? error : null
}
