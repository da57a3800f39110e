import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toDiskError } from './disk-error.ts'

/** Takes the place of what is there, which the person agreed to, only when it is whole. Throws an `AppError`. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const draft = join(dirname(path), `.hangar-${randomUUID()}.part`)
  try {
    await writeFile(draft, content, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw toDiskError(error, dirname(path))
  }
}
