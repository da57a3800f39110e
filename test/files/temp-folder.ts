import { lstat, readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import type { LinkPort } from '../../src/main/files/take-name.ts'
import { folderForTest } from '../temp-folder.ts'

/** A fresh folder that is gone after the test. */
export const tempFolder = async (): Promise<string> => folderForTest()

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What must not change in a file that is not ours: bytes, time, inode. */
export async function fingerprint(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true })
  return `${sha256(await readFile(path))} ${stats.mtimeNs} ${stats.ino}`
}

/** A file system on which there are no hard links, and the error that it has for them. */
export const withoutLinks = (code: string): LinkPort => ({
  link: () => Promise.reject(Object.assign(new Error('no links here'), { code })),
})

/** An id like the engine gives to jobs. */
export const jobId = (n: number): string => `01HQ0000000000000000000${String(n).padStart(3, '0')}`
