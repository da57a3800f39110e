import { chmod, mkdir, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { networkFileSystem } from '../core/filesystem-kind.ts'
import { isBusy } from './journal.ts'

/** Held while an engine uses the data folder; the operating system drops it with the process, however that ends. */
interface DataFolderLock {
  release(): void
}

/**
 * Creates the folder (readable by its owner only) and refuses places where SQLite's locks cannot be relied on.
 * Throws `data_folder_unusable`.
 */
export async function prepareDataFolder(dir: string): Promise<void> {
  try {
    await makeFolder(resolve(dir))
    if (process.platform !== 'win32') await chmod(dir, 0o700)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('data_folder_unusable', say('data_folder_unusable', { why: raw(why) }), { cause })
  }
  const network = networkFileSystem((await statfs(dir)).type)
  if (network !== null) throw new AppError('data_folder_unusable', say('data_folder_on_network', { system: network }))
}

/** One level at a time: `mkdir` with `recursive` never returns in Node where even root may create nothing. */
async function makeFolder(dir: string): Promise<void> {
  try {
    await makeLevel(dir)
  } catch (error) {
    const parent = dirname(dir)
    if (errorCode(error) !== 'ENOENT' || parent === dir) throw error
    if (!(await isThere(parent))) await makeFolder(parent)
    // Try again in any case: another process starting at the same time may have just made the parent.
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

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const errorCode = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null)

/** `hangar status` and a concurrent start hold the lock for milliseconds, an engine for as long as it runs. */
const LOCK_TIMEOUT_MS = 500

/**
 * One engine at a time: an exclusive transaction on a database of its own, because files with process ids go stale.
 * Of several that start at once, one gets it. Throws `data_folder_in_use` when it is held for longer than `timeoutMs`.
 */
export function lockDataFolder(dir: string, timeoutMs = LOCK_TIMEOUT_MS): DataFolderLock {
  const db = new Database(join(dir, 'lock.db'), { timeout: timeoutMs })
  try {
    // Memory journal: the lock database never holds anything, so nothing of it must survive.
    db.pragma('journal_mode = MEMORY')
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    if (isBusy(cause)) throw new AppError('data_folder_in_use', say('data_folder_in_use'), { cause })
    throw cause
  }
  return { release: () => db.close() }
}
