import type { ManagerId } from '../../shared/runtime/ports.ts'
import type { SealedFile } from '../files/sealed-file.ts'

/** One file that makes a file manager offer Hangar. */
export interface ManagerFile extends SealedFile {
  manager: ManagerId
}
