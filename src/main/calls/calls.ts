import { dirname, resolve } from 'node:path'
import { CHANNELS, type Channel, type RequestOf, type ResponseOf, type Result } from '../../shared/contract.ts'
import { AppError, toAppError } from '../../shared/errors.ts'
import { restoreOriginals } from '../engine-files.ts'
import type { Order } from '../queue/orders.ts'
import { batchCalls } from './batch-calls.ts'
import type { CallsDeps, Handlers } from './call-deps.ts'
import { chargerCalls } from './charger-calls.ts'
import { viewCalls } from './charger-keeping.ts'
import { creditCalls } from './credit-calls.ts'
import { folderCalls } from './folder-calls.ts'
import { jobCalls } from './job-calls.ts'
import { keyCalls } from './key-calls.ts'
import { queueCalls } from './queue-calls.ts'
import { recipeCalls } from './recipe-calls.ts'

export interface Calls {
  call<Name extends Channel>(channel: Name, request: RequestOf<Name>): Promise<Result<ResponseOf<Name>>>
  /** An order that another process left in the journal. */
  carryOut(order: Order): Promise<void>
}

/** The engine's side of the contract: checks what comes in, does it, and turns every failure into a value. */
export function createCalls(deps: CallsDeps): Calls {
  const handlers: Handlers = {
    ...jobCalls(deps),
    ...queueCalls(deps),
    ...batchCalls(deps),
    ...folderCalls(deps),
    ...creditCalls(deps),
    ...keyCalls(deps),
    ...recipeCalls(deps),
    ...chargerCalls(deps),
    ...viewCalls(deps),
    'originals.restore': ({ paths, force }) => {
      const files = paths.map((given) => {
        const path = resolve(given)
        const [job] = deps.context.store.list({ path, newestFirst: true, limit: 1 })
        return { path, rootDir: job?.rootDir ?? dirname(path) }
      })
      return restoreOriginals(files, force)
    },
  }
  const call: Calls['call'] = async (channel, request) => {
    try {
      const parsed = CHANNELS[channel].request.safeParse(request)
      if (!parsed.success) {
        const issue = parsed.error.issues[0]
        throw new AppError('bad_request', `${issue?.path.join('.') ?? channel}: ${issue?.message ?? 'not valid'}`)
      }
      const handler = handlers[channel] as (checked: unknown) => unknown
      return { ok: true, value: (await handler(parsed.data)) as never }
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'internal') deps.context.log.error('a call failed', { channel, error: error.message })
      return { ok: false, error: { code: error.code, message: error.message, retryable: error.retryable } }
    }
  }
  return { call, carryOut: (order) => carryOut(deps, call, order) }
}

async function carryOut(deps: CallsDeps, call: Calls['call'], order: Order): Promise<void> {
  const { kind } = order
  const here = (ids: string[]) => ids.filter((id) => deps.context.store.get(id) !== null)
  if ('ids' in order && here(order.ids).length < order.ids.length) {
    deps.context.log.warn('an order names pictures that are not in the journal any more', { order: kind })
    return carryOut(deps, call, { ...order, ids: here(order.ids) })
  }
  const result = await carryOutCall(deps, call, order)
  // The command that asked for it has ended: the window and "hangar status" report the failure.
  if (!result.ok) throw new AppError(result.error.code, result.error.message)
}

async function carryOutCall(deps: CallsDeps, call: Calls['call'], order: Order): Promise<Result<unknown>> {
  switch (order.kind) {
    case 'retry':
      return call('jobs.retry', order)
    case 'resolve':
      return call('jobs.resolve', order)
    case 'cancel':
      return call('jobs.cancel', order)
    case 'confirm':
      return call('batches.confirm', { id: order.batchId })
    case 'remove_folder':
      return call('folders.remove', { id: order.id })
    case 'stop_waiting':
      return call('batches.stopWaiting', { id: null })
    case 'pause':
      return call('queue.pause', {})
    case 'resume':
      return call('queue.resume', {})
    case 'keys':
      await deps.lanes.refresh()
      deps.chargers.book.keyChanged()
      return { ok: true, value: {} }
  }
}
