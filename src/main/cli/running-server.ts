import { request } from 'node:http'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { JOURNAL_NAME } from '../journal/journal.ts'
import { announcedServer, type RunningServer } from '../web/server-note.ts'
import { isInUse } from '../journal/data-folder.ts'
import { readJournal } from '../engine/stored-settings.ts'

const ANSWER_MS = 3000
const About = z.object({ instance: z.string() })

/** The web server running on this data folder; null if there is none, or it does not answer. */
export async function runningServer(dataDir: string): Promise<RunningServer | null> {
  if (!isInUse(dataDir)) return null
  const server = readJournal<RunningServer | null>(dataDir, null, announcedServer)
  if (server === null) return null
  try {
    // A killed server leaves its note behind, and another program may have the port now.
    const { instance } = About.parse(JSON.parse(await about(server)))
    return instance === server.instance ? server : null
  } catch {
    return null
  }
}

/** What the server says of itself. It is asked where it listens, by the name that it answers to. */
function about({ origin, address, port }: RunningServer): Promise<string> {
  // Addresses that stand for all of a computer's are none to connect to everywhere.
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address
  const options = { host, port, path: '/about', headers: { host: new URL(origin).host }, agent: false }
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, signal: AbortSignal.timeout(ANSWER_MS) }, (answer) => {
      answer
        .setEncoding('utf8')
        .toArray()
        .then((parts: string[]) => resolve(parts.join('')), reject)
    })
    asked.on('error', reject).end()
  })
}

/**
 * As `runningServer`, but throws `not_found` if there is none, and `data_folder_unusable` for a folder that only another user may
 * read, so that it is unknown whether a server is running.
 */
export async function mustServe(dataDir: string): Promise<RunningServer> {
  await mustBeUsable(dataDir)
  const server = await runningServer(dataDir)
  if (server !== null) return server
  throw new AppError('not_found', say('cli_no_server'))
}

/** A folder that does not exist is usable. */
async function mustBeUsable(dataDir: string): Promise<void> {
  try {
    await (await opendir(dataDir)).close()
    await (await open(join(dataDir, JOURNAL_NAME), 'r+')).close()
  } catch (cause) {
    const code = errorCode(cause)
    if (code === 'ENOENT') return
    throw new AppError('data_folder_unusable', say('cli_data_folder_forbidden', { dir: dataDir, code }), { cause })
  }
}
