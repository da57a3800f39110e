import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toDiskError } from './disk-error.ts'

/** Takes the place of what is there, which the person agreed to, only when it is whole. Throws an `AppError`. */
export async function writeText(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.hangar-${randomUUID()}.part`)
  try {
    await writeFile(draft, text, { flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw toDiskError(error, dirname(path))
  }
}
