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

/** Time for a Hangar that starts to listen, for one that ends, and for other commands, to leave the data folder. */
const PATIENCE_MS = 10_000
const RETRY_MS = 100

/** Makes a call; a failure is thrown. One after the other. */
export type Ask = <Name extends EngineCall>(name: Name, request: EngineRequest<Name>) => Promise<EngineResponse<Name>>

/** What a command does with an engine. `isRunning`: it is another process's, which goes on with what was changed. */
type Work<Value> = (ask: Ask, isRunning: boolean) => Promise<Value>

interface Opened {
  engine: Pick<EnginePort, 'call'>
  isRunning: boolean
  close: () => unknown
}

/**
 * Works with the engine that has the data folder, or opens one here that starts no work. Throws `data_folder_in_use` if another
 * process has the folder and does not listen, and `data_folder_unusable` for a folder that is not this user's.
 */
export async function withEngine<Value>(cli: Cli, work: Work<Value>): Promise<Value> {
  checkDataFolder(cli.dataDir)
  const running = await openRunning(cli.dataDir)
  if (running !== null) return using(running, work, () => withEngine(cli, work))
  // An engine of its own is loaded only here.
  const { withWired } = await import('./wire-command.ts')
  return withWired(cli, (wired) => withEngineOf(wired, work))
}

/** As `withEngine`, for a command that uses services as well. */
export async function withEngineOf<Value>(wired: Wired, work: Work<Value>): Promise<Value> {
  return using(await openEngine(wired), work, () => withEngineOf(wired, work))
}

/** As `withEngine`, but null when no engine runs. Throws `data_folder_unusable` for a folder that is not this user's. */
export async function withRunningEngine<Value>(dataDir: string, work: Work<Value>): Promise<Value | null> {
  checkDataFolder(dataDir)
  const running = await openRunning(dataDir)
  return running === null ? null : using(running, work, () => withRunningEngine(dataDir, work))
}

/** Works again where another process's engine was about to end. */
async function using<Value>(opened: Opened, work: Work<Value>, again: () => Promise<Value>): Promise<Value> {
  try {
    return await closing(opened, work)
  } catch (error) {
    if (!opened.isRunning || !isEnding(error)) throw error
  }
  return again()
}

const isEnding = (error: unknown): boolean =>
  error instanceof AppError && 'code' in error.sentence && error.sentence.code === 'hangar_stopping'

async function closing<Value>({ engine, isRunning, close }: Opened, work: Work<Value>): Promise<Value> {
  try {
    return await work((name, request) => orThrow(engine.call(name, request)), isRunning)
  } finally {
    await close()
  }
}

async function openEngine(wired: Wired): Promise<Opened> {
  const running = await openRunning(wired.dataDir)
  if (running !== null) return running
  try {
    const engine = await wired.startEngine({ scope: 'none', watch: false })
    return { engine, isRunning: false, close: () => engine.stop(0) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    // Another process was quicker.
    return openEngine(wired)
  }
}

/** Null when no process has the data folder. */
async function openRunning(dataDir: string): Promise<Opened | null> {
  for (const untilMs = performance.now() + PATIENCE_MS; isInUse(dataDir); await setTimeout(RETRY_MS)) {
    const engine = await connectToEngine(dataDir)
    if (engine !== null) return { engine, isRunning: true, close: () => engine.close() }
    if (performance.now() > untilMs) throw new AppError('data_folder_in_use', say('data_folder_in_use'))
  }
  return null
}
