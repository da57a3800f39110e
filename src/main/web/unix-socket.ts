import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { chmod, lstat, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { realLinks, takeName } from '../files/take-name.ts'

/** Its user and group may connect: the group is that of the reverse proxy. */
const MODE = 0o660
/** Systems take 104 to 108, and the name that the socket has at first may be longer than its own. */
const MAX_PATH_BYTES = 100

/**
 * Listens on a Unix socket that is removed again before the server closes. One that a killed server left is replaced; anything else at
 * that path stays as it is, also what comes there later. Throws `bad_request` for a path that is in use, is no socket, or where no socket
 * can be made.
 */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<void> {
  // Node removes the path that it listened on, whatever is there by then. And nobody may connect before the mode is right.
  const part = join(dirname(path), `.${randomBytes(3).toString('hex')}`)
  let own: Identity | null = null
  app.addHook('preClose', async () => {
    if (own !== null && isSame(own, await statsOf(path))) await unlink(path)
  })
  try {
    if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw unusable(say('socket_not_made', { path, code: 'ENAMETOOLONG' }))
    await makeRoom(path)
    await app.listen({ path: part })
    await chmod(part, MODE)
    const made = await lstat(part, { bigint: true })
    if ((await takeName(part, path, realLinks)) === 'taken') throw unusable(say('socket_in_use', { path }))
    own = made
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw unusable(say('socket_not_made', { path, code: errorCode(cause) }), cause)
  }
}

type Identity = Pick<BigIntStats, 'dev' | 'ino'>

const isSame = (one: Identity, other: Identity | null) => one.dev === other?.dev && one.ino === other.ino

/** Removes a socket that nobody listens on any more. */
async function makeRoom(path: string): Promise<void> {
  const before = await statsOf(path)
  if (before === null) return
  if (!before.isSocket()) throw unusable(say('socket_is_file', { path }))
  if (!(await isAbandoned(path))) throw unusable(say('socket_in_use', { path }))
  const now = await statsOf(path)
  if (now === null) return
  if (!isSame(before, now)) throw unusable(say('socket_in_use', { path }))
  await unlink(path)
}

async function statsOf(path: string): Promise<BigIntStats | null> {
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
