import type { BigIntStats } from 'node:fs'
import { opendir, realpath, stat, statfs } from 'node:fs/promises'
import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { networkFileSystem } from '../core/filesystem-kind.ts'

export type RootFolder =
  | {
      kind: 'there'
      /** Without symbolic links. */
      realRoot: string
      /** Changes when another disk or folder takes its place. */
      identity: string
      /** The name of a file system that does not report changes made by others, or null. */
      network: string | null
    }
  | { kind: 'missing'; why: FolderReason }

/** Checks whether a watched folder exists and can be listed, and which file system it is on. Never rejects. */
export async function findRootFolder(rootDir: string): Promise<RootFolder> {
  try {
    const realRoot = await realpath(rootDir)
    const stats = await stat(realRoot, { bigint: true })
    if (!stats.isDirectory()) return { kind: 'missing', why: folderReason('not_a_folder') }
    await (await opendir(realRoot)).close()
    const { type } = await statfs(realRoot)
    return { kind: 'there', realRoot, identity: identityOf(stats), network: networkFileSystem(type) }
  } catch (error) {
    return { kind: 'missing', why: whyMissing(error) }
  }
}

/** Whether the folder that was found is still at its path: a quarter of the work of finding it. Never rejects. */
export async function isStillThere(
  rootDir: string,
  { realRoot, identity }: RootFolder & { kind: 'there' },
): Promise<boolean> {
  for (const path of new Set([rootDir, realRoot])) {
    const stats = await stat(path, { bigint: true }).catch(() => null)
    if (stats === null || identityOf(stats) !== identity) return false
  }
  return true
}

const identityOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`

/** Why a folder cannot be scanned. */
export function whyMissing(error: unknown): FolderReason {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return folderReason('not_there')
  if (code === 'EACCES' || code === 'EPERM') return folderReason('no_permission')
  if (code === 'EMFILE' || code === 'ENFILE') return folderReason('too_few_files')
  return folderReason('unreadable', { error: code ?? '?' })
}
