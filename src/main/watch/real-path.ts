import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'

/** `path` with symbolic links resolved as far as it exists; the rest stays as written. */
export async function realAsFarAsItExists(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const parent = resolve(path, '..')
    return parent === path
      ? path
      : resolve(await realAsFarAsItExists(parent), path.slice(parent.length).replace(/^[/\\]/, ''))
  }
}

/** `path` relative to `root` with `/` between names; null for the root itself and for what is not below it. */
export function relativeTo(root: string, path: string): string | null {
  const prefix = root.endsWith(sep) ? root : root + sep
  if (path.length <= prefix.length || !path.startsWith(prefix)) return null
  const relative = path.slice(prefix.length)
  return sep === '/' ? relative : relative.replaceAll(sep, '/')
}

/** A name in a folder that is relative to a root, and `''` for the root itself. */
export const pathIn = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)
