import { lstat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import type { FileVersion } from '../core/source-read.ts'

/** Distinguishes states of a file without reading it. */
export interface FileSample {
  sizeBytes: number
  mtimeNs: bigint
  /** Changes with every write, even if a copy keeps the source's mtime. */
  ctimeNs: bigint
  ino: bigint
}

export function sampleOf(stats: BigIntStats): FileSample {
  return { sizeBytes: Number(stats.size), mtimeNs: stats.mtimeNs, ctimeNs: stats.ctimeNs, ino: stats.ino }
}

/** As the journal has it. */
export function versionOf({ sizeBytes, mtimeNs, ctimeNs, ino }: FileSample): FileVersion {
  return { sizeBytes, mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, ino: `${ino}` }
}

/** `gone`: no such path. `other`: not a regular file, or it cannot be examined. */
export async function sampleFile(path: string): Promise<FileSample | 'gone' | 'other'> {
  try {
    const stats = await lstat(path, { bigint: true })
    return stats.isFile() ? sampleOf(stats) : 'other'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'other'
  }
}
