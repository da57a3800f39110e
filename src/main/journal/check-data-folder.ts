import { lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'

/** What Hangar keeps directly in its data folder, with what SQLite puts beside databases. */
const HANGARS =
  /^(?:(?:journal|lock|practice-jobs)\.db.*|(?:window|pickers)\.json.*|open-hangar\.html|hook-secret|profile|browser|logs|chargers|\.hangar-.*)$/
/** May be a person's own link. */
const LINKABLE = /^(?:inbox|samples-.*|hooks\.json)$/
/** What systems put into any folder or volume, and Chromium into its usual place. */
const SYSTEMS = new Set(['lost+found', '.cache', '.DS_Store', '.localized', 'desktop.ini', 'Crashpad'])

const STICKY_FOR_ALL = 0o1002

interface CheckedFolder {
  mode: number
  /** Whether everything in it is Hangar's: nobody else loses anything when only its owner may enter. */
  isAllOurs: boolean
}

/**
 * Whether this folder may become or stay the data folder; null if there is none. It may be a link; links within it are not followed.
 * Throws `data_folder_unusable` if it is another user's or shared by all, holds other things and no journal, or has planted files.
 */
export function checkDataFolder(dir: string): CheckedFolder | null {
  try {
    const stats = statSync(dir, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (isAnothers(stats.uid)) throw refusal(say('data_folder_anothers', { dir }))
    if (process.platform !== 'win32' && (stats.mode & STICKY_FOR_ALL) === STICKY_FOR_ALL)
      throw refusal(say('data_folder_shared', { dir }))
    const names = readdirSync(dir)
    const name = names.find((one) => !HANGARS.test(one) && !LINKABLE.test(one) && !SYSTEMS.has(one))
    if (name !== undefined && !names.includes('journal.db')) throw refusal(say('data_folder_foreign', { dir, name }))
    for (const one of names) if (HANGARS.test(one)) refusePlanted(join(dir, one))
    return { mode: stats.mode, isAllOurs: name === undefined }
  } catch (error) {
    throw error instanceof AppError ? error : unusable(error)
  }
}

/** Throws `data_folder_unusable` for a link or for another user's file in the place of one of Hangar's; a missing one is fine. */
function refusePlanted(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (stats.isSymbolicLink()) throw refusal(say('data_folder_link', { path }))
  if (stats.uid === 0 || !isAnothers(stats.uid)) return
  // In a folder of that user nothing is planted, and their journal must not be called something to remove.
  const dir = dirname(path)
  const isTheirs = statSync(dir).uid === stats.uid
  throw refusal(isTheirs ? say('data_folder_anothers', { dir }) : say('data_folder_planted', { path }))
}

/** `refusePlanted` for a database and the files beside it: SQLite follows links. */
export function refusePlantedDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '-sent']) refusePlanted(path + suffix)
}

/** What the system says against a data folder, or against the file at `path` in it. */
export function unusable(cause: unknown, path?: string): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const detail = raw(path === undefined ? why : `${path}: ${why}`)
  return new AppError('data_folder_unusable', say('data_folder_unusable', { why: detail }), { cause })
}

const refusal = (sentence: Sentence) => new AppError('data_folder_unusable', sentence)

/** Also for root, whose files that user could not use any more. Windows has no user ids. */
const isAnothers = (uid: number) => process.platform !== 'win32' && uid !== process.geteuid?.()
