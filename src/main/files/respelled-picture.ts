import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { collisionKey } from '../core/naming.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { sidecarKey, type SidecarIndex } from './sidecar-index.ts'

/** Sidecars from before a picture was renamed in case or normal form alone: of the same content, and no other file has that name. */
export async function sidecarsBefore(
  index: SidecarIndex,
  { sourcePath, targetDir }: { sourcePath: string; targetDir: string },
  sha256: string,
): Promise<string[]> {
  const stats = await lstat(sourcePath, { bigint: true }).catch(() => null)
  if (stats === null) return []
  const changedNs = stats.mtimeNs > stats.ctimeNs ? stats.mtimeNs : stats.ctimeNs
  const { sidecars } = await index.outputsIn(targetDir, changedNs)
  const names: string[] = []
  for (const { name, sourceName } of sidecars.get(sidecarKey(basename(sourcePath), sha256)) ?? [])
    if (sourceName === basename(sourcePath) || (await isRespelled(join(dirname(sourcePath), sourceName), sourcePath)))
      names.push(name)
  return names
}

/** Whether two paths differ in case or normal form of the name alone, and may be one file. */
export async function isRespelled(earlier: string, now: string): Promise<boolean> {
  const [from, to] = [basename(earlier), basename(now)]
  if (from === to || dirname(earlier) !== dirname(now) || collisionKey(from) !== collisionKey(to)) return false
  return isGoneOrSame(earlier, now)
}

/** Both of them absolute, or both addresses in a `FolderHandle`. */
export async function isGoneOrSame(earlier: string, now: string): Promise<boolean> {
  try {
    const before = await lstat(earlier, { bigint: true })
    const after = await lstat(now, { bigint: true })
    return before.dev === after.dev && before.ino === after.ino
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}
