import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toDiskError } from './disk-error.ts'
import { renameWithRetry } from './take-name.ts'

/** Takes the place of what is there only when it is whole; a link there is replaced, not followed. Throws an `AppError`. */
export async function writeWhole(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const draft = join(dirname(path), `.hangar-${randomUUID()}.part`)
  try {
    await writeFile(draft, content, { flag: 'wx', mode })
    await renameWithRetry(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw toDiskError(error, dirname(path))
  }
}
