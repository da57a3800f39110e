import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { openJournal } from '../journal/journal.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { linkUrl, LINK_MS, newLink, signOutAll } from '../web/sign-ins.ts'
import type { Cli, Terminal } from './terminal.ts'
import { withRunningEngine } from './with-engine.ts'
import { chooseDataDir } from '../engine/data-dir.ts'

/** The origin of the server that runs on this data folder; null if none does. Throws as `withRunningEngine` does. */
export async function servedAt(dataDir: string): Promise<string | null> {
  return (await withRunningEngine(dataDir, (ask) => ask('app.origin', {})))?.origin ?? null
}

/** `serve --link`: a link for the server running on this data folder. Throws `not_found` if there is none. */
export async function printLink({ terminal }: Cli, dataDir: string): Promise<ExitCode> {
  const origin = await servedAt(dataDir)
  if (origin === null) throw new AppError('not_found', say('cli_no_server'))
  const db = openJournal(dataDir)
  try {
    sayLink(terminal, linkUrl(origin, newLink(db, realClock)))
    return ExitCode.ok
  } finally {
    db.close()
  }
}

export function sayLink(terminal: Terminal, url: string): void {
  terminal.json({ event: 'link', url })
  terminal.out(`Open this link within ${LINK_MS / 60_000} minutes; it works once:`)
  terminal.out(`  ${url}`)
}

/** `serve --sign-out`, whether a server is running or not. */
export function signOut({ terminal }: Cli, dataDir: string): ExitCode {
  let count = 0
  if (readJournal(dataDir, false, () => true)) {
    const db = openJournal(dataDir)
    try {
      count = signOutAll(db)
    } finally {
      db.close()
    }
  }
  terminal.json({ event: 'signedOut', count })
  terminal.out(count === 1 ? '1 browser is signed out.' : `${count} browsers are signed out.`)
  return ExitCode.ok
}

const PLAIN = /^[\w@%+=:,./-]+$/
const PLAIN_ON_WINDOWS = /^[\w@+=:,.\\/-]+$/

/**
 * A command line of this program as a person types it in any terminal, for this data folder. `HANGAR_RUN_AS` says how the
 * program is started where `hangar` is no command of the system, as in a checkout.
 */
export function typedCommand(args: readonly string[], { dataDir, env, platform = process.platform }: Where): string {
  const isDefault = dataDir === chooseDataDir(undefined, { ...env, HANGAR_DATA_DIR: undefined })
  const all = [...args, ...(isDefault ? [] : ['--data-dir', dataDir])].map((part) => quoted(part, platform))
  return [env['HANGAR_RUN_AS'] ?? 'hangar', ...all].join(' ')
}

interface Where {
  dataDir: string
  env: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
}

/** As one word for the shell of a terminal: POSIX, or Windows' own (where a path cannot hold a quotation mark). */
export function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return PLAIN_ON_WINDOWS.test(word) ? word : `"${word}"`
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
