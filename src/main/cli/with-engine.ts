import { setTimeout } from 'node:timers/promises'
import { orThrow } from '../../shared/contract/call.ts'
import type { EngineCall, EngineRequest, EngineResponse } from '../../shared/contract/calls.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { connectToEngine } from '../engine/running-engine.ts'
import { checkDataFolder } from '../journal/check-data-folder.ts'
import { isInUse } from '../journal/data-folder.ts'
import type { Cli } from './command.ts'
import type { Wired } from './wire-command.ts'

/** A Hangar may be starting or ending, or another command may have the folder. */
const PATIENCE_MS = 10_000
const RETRY_MS = 100

/** A failure is thrown. */
export type Ask = <Name extends EngineCall>(name: Name, request: EngineRequest<Name>) => Promise<EngineResponse<Name>>

/** `isRunning`: the engine is another process's, which goes on with what was changed. */
type Work<Value> = (ask: Ask, isRunning: boolean) => Promise<Value>

/**
 * Works with the engine that has the data folder, or opens one that starts no work. Throws `data_folder_in_use` if another process has
 * the folder and does not listen, and `data_folder_unusable`.
 */
export async function withEngine<Value>(cli: Cli, work: Work<Value>): Promise<Value> {
  const done = await withRunningEngine(cli.dataDir, work)
  if (done !== null) return done.value
  // An engine of its own is loaded only here.
  const { withWired } = await import('./wire-command.ts')
  return withWired(cli, (wired) => withEngineOf(wired, work))
}

/** For a command that uses services as well. */
export async function withEngineOf<Value>(wired: Wired, work: Work<Value>): Promise<Value> {
  const done = await withRunningEngine(wired.dataDir, work)
  if (done !== null) return done.value
  const engine = await wired.startEngine({ scope: 'none', watch: false }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'data_folder_in_use') return null
    throw error
  })
  // Another process was quicker.
  if (engine === null) return withEngineOf(wired, work)
  try {
    return await work(askOf(engine), false)
  } finally {
    await engine.stop(0)
  }
}

const askOf =
  (engine: Pick<EnginePort, 'call'>): Ask =>
  async (name, request) =>
    orThrow(engine.call(name, request))

/** Null when no engine runs. */
export async function withRunningEngine<Value>(dataDir: string, work: Work<Value>): Promise<{ value: Value } | null> {
  checkDataFolder(dataDir)
  for (let untilMs = performance.now() + PATIENCE_MS; isInUse(dataDir); await setTimeout(RETRY_MS)) {
    const engine = await connectToEngine(dataDir)
    if (engine === null && performance.now() > untilMs)
      throw new AppError('data_folder_in_use', say('data_folder_in_use'))
    try {
      if (engine !== null) return { value: await work(askOf(engine), true) }
    } catch (error) {
      if (!isEnding(error)) throw error
      // Another process's engine is ending: wait until it has.
      untilMs = performance.now() + PATIENCE_MS
    } finally {
      engine?.close()
    }
  }
  return null
}

const isEnding = (error: unknown): boolean =>
  error instanceof AppError && 'code' in error.sentence && error.sentence.code === 'hangar_stopping'
