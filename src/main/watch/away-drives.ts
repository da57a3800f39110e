import { lstat, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The file system each path was on; '' when unknown. */
export type Devices = Readonly<Record<string, string>>

export async function devicesOf(paths: readonly string[]): Promise<Record<string, string>> {
  const deviceOf = async (path: string) => (await lstat(path, { bigint: true }).catch(() => null))?.dev.toString() ?? ''
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await deviceOf(path)] as const)))
}

/** Paths whose drive appears to be unmounted: unreachable, an empty mount point, or in such a folder. */
export async function awayOf(paths: readonly string[], devices: Devices): Promise<string[]> {
  const isAway = await Promise.all(paths.map((path) => isOnMissingDrive(path, devices[path] ?? '')))
  return paths.filter((_, at) => isAway[at])
}

async function isOnMissingDrive(path: string, device: string): Promise<boolean> {
  try {
    const stats = await lstat(path, { bigint: true })
    const isOther = device !== '' && stats.dev.toString() !== device
    return isOther && stats.isDirectory() && (await readdir(path)).length === 0
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return true
    const beside = await readdir(dirname(path)).catch(() => [])
    return beside.length === 0
  }
}
