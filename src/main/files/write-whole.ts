import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toDiskError } from './disk-error.ts'
import { whileOpen } from './regular-file.ts'
import { PRIVATE } from './take-access.ts'
import { renameWithRetry } from './take-name.ts'

/** Writes a file under a hidden name of ours, and once it is whole and synced lets `place` name it. What has the hidden name is removed. */
export async function writeDraft<Placed>(
  draft: string,
  write: (file: FileHandle) => Promise<unknown>,
  place: () => Promise<Placed>,
  mode = PRIVATE,
): Promise<Placed> {
  await rm(draft, { force: true })
  try {
    await whileOpen(await open(draft, 'wx+', mode), async (file) => {
      await write(file)
      await file.sync()
    })
    return await place()
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
}

export const draftBeside = (path: string): string => join(dirname(path), `.hangar-${randomUUID()}.part`)

/** Takes the place of what is there only when it is whole; a link there is replaced, not followed. Throws an `AppError`. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const draft = draftBeside(path)
  await writeDraft(
    draft,
    (file) => file.writeFile(content),
    () => renameWithRetry(draft, path),
    mode,
  ).catch((error: unknown) => {
    throw toDiskError(error, dirname(path))
  })
}
