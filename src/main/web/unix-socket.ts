import { chmodSync } from 'node:fs'
import { lstat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'

/** Its user and group may connect: the group is that of the reverse proxy. */
const MODE = 0o660

/**
 * Listens on a Unix socket that is removed again when the server closes. One that a killed server left is replaced; anything else at
 * that path stays as it is. Throws `bad_request` for a path that is in use, is no socket, or where no socket can be made.
 */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<void> {
  try {
    await makeRoom(path)
    // Before anyone is answered: this comes in the same turn in which the socket appears, or the one after it.
    app.server.once('listening', () => chmodSync(path, MODE))
    await app.listen({ path })
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw unusable(say('socket_not_made', { path, code: errorCode(cause) }), cause)
  }
}

/** Removes a socket that nobody listens on any more. */
async function makeRoom(path: string): Promise<void> {
  const before = await statsOf(path)
  if (before === null) return
  if (!before.isSocket()) throw unusable(say('socket_is_file', { path }))
  if (!(await isAbandoned(path))) throw unusable(say('socket_in_use', { path }))
  const now = await statsOf(path)
  if (now === null) return
  if (now.ino !== before.ino || now.dev !== before.dev) throw unusable(say('socket_in_use', { path }))
  await unlink(path)
}

async function statsOf(path: string) {
  try {
    return await lstat(path, { bigint: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether a connection is refused, which it is only where no program has the socket open any more. */
function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.on('error', (error) => resolve(errorCode(error) === 'ECONNREFUSED'))
  })
}

function unusable(sentence: Sentence, cause?: unknown): AppError {
  return new AppError('bad_request', sentence, { cause })
}
