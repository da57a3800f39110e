export interface Entry {
  /** In the archive, with `/`. */
  name: string
  file?: string
  bytes?: Buffer
  isProgram?: boolean
  /** Runs as its owner, root. */
  isSetuid?: boolean
}
export const MADE_S: number
export function tarGz(entries: readonly Entry[], level?: number): Buffer
export function zip(entries: readonly Entry[]): Buffer
export function ar(members: readonly { name: string; bytes: Buffer }[]): Buffer
