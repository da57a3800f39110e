import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { constants, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { errorCode } from './disk-error.ts'
import { isInside, outside } from './real-path.ts'

/**
 * One folder, held open while names in it are changed: on Linux every address goes through its descriptor
 * (`/proc/self/fd/…`), so that a parent folder that is swapped for a link leads nowhere. Where the system has no such
 * addresses the real path is used, and `mustStand` is what notices a swap (docs/decisions/0014-hostile-folders.md).
 */
export interface HeldFolder {
  /** As it was asked for: for the journal and for messages, never for a system call. */
  readonly path: string
  /** The folder itself, for listing and syncing. */
  readonly self: string
  /** Where a name in it is. Throws `AppError` `path_outside_root` for what is no plain name. */
  at(name: string): string
  /** A folder directly in it that is no link, or null when it is missing and not to be made. Throws as `holdFolder`. */
  child(name: string, make: boolean): Promise<HeldFolder | null>
  /** Throws `path_outside_root` if its path leads out of the root by now, `not_writable` if to another folder. */
  mustStand(): Promise<void>
  close(): Promise<void>
}

/** Whether a name means a file directly in a folder, and not the folder, its parent or another place. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('\0') && name === basename(name)
}

/**
 * Holds `dir`, which must be the root or below it. With `make` it is made if it is missing, one level at a time, each in
 * its held parent; the root too. Rejects with the system's error when it is missing, and with `AppError`
 * `path_outside_root` when its real place is not inside the real root.
 */
export async function holdFolder(rootDir: string, dir: string, { make = false } = {}): Promise<HeldFolder> {
  const root = resolve(rootDir)
  const target = resolve(dir)
  if (!isInside(root, target)) throw outside(dir)
  try {
    return await held(root, target, target, 'followed')
  } catch (error) {
    if (!make || errorCode(error) !== 'ENOENT') throw error
  }
  if (target === root) {
    await mkdir(root, { recursive: true })
    return held(root, target, target, 'followed')
  }
  const parent = await holdFolder(root, dirname(target), { make })
  try {
    await makeIn(parent, basename(target))
    return await held(root, target, parent.at(basename(target)), 'followed')
  } finally {
    await parent.close()
  }
}

async function makeIn(parent: HeldFolder, name: string): Promise<void> {
  await mkdir(parent.at(name)).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error
  })
}

async function held(root: string, path: string, address: string, links: 'followed' | 'refused'): Promise<HeldFolder> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | (links === 'refused' ? constants.O_NOFOLLOW : 0)
  const handle = process.platform === 'win32' ? null : await open(address, flags)
  try {
    const identity = handle === null ? await folderAt(address, links, path) : await handle.stat({ bigint: true })
    const byDescriptor = handle === null ? null : await descriptorPath(handle, identity)
    const real = byDescriptor === null ? await realpath(address) : await readlink(byDescriptor)
    if (!isInside(await realpath(root), real)) throw outside(path)
    let isOpen = true
    const folder: HeldFolder = {
      path,
      get self() {
        // The number of a closed descriptor may be another folder's by now.
        if (!isOpen) throw new AppError('internal', `The folder ${path} is not held any more.`)
        return byDescriptor ?? real
      },
      at: (name) => {
        if (!isPlainName(name)) throw outside(join(path, name))
        return join(folder.self, name)
      },
      child: (name, make) => childOf(folder, root, name, make),
      mustStand: async () => {
        const now = await stat(path, { bigint: true })
        if (!isInside(await realpath(root), await realpath(path))) throw outside(path)
        if (!isSame(now, identity)) throw new AppError('not_writable', ownSentence('folder_gone', { dir: path }))
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

async function childOf(parent: HeldFolder, root: string, name: string, make: boolean): Promise<HeldFolder | null> {
  const path = join(parent.path, name)
  if (make) await makeIn(parent, name)
  try {
    return await held(root, path, parent.at(name), 'refused')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ELOOP' || code === 'ENOTDIR') throw outside(path)
    if (code === 'ENOENT' && !make) return null
    throw error
  }
}

/** Where folders are not opened. */
async function folderAt(address: string, links: 'followed' | 'refused', path: string): Promise<BigIntStats> {
  const found = await (links === 'refused' ? lstat : stat)(address, { bigint: true })
  if (!found.isDirectory()) throw outside(path)
  return found
}

/** Null where descriptors have no addresses, or only ones that lead elsewhere. */
async function descriptorPath(handle: FileHandle, identity: BigIntStats): Promise<string | null> {
  if (process.platform !== 'linux') return null
  const path = `/proc/self/fd/${handle.fd}`
  const found = await stat(`${path}/.`, { bigint: true }).catch(() => null)
  return found !== null && isSame(found, identity) ? path : null
}

function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}
