import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { FailReason } from '../../shared/sentences/reasons.ts'

/** Identifies a version of a file; the times and `ino` are decimal strings, since they do not fit a JSON number. */
export interface FileVersion {
  sizeBytes: number
  mtimeNs: string
  /** Empty where it is not known. */
  ctimeNs: string
  ino: string
}

/** A file as it was when it was found or taken in. */
export interface FileAt extends FileVersion {
  /** Absolute. */
  path: string
}

/** `gone` and `changing` are no failures. `ignored`: not under the root, or no regular file. `refused`: it can never be sent as it is. */
export type SourceRead =
  | ({
      kind: 'snapshot'
      bytes: Uint8Array
      sha256: string
      /** The latest of the file's timestamps, in decimal, including the time it got its name where the file system records that. */
      changedNs: string
    } & FileVersion)
  | { kind: 'gone' }
  | { kind: 'changing' }
  | { kind: 'ignored' }
  | ({ kind: 'refused'; reason: FailReason; detail: Sentence } & FileVersion)
