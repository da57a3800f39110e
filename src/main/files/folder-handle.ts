import { lstat, mkdir, opendir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { isInside, outside } from './real-path.ts'

/**
 * A folder in which names are changed: checked once to be inside its root, then used by its real path
 * (docs/decisions/0014-hostile-folders.md).
 */
export interface FolderHandle {
  /** The path as requested: for the journal and messages, never for a system call. */
  readonly path: string
  /** The folder itself, for listing and syncing. */
  readonly self: string
  /** The address of a name in it. Throws `AppError` `path_outside_root` for anything but a plain name. */
  at(name: string): string
  /** A direct subfolder that is not a link, or null when it is missing. Throws as `openFolder` does. */
  child(name: string): Promise<FolderHandle | null>
  /** Throws `path_outside_root` if its path now leads out of the root, `not_writable` if to another folder, as where a drive has gone. */
  assertUnmoved(): Promise<void>
}

/** Whether a name denotes an entry directly in a folder, and not the folder itself, its parent or another place. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && name === basename(name)
}

/**
 * Finds `dir`, which must be the root or below it. With `make`, missing folders are created, but never `existing` and those above it. Rejects
 * with the system's error when it is missing, and with `path_outside_root` when its real place is not inside the real root.
 */
export async function openFolder(
  rootDir: string,
  dir: string,
  { make = false, existing }: { make?: boolean; existing?: string | undefined } = {},
): Promise<FolderHandle> {
  const root = resolve(rootDir)
  const target = resolve(dir)
  if (!isInside(root, target)) throw outside(dir)
  try {
    return await folderAt(root, target)
  } catch (error) {
    const mayMake = make && (existing === undefined || !isInside(target, resolve(existing)))
    if (!mayMake || errorCode(error) !== 'ENOENT') throw error
  }
  if (target === root) await mkdir(root, { recursive: true })
  else {
    const parent = await openFolder(root, dirname(target), { make, existing })
    await mkdir(parent.at(basename(target))).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  }
  return folderAt(root, target)
}

/** `openFolder`, but null for a folder that is missing. */
export async function openIfThere(rootDir: string, dir: string): Promise<FolderHandle | null> {
  return openFolder(rootDir, dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null
    throw error
  })
}

async function folderAt(root: string, path: string): Promise<FolderHandle> {
  const self = await realpath(path)
  if (!isInside(await realpath(root), self)) throw outside(path)
  // Only a folder that this user may list.
  await (await opendir(self)).close()
  const identity = await stat(self, { bigint: true })
  const folder: FolderHandle = {
    path,
    self,
    at: (name) => {
      if (!isPlainName(name)) throw outside(join(path, name))
      return join(self, name)
    },
    child: async (name) => {
      const found = await lstat(folder.at(name)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error
        return null
      })
      if (found?.isDirectory() === false) throw outside(join(path, name))
      return found && folderAt(root, join(path, name))
    },
    assertUnmoved: async () => {
      const now = await stat(path, { bigint: true })
      if (!isInside(await realpath(root), await realpath(path))) throw outside(path)
      if (now.ino !== identity.ino || now.dev !== identity.dev)
        throw new AppError('not_writable', say('folder_gone', { dir: path }))
    },
  }
  return folder
}
