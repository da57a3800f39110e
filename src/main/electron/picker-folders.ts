import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Logger } from '../../shared/runtime/ports.ts'
import { readOwnFile, writeOwnFile } from './own-file.ts'

const NAME = 'pickers.json'

/** The dialogs that begin where one of their kind ended last. */
const PickerFolders = z.object({
  files: z.string().optional(),
  folder: z.string().optional(),
  save: z.string().optional(),
  picture: z.string().optional(),
})
export type PickerKind = keyof z.infer<typeof PickerFolders>

export interface PickerFolderFile {
  /** Where a dialog of this kind begins; undefined for where the system has it begin, as when the folder is gone. */
  of(kind: PickerKind): string | undefined
  /** What was not stored is only logged: a dialog is not worth an error. */
  keep(kind: PickerKind, folder: string): void
}

/** The folders that a person chose last, in the data folder: they are of this computer and this person alone. */
export function pickerFolderFile(dataDir: string, log: Logger): PickerFolderFile {
  const path = join(dataDir, NAME)
  const read = (): z.infer<typeof PickerFolders> => PickerFolders.safeParse(readOwnFile(path)).data ?? {}
  return {
    of(kind) {
      const folder = read()[kind]
      return folder !== undefined && isFolder(folder) ? folder : undefined
    },
    keep(kind, folder) {
      try {
        writeOwnFile(path, { ...read(), [kind]: folder })
      } catch (error) {
        log.warn('where a dialog was last could not be stored', { error: String(error) })
      }
    },
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
