import type { CALLS, CheckedRequest, CheckedResponse, EngineCall } from '../../../shared/contract/calls.ts'
import type { EngineEvent } from '../../../shared/contract/engine-port.ts'
import type { Progress } from '../../../shared/contract/queue.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import type { Chargers } from '../engine-chargers.ts'
import type { EngineData } from '../engine-data.ts'
import type { Queue } from '../engine-queue.ts'
import type { EngineRun } from '../engine-run.ts'
import type { Folders } from '../../intake/watched-folders.ts'
import type { OwnPlaces } from '../../watch/own-places.ts'
import type { RunIntake } from '../../intake/run-intake.ts'

export interface CallsDeps extends EngineRun, EngineData, Queue {
  intake: RunIntake
  folders: Folders
  chargers: Chargers
  own: () => OwnPlaces
  progress: () => Progress
  emit: (event: EngineEvent) => void
}

/** One without a response returns nothing. */
export type Handlers = {
  [Name in EngineCall]: (request: CheckedRequest<Name>) => Promise<Returned<Name>> | Returned<Name>
}
export type Returned<Name extends keyof typeof CALLS> =
  Record<string, never> extends CheckedResponse<Name> ? CheckedResponse<Name> | void : CheckedResponse<Name>

export type HandlersOf<Prefix extends string> = Pick<Handlers, Extract<EngineCall, `${Prefix}.${string}`>>

/** Throws `not_found` for null. */
export function found<Value>(value: Value | null, id: string): Value {
  if (value === null) throw new AppError('not_found', say('id_unknown', { id }))
  return value
}

/** Items visited before yielding to the event loop. */
const SLICE = 200

/** Visits every item without blocking the event loop for long. */
export async function inSlices<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (const [n, item] of items.entries()) {
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
    visit(item)
  }
}
