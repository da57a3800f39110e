import type { FileHandle } from 'node:fs/promises'
import { GIVEN, runOnFiles } from './run-on-files.ts'

/**
 * Gives a file that is still private the extended attributes of another: tags, comments and where it came from. `cp` of the GNU
 * coreutils copies them; without it, and on other systems, they are not kept. Access is not among them, see `takeAccess`.
 */
export async function takeAttributes(file: FileHandle, from: FileHandle): Promise<void> {
  if (process.platform !== 'linux') return
  await runOnFiles('cp', ['--attributes-only', '--preserve=xattr', '--', ...GIVEN], [from, file])
  // File capabilities are attributes too, and only root may set them: what came from a service must not have any. This drops them.
  const { uid, gid } = await file.stat()
  if (process.geteuid?.() === 0) await file.chown(uid, gid)
}

/**
 * Gives a file the time of the last change of another, to the microsecond, as it shows the same picture. Not where the sizes are equal:
 * programs that copy what changed would then miss it.
 */
export async function takeTime(file: FileHandle, from: FileHandle): Promise<void> {
  const [now, { size, atimeNs, mtimeNs }] = await Promise.all([
    file.stat({ bigint: true }),
    from.stat({ bigint: true }),
  ])
  if (now.size !== size) await file.utimes(Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9)
}
