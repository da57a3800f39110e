import type { ImageFacts, Output } from '../../shared/job.ts'
import type { ConvertFormat, MetadataPolicy, OutputPolicy, OutputType } from '../../shared/recipe.ts'
import type { FailReason } from '../../shared/reasons.ts'
import type { Sidecar, SidecarEdit } from '../../shared/sidecar.ts'

/** A read of a source file. `changing` and `gone` are no failures: the file is being worked on. */
export type SourceRead =
  | {
      kind: 'snapshot'
      bytes: Uint8Array
      realPath: string
      sha256: string
      sizeBytes: number
      mtimeNs: string
      ino: string
    }
  | { kind: 'gone' }
  | { kind: 'changing' }
  | { kind: 'ignored'; why: string }
  | { kind: 'refused'; reason: FailReason; detail: string; sizeBytes: number; mtimeNs: string; ino: string }

export type Inspection =
  | ({ kind: 'image'; dataAfterEnd: boolean } & Omit<ImageFacts, 'sha256'>)
  | { kind: 'refused'; reason: FailReason; detail: string }

/** A file written in full under a hidden name, its hash known, waiting for its final name. */
export interface StagedFile {
  partPath: string
  sha256: string
  sizeBytes: number
}

/** Where the outputs of a source go and what they are called. */
export interface Placement {
  sourcePath: string
  /** The folder that must contain everything written. */
  targetRoot: string
  /** The folder the files go into. */
  targetDir: string
  seoName: string | null
}

export type Shrunk =
  | { kind: 'shrunk'; bytes: Uint8Array; width: number; height: number }
  | { kind: 'refused'; reason: FailReason; detail: string }

export interface ToldOutputs {
  /** The hash of an output by its name. */
  byName: ReadonlyMap<string, string>
  hashes: ReadonlySet<string>
}

/** What the queue needs of the disk and the image worker; `files/` does it, `engine.ts` wires it. */
export interface FilesPort {
  /** `refused` as `too_large` beyond `maxBytes`. */
  readSource(path: string, rootDir: string, maxBytes: number): Promise<SourceRead>
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<Inspection>
  encode(
    bytes: Uint8Array,
    options: { format: ConvertFormat; quality: number; metadata: MetadataPolicy },
    signal: AbortSignal,
  ): Promise<{ kind: 'encoded'; bytes: Uint8Array } | { kind: 'refused'; detail: string }>
  /**
   * A copy of a picture in the same type with at most `maxBytes`: oriented, with its colour profile and nothing else of
   * its metadata, smaller in width and height only as far as it takes. The same content gives the same copy.
   */
  shrink(source: { bytes: Uint8Array; sha256: string }, maxBytes: number, signal: AbortSignal): Promise<Shrunk>
  place(sourcePath: string, rootDir: string, policy: OutputPolicy, seoName: string | null): Placement
  /** Throws `AppError` `disk_full`, `not_writable` or `path_outside_root`; then nothing is left behind. */
  stage(
    place: Placement,
    jobId: string,
    role: Output['role'],
    produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<StagedFile>
  readStaged(staged: StagedFile): Promise<Uint8Array>
  discard(staged: StagedFile): Promise<void>
  /**
   * Gives the staged file the first free name and returns its path. `onPlanned` is awaited before a name is taken.
   * A file at the name is only replaced when `isOwn` gives the hash it has.
   */
  publish(
    place: Placement,
    jobId: string,
    staged: StagedFile,
    role: 'optimized' | 'converted',
    type: OutputType,
    isOwn: (path: string) => string | null,
    onPlanned: (path: string) => Promise<void>,
  ): Promise<string>
  /** Swaps the original for the staged file, with a write-once backup. `changed` when the original is not what it was. */
  replaceOriginal(
    place: Placement,
    staged: StagedFile,
    original: { sha256: string },
    onPlanned: (path: string) => Promise<void>,
  ): Promise<'replaced' | 'changed'>
  /** Whether there is a folder, and not a drive that is away. */
  isFolder(dir: string): Promise<boolean>
  /** Whether the file's bytes have this hash now. */
  hasHash(path: string, sha256: string): Promise<boolean>
  /** Hash and size of a regular file as it is now; null when there is none, or it cannot be read. */
  measure(path: string): Promise<{ sha256: string; sizeBytes: number } | null>
  /** The sidecar of a source, or null. Nothing outside `targetRoot` is read. */
  readSidecar(
    place: Pick<Placement, 'targetRoot' | 'targetDir'>,
    sourceName: string,
  ): Promise<{ path: string; sidecar: Sidecar } | null>
  /**
   * Creates or replaces our own sidecar of this source; edited texts and unknown members survive. Writes and edits of one
   * sidecar take turns, and `make` is asked when it is this one's.
   */
  writeSidecar(
    place: Placement,
    jobId: string,
    make: () => Sidecar,
  ): Promise<{ path: string; sha256: string; sizeBytes: number }>
  /**
   * Puts what a person changed into our own sidecar of this source. `missing`: there is none;
   * `other`: it is about other content than this hash. Throws as `stage` does; then it is as it was.
   */
  editSidecar(
    place: Placement,
    jobId: string,
    sha256: string,
    make: () => SidecarEdit,
  ): Promise<'written' | 'missing' | 'other'>
  /** What the sidecars in a folder list as outputs. Untrusted: it says something about files of this folder only. */
  outputsToldOf(dir: string): Promise<ToldOutputs>
}
