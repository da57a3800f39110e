import { z } from 'zod'
import { AppError } from '../../shared/errors.ts'
import { openJournal } from '../queue/journal.ts'
import { realClock } from '../real-clock.ts'
import { announcedServer, leaveLink, linkUrl, type RunningServer } from '../web/links.ts'
import { isInUse } from './status.ts'
import { readJournal } from '../stored-settings.ts'

const ANSWER_MS = 3000
const About = z.object({ instance: z.string() })

/** The web server that runs on this data folder; null when there is none, or it does not answer. */
export async function runningServer(dataDir: string): Promise<RunningServer | null> {
  if (!isInUse(dataDir)) return null
  const server = readJournal<RunningServer | null>(dataDir, null, announcedServer)
  if (server === null) return null
  try {
    // One that was killed leaves its note behind, and another program may have its port now.
    const answer = await fetch(`http://127.0.0.1:${server.port}/about`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return About.parse(await answer.json()).instance === server.instance ? server : null
  } catch {
    return null
  }
}

/** A fresh link for the server that runs on this data folder, left for it in the journal. Throws `not_found`. */
export async function leaveLinkForServer(dataDir: string): Promise<string> {
  const server = await runningServer(dataDir)
  if (server === null)
    throw new AppError('not_found', 'No Hangar serves a page from this data folder. Start one: hangar serve.')
  const db = openJournal(dataDir)
  try {
    return linkUrl(server.port, leaveLink(db, realClock.nowMs()))
  } finally {
    db.close()
  }
}
