import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, mkdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { networkFileSystem } from '../core/filesystem-kind.ts'
import { checkDataFolder, refusePlantedDatabase, unusable } from './check-data-folder.ts'
import { isBusy } from './journal.ts'

export const LOCK_NAME = 'lock.db'

/** Held while an engine uses the data folder; the operating system drops it with the process, however that ends. */
interface DataFolderLock {
  release(): void
}

/**
 * Creates the folder for its owner only. The access of an existing one is narrowed if everything in it is Hangar's. Throws
 * `data_folder_unusable` for a folder that is not Hangar's, and on a network drive, whose locks SQLite cannot rely on.
 */
export async function prepareDataFolder(dir: string): Promise<void> {
  try {
    await makeFolder(resolve(dir))
    const found = checkDataFolder(dir)
    if (process.platform !== 'win32' && found?.isAllOurs === true && (found.mode & 0o077) !== 0) await chmod(dir, 0o700)
  } catch (error) {
    throw error instanceof AppError ? error : unusable(error)
  }
  const network = networkFileSystem((await statfs(dir)).type)
  if (network !== null) throw new AppError('data_folder_unusable', say('data_folder_on_network', { system: network }))
}

/** One level at a time: Node's `recursive` never returns where even root may create nothing. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await makeLevel(dir)
  } catch (error) {
    const parent = dirname(dir)
    if (errorCode(error) !== 'ENOENT' || parent === dir) throw error
    if (!existsSync(parent)) await makeFolder(parent)
    // Another process that starts at the same time may have made the parent.
    await makeLevel(dir)
  }
}

async function makeLevel(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** `hangar status` and a concurrent start hold the lock for milliseconds. */
const LOCK_TIMEOUT_MS = 500

/**
 * An exclusive transaction on a database of its own: a file with a process id would go stale. Throws `data_folder_in_use` when it is
 * held for longer than `timeoutMs`, and `data_folder_unusable`.
 */
export function lockDataFolder(dir: string, timeoutMs = LOCK_TIMEOUT_MS): DataFolderLock {
  const path = join(dir, LOCK_NAME)
  refusePlantedDatabase(path)
  let db: Database.Database | null = null
  try {
    closeSync(openSync(path, 'a', 0o600))
    db = new Database(path, { timeout: timeoutMs })
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db?.close()
    if (isBusy(cause)) throw new AppError('data_folder_in_use', say('data_folder_in_use'), { cause })
    throw unusable(cause, path)
  }
  const held = db
  return { release: () => held.close() }
}

/** Whether an engine holds the folder: its lock keeps even readers of the lock database out. Creates nothing. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, LOCK_NAME)
  refusePlantedDatabase(path)
  if (!existsSync(path)) return false
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true, timeout: 0 })
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    if (errorCode(error).startsWith('SQLITE_BUSY')) return true
    throw unusable(error, path)
  } finally {
    db?.close()
  }
}
