import { randomUUID } from 'node:crypto'
import { lstat, open, readdir, unlink } from 'node:fs/promises'
import type { FolderHandle } from './folder-handle.ts'
import { readSmallFile } from './regular-file.ts'
import { renameWithRetry } from './take-name.ts'

/** Beside the kept originals of a folder: the id of the Hangar that replaces there. */
const NAME = 'replaced-by'
const MAX_BYTES = 100
/** Since it replaced the last one. */
const HELD_MS = 60 * 60_000
const RENEWED_AFTER_MS = 10 * 60_000

async function found(originals: FolderHandle): Promise<{ id: string; ageMs: number } | null> {
  const address = originals.at(NAME)
  const stats = await lstat(address).catch(() => null)
  if (stats === null) return null
  const bytes = await readSmallFile(address, MAX_BYTES).catch(() => null)
  // A clock that is ahead elsewhere says no more than one that is behind.
  return { id: bytes?.toString('utf8') ?? '', ageMs: Math.abs(Date.now() - stats.mtimeMs) }
}

/** Whether another Hangar has replaced originals in this folder within the hour: two would take each other's results for a person's. */
export async function isHeldByAnother(originals: FolderHandle, me: string): Promise<boolean> {
  const there = await found(originals)
  return there !== null && there.id !== me && there.ageMs < HELD_MS
}

/** Says that this Hangar replaces here. False where another one does. */
export async function holdOriginals(originals: FolderHandle, me: string): Promise<boolean> {
  if (await isHeldByAnother(originals, me)) return false
  const there = await found(originals)
  if (there?.id === me && there.ageMs < RENEWED_AFTER_MS) return true
  const draft = originals.at(`${NAME}.${randomUUID()}.draft`)
  const handle = await open(draft, 'wx', 0o644)
  try {
    await handle.writeFile(me)
  } finally {
    await handle.close()
  }
  await renameWithRetry(draft, originals.at(NAME))
  return (await found(originals))?.id === me
}

/** Once no original is kept there any more. */
export async function leaveOriginals(originals: FolderHandle): Promise<void> {
  const names = await readdir(originals.self)
  if (names.every((name) => name === NAME)) await unlink(originals.at(NAME)).catch(() => undefined)
}
