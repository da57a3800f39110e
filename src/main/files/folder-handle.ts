import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { isInside, outside } from './real-path.ts'

/**
 * A folder kept open while names in it are changed. On Linux every address goes through its descriptor
 * (`/proc/self/fd/…`), so swapping a parent folder for a link redirects nothing. Elsewhere the real path is used, and
 * `assertUnmoved` detects a swap (docs/decisions/0014-hostile-folders.md).
 */
export interface FolderHandle {
  /** The path as requested: for the journal and messages, never for a system call. */
  readonly path: string
  /** The folder itself, for listing and syncing. */
  readonly self: string
  /** The address of a name in it. Throws `AppError` `path_outside_root` for anything but a plain name. */
  at(name: string): string
  /**
   * A direct subfolder that is not a link, or null when it is missing and `make` is false. Throws as `openFolder` does.
   */
  child(name: string, make: boolean): Promise<FolderHandle | null>
  /** Throws `path_outside_root` if its path now leads out of the root, `not_writable` if it leads to another folder. */
  assertUnmoved(): Promise<void>
  close(): Promise<void>
}

/** Whether a name denotes an entry directly in a folder, and not the folder itself, its parent or another place. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && name === basename(name)
}

/**
 * Opens `dir`, which must be the root or below it. With `make`, missing folders (the root too) are created one level at
 * a time, each in its open parent, but never `existing` and those above it. Rejects with the system's error when it is missing,
 * and with `AppError` `path_outside_root` when its real place is not inside the real root.
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
    return await openAt(root, target, target, 'followed')
  } catch (error) {
    const mayMake = make && (existing === undefined || !isInside(target, resolve(existing)))
    if (!mayMake || errorCode(error) !== 'ENOENT') throw error
  }
  if (target === root) {
    await mkdir(root, { recursive: true })
    return openAt(root, target, target, 'followed')
  }
  const parent = await openFolder(root, dirname(target), { make, existing })
  try {
    await makeIn(parent, basename(target))
    return await openAt(root, target, parent.at(basename(target)), 'followed')
  } finally {
    await parent.close()
  }
}

async function makeIn(parent: FolderHandle, name: string): Promise<void> {
  await mkdir(parent.at(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

async function openAt(
  root: string,
  path: string,
  address: string,
  links: 'followed' | 'refused',
): Promise<FolderHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | (links === 'refused' ? constants.O_NOFOLLOW : 0)
  const handle = process.platform === 'win32' ? null : await open(address, flags)
  try {
    const identity = handle === null ? await folderAt(address, links, path) : await handle.stat({ bigint: true })
    const byDescriptor = handle === null ? null : await descriptorPath(handle, identity)
    const real = byDescriptor === null ? await realpath(address) : await readlink(byDescriptor)
    if (!isInside(await realpath(root), real)) throw outside(path)
    let isOpen = true
    const folder: FolderHandle = {
      path,
      get self() {
        // The number of a closed descriptor may have been reused for another folder.
        if (!isOpen) throw new AppError('internal', say('folder_not_held', { path }))
        return byDescriptor ?? real
      },
      at: (name) => {
        if (!isPlainName(name)) throw outside(join(path, name))
        return join(folder.self, name)
      },
      child: (name, make) => childOf(folder, root, name, make),
      assertUnmoved: async () => {
        const now = await stat(path, { bigint: true })
        if (!isInside(await realpath(root), await realpath(path))) throw outside(path)
        if (!isSame(now, identity)) throw new AppError('not_writable', say('folder_gone', { dir: path }))
      },
      close: async () => {
        isOpen = false
        await handle?.close()
      },
    }
    return folder
  } catch (error) {
    await handle?.close()
    throw error
  }
}

async function childOf(parent: FolderHandle, root: string, name: string, make: boolean): Promise<FolderHandle | null> {
  const path = join(parent.path, name)
  if (make) await makeIn(parent, name)
  try {
    return await openAt(root, path, parent.at(name), 'refused')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ELOOP' || code === 'ENOTDIR') throw outside(path)
    if (code === 'ENOENT' && !make) return null
    throw error
  }
}

/** For systems on which folders cannot be opened. */
async function folderAt(address: string, links: 'followed' | 'refused', path: string): Promise<BigIntStats> {
  const found = await (links === 'refused' ? lstat : stat)(address, { bigint: true })
  if (!found.isDirectory()) throw outside(path)
  return found
}

/** Null where descriptors have no addresses, or where the address leads elsewhere. */
async function descriptorPath(handle: FileHandle, identity: BigIntStats): Promise<string | null> {
  if (process.platform !== 'linux') return null
  const path = `/proc/self/fd/${handle.fd}`
  const found = await stat(`${path}/.`, { bigint: true }).catch(() => null)
  return found !== null && isSame(found, identity) ? path : null
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}
