import { lstatSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import type { Result } from '../../shared/contract/call.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { jsonIn } from '../core/read-json.ts'
import { isOwnFolder, linesOf, socketPlaces, type SocketRequest } from './engine-socket.ts'
import { VERSION } from './version.ts'

/** The engine of another process. */
export interface RunningEngine {
  /** One call after the other. Throws `data_folder_in_use` when the engine ends without an answer, having done it or not. */
  call: EnginePort['call']
  close(): void
}

/** Null if no engine listens for the data folder, or none of this user's. */
export async function connectToEngine(dataDir: string): Promise<RunningEngine | null> {
  for (const { address, ownFolder } of socketPlaces(dataDir)) {
    if (!isOwn(address) || (ownFolder !== null && !isOwnFolder(ownFolder))) continue
    const socket = await connected(address)
    if (socket !== null) return engineAt(socket)
  }
  return null
}

function isOwn(address: string): boolean {
  if (process.platform === 'win32') return true
  const found = lstatSync(address, { throwIfNoEntry: false })
  return found?.isSocket() === true && found.uid === process.geteuid?.()
}

function connected(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(socket))
    // Later errors end the iteration over its lines as well.
    socket.on('error', () => resolve(null))
  })
}

function engineAt(socket: Socket): RunningEngine {
  // What an engine of this user answers may be long: a table of texts has up to 50 MB.
  const lines = linesOf(socket, Infinity)
  const nextLine = async () => {
    try {
      return (await lines.next()).value
    } catch {
      return null
    }
  }
  return {
    call: async (call, request) => {
      const asked: SocketRequest = { version: VERSION, call, request }
      socket.write(`${JSON.stringify(asked)}\n`)
      const line = await nextLine()
      if (typeof line !== 'string') throw new AppError('data_folder_in_use', say('hangar_silent'))
      // An engine of this version and this user made it: it is what the contract says.
      return jsonIn(line) as Result<never>
    },
    close: () => socket.destroy(),
  }
}
