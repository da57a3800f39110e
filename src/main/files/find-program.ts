import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** The first of these that is a program, without links: the app knows itself by that path. Null where none is. */
export async function findProgram(places: readonly string[]): Promise<string | null> {
  for (const path of places) if (await isProgram(path)) return realpath(path)
  return null
}

/** Where a program of this name may be by the path. What that names relative to the current folder is not looked at. */
export const placesOnPath = (name: string, env: NodeJS.ProcessEnv): string[] =>
  (env['PATH'] ?? '').split(delimiter).flatMap((folder) => (isAbsolute(folder) ? join(folder, name) : []))

/** Whether this user may run the file. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
