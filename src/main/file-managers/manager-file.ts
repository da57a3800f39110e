import type { ManagerId } from '../../shared/runtime/ports.ts'

/** One file that makes a file manager offer Hangar. */
export interface ManagerFile {
  manager: ManagerId
  path: string
  /** With its seal. */
  bytes: Buffer
  mode: number
}
