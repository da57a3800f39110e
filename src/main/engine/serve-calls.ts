import { chmodSync, lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Result } from '../../shared/contract/call.ts'
import { CALLS, type EngineCall } from '../../shared/contract/calls.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { createInFlight } from '../core/in-flight.ts'
import { jsonIn } from '../core/read-json.ts'
import { isOwnFolder, linesOf, MAX_LINE_BYTES, SocketRequest, socketPlaces } from './engine-socket.ts'
import { VERSION } from './version.ts'

const MAX_CONNECTIONS = 100
/** A connection that asks nothing for this long is closed. */
const IDLE_MS = 60_000
/** How long calls that were begun may take when the engine ends. */
const GOODBYE_MS = 3000

interface ServeDeps {
  dataDir: string
  call: EnginePort['call']
  log: Logger
  /** Once it aborts, nothing more is accepted. */
  stopping: AbortSignal
}

/**
 * Answers calls of this user's other processes. Only for the engine that holds the lock: it removes a socket that a killed one left.
 * Returns close, which waits a while for answers.
 */
export async function serveCalls(deps: ServeDeps): Promise<() => Promise<void>> {
  const { log, stopping } = deps
  const [connections, inFlight] = [new Set<Socket>(), createInFlight()]
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    socket.on('error', (error) => log.debug('a command broke its connection', { error: error.message }))
    const answering = serveConnection(socket, (line) => inFlight.run(() => answer(deps, line)))
    answering.catch((error: unknown) => log.debug('a command was not answered', { error: String(error) }))
  })
  server.maxConnections = MAX_CONNECTIONS
  const leave = await listen(server, deps)
  if (leave === null) return async () => undefined
  stopping.addEventListener('abort', leave)
  return async () => {
    leave()
    await Promise.race([inFlight.ended(), setTimeout(GOODBYE_MS, undefined, { ref: false })])
    for (const socket of connections) socket.destroySoon()
  }
}

/** Null when nowhere can be listened; else what ends it. */
async function listen(server: Server, { dataDir, log }: ServeDeps): Promise<(() => void) | null> {
  let why: unknown
  for (const { address, ownFolder } of socketPlaces(dataDir)) {
    try {
      if (ownFolder !== null) makeOwnFolder(ownFolder)
      if (process.platform !== 'win32') removeStale(address)
      await listenAt(server, address)
    } catch (error) {
      why = error
      continue
    }
    server.on('error', (error) => log.error('commands cannot reach this Hangar', { error: error.message }))
    return () => {
      server.close()
      try {
        if (ownFolder !== null) rmdirSync(ownFolder)
      } catch {
        // The next engine uses it, or a person removed it.
      }
    }
  }
  log.warn('commands cannot reach this Hangar while it runs', { error: String(why) })
  return null
}

/** Throws if something else has its name: anybody may make that. */
function makeOwnFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch {
    if (!isOwnFolder(path)) throw new Error(`${path} is not a folder of this user alone`)
  }
}

function removeStale(address: string): void {
  if (lstatSync(address, { throwIfNoEntry: false })?.isSocket() === true) unlinkSync(address)
}

async function listenAt(server: Server, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Only this user may connect, from the first moment on: Node makes the socket before it returns.
    const before = process.platform === 'win32' ? null : process.umask(0o077)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
    if (before !== null) process.umask(before)
  })
  if (process.platform === 'win32') return
  try {
    chmodSync(address, 0o600)
  } catch (error) {
    server.close()
    throw error
  }
}

/** One request after the other; ends the connection after one that is too large. */
async function serveConnection(socket: Socket, answerLine: (line: string | null) => Promise<Result<unknown>>) {
  socket.setTimeout(IDLE_MS, () => socket.destroy())
  for await (const line of linesOf(socket)) {
    socket.setTimeout(0)
    const result = await answerLine(line)
    if (!socket.writable) return
    // Bytes have no form here, and no command asks for any.
    const text = JSON.stringify(result, (_, value: unknown) => (ArrayBuffer.isView(value) ? undefined : value))
    socket.write(`${text}\n`)
    socket.setTimeout(IDLE_MS)
  }
  socket.end()
  // The sender of what was too large has to get to read the answer.
  socket.resume()
}

async function answer({ call, stopping }: ServeDeps, line: string | null): Promise<Result<unknown>> {
  if (stopping.aborted) return refused(stopping.reason as AppError)
  if (line === null) return refused(invalid('request', say('value_at_most', { most: MAX_LINE_BYTES })))
  const { data: asked } = SocketRequest.safeParse(jsonIn(line))
  if (asked === undefined) return refused(invalid('request', say('value_unfit')))
  if (asked.version !== VERSION)
    return refused(new AppError('bad_request', say('other_version_runs', { running: VERSION, asking: asked.version })))
  if (!isForCommands(asked.call)) return refused(new AppError('bad_request', say('call_unknown')))
  const result: Result<unknown> = await call(asked.call, asked.request as never)
  // Its end, and no service, is why a call to one was given up.
  const isCutOff = stopping.aborted && !result.ok && result.error.code === 'service_unreachable'
  return isCutOff ? refused(stopping.reason as AppError) : result
}

/** What only a page may ask stays with pages. */
function isForCommands(name: string): name is EngineCall {
  if (!Object.hasOwn(CALLS, name)) return false
  const { by } = CALLS[name as keyof typeof CALLS]
  return by === 'engine' || by === 'both'
}

const invalid = (where: string, why: ReturnType<typeof say>) =>
  new AppError('bad_request', say('request_invalid', { where, why }))

const refused = (error: AppError): Result<never> => ({ ok: false, error: error.shape })
