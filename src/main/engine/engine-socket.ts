import { createHash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import type { Socket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'

/*
 * How other processes of this user reach the engine of a data folder. Each request and answer is one line of JSON: a `SocketRequest` of
 * at most MAX_LINE_BYTES, and the call's `Result`. A connection carries one request at a time.
 */

/** `version` is the Hangar that asks: another one may have another contract. */
export const SocketRequest = z.object({ version: z.string(), call: z.string(), request: z.unknown() })
export type SocketRequest = z.infer<typeof SocketRequest>

/** More than the largest call of a command takes: 500 texts of the greatest length. */
export const MAX_LINE_BYTES = 64 * 2 ** 20

export const SOCKET_NAME = '.hangar-socket'

/** The kernels' limits for the path of a socket are 108 bytes (Linux) and 104 (macOS), with a zero at the end. */
const MAX_PATH_BYTES = 103

interface SocketPlace {
  address: string
  /** A folder for this socket alone, made before and removed after; null where the data folder is used, and for a pipe. */
  ownFolder: string | null
}

/** Where the engine of a data folder may listen. They follow from its real path and the user alone: every process finds them. */
export function socketPlaces(dataDir: string): SocketPlace[] {
  const dir = realpathSync(dataDir)
  if (process.platform === 'win32')
    return [{ address: `\\\\.\\pipe\\hangar-${digest(`${homedir()}\n${dir}`.toLowerCase())}`, ownFolder: null }]
  const inside = join(dir, SOCKET_NAME)
  // Not of the environment, which differs between a service, a shell and a desktop.
  const ownFolder = join('/tmp', `hangar-${process.geteuid?.()}-${digest(dir)}`)
  const places = [
    { address: inside, ownFolder: null },
    { address: join(ownFolder, 'socket'), ownFolder },
  ]
  return Buffer.byteLength(inside) > MAX_PATH_BYTES ? places.slice(1) : places
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** Not a link, and nobody else may enter. */
export function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0
}

/** The lines that come, without their ends. Null, as the last, stands for one that is too long; the socket stays open. */
export async function* linesOf(socket: Socket, maxBytes = MAX_LINE_BYTES): AsyncGenerator<string | null, void, void> {
  let parts: Buffer[] = []
  let bytes = 0
  const take = (part: Buffer) => {
    parts.push(part)
    bytes += part.byteLength
  }
  for await (const given of socket.iterator({ destroyOnReturn: false })) {
    let chunk = given as Buffer
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n')) {
      take(chunk.subarray(0, end))
      if (bytes > maxBytes) return yield null
      yield Buffer.concat(parts).toString('utf8')
      ;[parts, bytes, chunk] = [[], 0, chunk.subarray(end + 1)]
    }
    take(chunk)
    if (bytes > maxBytes) return yield null
  }
}
