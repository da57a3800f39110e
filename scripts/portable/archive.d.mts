export interface Entry {
  /** In the archive, with `/`. */
  name: string
  file?: string
  bytes?: Buffer
  isProgram: boolean
}
export function tarGz(entries: readonly Entry[]): Buffer
export function zip(entries: readonly Entry[]): Buffer
