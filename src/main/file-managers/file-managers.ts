import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { FileManagers, ManagerId, ManagerState } from '../../shared/runtime/ports.ts'
import { toDiskError } from '../files/disk-error.ts'
import { readSmallFile } from '../files/open-regular-file.ts'
import { findProgram } from '../files/find-program.ts'
import type { ManagerFile } from './manager-file.ts'
import { managerFiles, type PersonFolders } from './manager-files.ts'
import { isSealed } from './seal.ts'

/** Larger than any of ours. */
const MAX_BYTES = 100_000

/** What is at the place of one file: nothing, ours as it should be, ours of before, or another's. */
type Found = 'absent' | 'current' | 'older' | 'another'

/**
 * The entries of file managers that start the desktop program `command` (absolute, then arguments) with what is selected. Only
 * files that are as Hangar wrote them are ever replaced or removed. Rejects with the disk's error as an `AppError`.
 */
export function fileManagers(person: PersonFolders, command: readonly string[]): FileManagers {
  const files = managerFiles(person, command)
  const ids = [...new Set(files.map(({ manager }) => manager))]
  const list = async (): Promise<ManagerState[]> => {
    const states: ManagerState[] = []
    for (const id of ids) {
      const found = await Promise.all(files.filter(({ manager }) => manager === id).map(lookAt))
      states.push({ id, isThere: await isThere(id, person), entry: entryOf(found) })
    }
    return states
  }
  return {
    list,
    async install() {
      for (const { id, isThere: canUse } of await list())
        if (canUse) for (const file of files.filter(({ manager }) => manager === id)) await put(file)
      return list()
    },
    async remove() {
      for (const file of files) await take(file)
      return list()
    },
  }
}

function entryOf(found: readonly Found[]): ManagerState['entry'] {
  if (found.includes('another')) return 'another'
  if (found.every((each) => each === 'absent')) return 'absent'
  return found.every((each) => each === 'current') ? 'current' : 'older'
}

async function lookAt({ path, bytes }: ManagerFile): Promise<Found> {
  try {
    const there = await readSmallFile(path, MAX_BYTES)
    if (there === null || !isSealed(there)) return 'another'
    return there.equals(bytes) ? 'current' : 'older'
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'absent'
    throw toDiskError(error, dirname(path))
  }
}

/** A file of another at its place stays, also one that comes there meanwhile. */
async function put(file: ManagerFile): Promise<void> {
  const found = await lookAt(file)
  if (found === 'current') return
  const folder = dirname(file.path)
  const part = join(folder, `.hangar-${randomUUID()}.part`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(part, file.bytes, { flag: 'wx' })
    await chmod(part, file.mode)
    if (found === 'older') await rename(part, file.path)
    else await link(part, file.path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw toDiskError(error, folder)
  } finally {
    await rm(part, { force: true }).catch(() => undefined)
  }
}

async function take(file: ManagerFile): Promise<void> {
  const found = await lookAt(file)
  if (found === 'absent' || found === 'another') return
  try {
    await rm(file.path, { force: true })
    if (file.manager === 'finder') await removeBundle(dirname(file.path))
  } catch (error) {
    throw toDiskError(error, dirname(file.path))
  }
}

/** The folders of the workflow, once nothing is in them. */
async function removeBundle(contents: string): Promise<void> {
  for (const folder of [contents, dirname(contents)]) if ((await readdir(folder)).length === 0) await rmdir(folder)
}

/** Where the system's own file manager cannot be missing, it is there; elsewhere its program has to be on the path. */
async function isThere(id: ManagerId, { env }: PersonFolders): Promise<boolean> {
  if (id === 'finder' || id === 'explorer') return true
  return (await findProgram([], { name: id, env })) !== null
}
