import { readdir, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileManagers, ManagerId, ManagerState } from '../../shared/runtime/ports.ts'
import { toDiskError } from '../files/disk-error.ts'
import { findProgram, placesOnPath } from '../files/find-program.ts'
import { lookAt, putSealed, takeSealed, type Found } from '../files/sealed-file.ts'
import { managerFiles, type ManagerFile, type PersonFolders } from './manager-files.ts'

/**
 * The entries of file managers that start `command`, the desktop program with arguments, with what is selected. Only
 * files that are as Hangar wrote them are replaced or removed. Rejects with the disk's error.
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
        if (canUse) for (const file of files.filter(({ manager }) => manager === id)) await putSealed(file)
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

async function take(file: ManagerFile): Promise<void> {
  const found = await takeSealed(file)
  if (file.manager === 'finder' && (found === 'current' || found === 'older')) await removeBundle(dirname(file.path))
}

/** The folders of the workflow, once nothing is in them. */
async function removeBundle(contents: string): Promise<void> {
  try {
    for (const folder of [contents, dirname(contents)]) if ((await readdir(folder)).length === 0) await rmdir(folder)
  } catch (error) {
    throw toDiskError(error, contents)
  }
}

/** Finder and Explorer are always there; the program of any other has to be on the path. */
async function isThere(id: ManagerId, { env }: PersonFolders): Promise<boolean> {
  if (id === 'finder' || id === 'explorer') return true
  return (await findProgram(placesOnPath(id, env))) !== null
}
