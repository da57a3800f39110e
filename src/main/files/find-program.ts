import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * The first of `places`, then of the folders of the path that has `name`, which is a program; null where none is. What the path names
 * relative to the current folder is not looked at. Without links: the app knows itself by that path.
 */
export async function findProgram(
  places: readonly string[],
  byName: { name: string; env: NodeJS.ProcessEnv } | null = null,
): Promise<string | null> {
  const folders =
    byName === null ? [] : (byName.env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  for (const path of [...places, ...folders.map((folder) => join(folder, byName!.name))])
    if (await isProgram(path)) return realpath(path)
  return null
}

/** Whether this user may run the file. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
