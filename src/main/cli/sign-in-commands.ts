import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { openJournal } from '../journal/journal.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { readCode } from '../web/browser-proof.ts'
import { GRANT_MS, Grants } from '../web/grants.ts'
import { linkUrl } from '../web/server-note.ts'
import { signOut, storedSignIns } from '../web/sign-ins.ts'
import { durationText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { columns } from './figures.ts'
import { mustServe } from './running-server.ts'

interface Asked {
  dataDir: string
  json: boolean
}

/** `serve --link`: a link for the server running on this data folder. Throws as `mustServe` does. */
export async function printLink({ terminal }: Cli, { dataDir, json }: Asked): Promise<ExitCode> {
  const { origin } = await mustServe(dataDir)
  const db = openJournal(dataDir)
  try {
    const url = linkUrl(origin, new Grants(db, realClock).newLink())
    if (json) terminal.json({ event: 'link', url })
    else for (const line of linkLines(url)) terminal.out(line)
    return ExitCode.ok
  } finally {
    db.close()
  }
}

export function linkLines(url: string): string[] {
  return [`Open this link within ${GRANT_MS / 60_000} minutes; it works once:`, `  ${url}`]
}

/** `serve --approve CODE`: signs in the browser that shows the code. Throws `bad_request`, `not_found` and as `mustServe` does. */
export async function approveBrowser({ terminal }: Cli, { dataDir, json }: Asked, typed: string): Promise<ExitCode> {
  const code = readCode(typed)
  if (code === null) throw new AppError('bad_request', say('cli_no_code'))
  await mustServe(dataDir)
  const db = openJournal(dataDir)
  try {
    if (!(await new Grants(db, realClock).approve(code)))
      throw new AppError('not_found', say('cli_code_not_shown', { code }))
    if (json) terminal.json({ event: 'approved', code })
    else terminal.out('The browser is signed in.')
    return ExitCode.ok
  } finally {
    db.close()
  }
}

/** `serve --sign-ins`: the signed-in browsers, whether a server is running or not. */
export function printSignIns({ terminal }: Cli, { dataDir, json }: Asked): ExitCode {
  const rows = readJournal(dataDir, [], storedSignIns)
  if (json) for (const { current: _, ...row } of rows) terminal.json({ event: 'signIn', ...row })
  else if (rows.length === 0) terminal.out('No browser is signed in.')
  else {
    const ago = (atMs: number) => `${durationText(Math.max(0, realClock.nowMs() - atMs))} ago`
    const lines = rows.map(({ id, browser, system, origin, signedInAtMs, seenAtMs }) => [
      id,
      `${browser ?? 'a browser'} on ${system ?? 'an unknown system'}`,
      origin,
      `signed in ${ago(signedInAtMs)}`,
      `last seen ${ago(seenAtMs)}`,
    ])
    for (const line of columns(lines)) terminal.out(line)
  }
  return ExitCode.ok
}

/** `serve --sign-out ID` or `all`. Throws `not_found`. */
export function signOutBrowser({ terminal }: Cli, { dataDir, json }: Asked, id: string): ExitCode {
  if (readJournal(dataDir, null, () => true) === null) throw notSignedIn(id)
  const db = openJournal(dataDir)
  try {
    const count = signOut(db, id)
    if (count === 0 && id !== 'all') throw notSignedIn(id)
    if (json) terminal.json({ event: 'signedOut', count })
    else terminal.out(count === 1 ? '1 browser is signed out.' : `${count} browsers are signed out.`)
    return ExitCode.ok
  } finally {
    db.close()
  }
}

const notSignedIn = (id: string) => new AppError('not_found', say('cli_no_such_sign_in', { id }))
