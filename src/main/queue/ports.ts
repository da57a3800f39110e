import type { Output } from '../../shared/jobs/job.ts'
import type { OutputPolicy, OutputType, UploadType } from '../../shared/recipes/recipe.ts'
import type { Sidecar, SidecarEdit, SidecarText } from '../../shared/jobs/sidecar.ts'
import type { AnswerTo, CopyOptions, HashedBytes, PicturePort } from '../core/picture-tasks.ts'
import type { ListedOutputs, OwnResult, StagedFile } from '../core/published-output.ts'
import type { NamedResult, NameFacts } from '../core/result-name.ts'
import type { SourceRead } from '../core/source-read.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'

/** Where the outputs of a source go, and their names. */
export interface Placement {
  sourcePath: string
  /** The outputs get the access of this file only, and are private where another has its name. */
  source?: { ino: string; sha256: string }
  /** The folder that must contain everything written. */
  targetRoot: string
  /** The folder of the sidecar and the results, which a template may put into folders below (`resultDir`). */
  targetDir: string
  /** What the results are named after; null where none is written. */
  names: NameFacts | null
}

/** What the queue needs of the disk and the image worker (`engine/engine-files.ts`). */
export interface FilesPort {
  /** Max pictures decoded or encoded concurrently; more are queued. */
  readonly imageWorkers: number
  /** `refused` as `too_large` beyond `maxBytes`, or for types that the service does not take beyond `MAX_SOURCE_BYTES`. */
  readSource(path: string, rootDir: string, maxBytes: number): Promise<SourceRead>
  readonly pictures: Omit<PicturePort, 'shrink'>
  /** The same content gives the same copy. */
  shrink(source: HashedBytes, wanted: CopyOptions, signal?: AbortSignal): Promise<AnswerTo<'shrink'>>
  /** Keeps a file that was not taken for a result, for a person to look at. */
  setAside(jobId: string, served: Uint8Array, type: UploadType): Promise<void>
  place(sourcePath: string, rootDir: string, policy: OutputPolicy, names: NameFacts | null): Placement
  /** The folder that a result goes into, which may have to be created. */
  resultDir(place: Placement, result: NamedResult): Promise<string>
  /** Why a folder below the target folder cannot hold results; null if it can, or can be created. */
  whyNoFolder(place: Placement, dir: string): Promise<Sentence | null>
  /** Throws `disk_full`, `too_few_files`, `not_writable` or `path_outside_root`, leaving nothing behind. `width`: of a variant. */
  stage(
    place: Placement,
    jobId: string,
    role: Output['role'],
    produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
    width?: number,
  ): Promise<StagedFile>
  readStaged(staged: StagedFile): Promise<Uint8Array>
  discard(staged: StagedFile): Promise<void>
  /** Gives the staged file the first free name, after `onPlanned`. An existing file is replaced only if `isOwn` returns its hash. */
  publish(
    place: Placement,
    staged: StagedFile,
    role: 'optimized' | 'converted' | 'variant',
    type: OutputType,
    isOwn: (path: string) => Promise<string | null>,
    onPlanned: (path: string) => Promise<void>,
  ): Promise<string>
  /** Replaces our own file at `place.sourcePath`, unless its hash is no longer `recorded`. `onPlanned` is awaited before it is touched. */
  exchange(
    place: Placement,
    staged: StagedFile,
    recorded: string,
    onPlanned: () => Promise<void>,
  ): Promise<'exchanged' | 'changed'>
  /** Why the original could not be replaced, or not without taking access from someone; null when it could. */
  whyNotReplaceable(place: Placement, jobId: string): Promise<Sentence | null>
  /** Replaces the original, with a write-once backup. `refused`: someone would lose access, and nothing was done. */
  replaceOriginal(
    place: Placement,
    staged: StagedFile,
    original: { sha256: string },
    onPlanned: (path: string) => Promise<void>,
  ): Promise<'replaced' | 'changed' | { refused: Sentence }>
  /**
   * Gives one of our own results the first free one of `names`; null for a file that is gone or has other bytes. `onPlanned` is awaited
   * before the file is touched. Throws `name_taken` and as `stage` does.
   */
  rename(
    file: OwnResult,
    names: (n: number, room: number) => string,
    onPlanned: (path: string) => Promise<void>,
  ): Promise<string | null>
  /** After a crash in `rename`: whether the result is called `to` now. If it has both names, it loses the old one. */
  finishRename(file: OwnResult, to: string): Promise<boolean>
  /** How many bytes a name in the target folder may have, also before the folder exists. */
  nameRoom(place: Placement): Promise<number>
  /** Whether a picture was renamed in case or normal form alone, and is not a copy. */
  isRespelled(earlier: string, now: string): Promise<boolean>
  /** Whether the folder exists, which it does not while its drive is unmounted. */
  isFolder(dir: string): Promise<boolean>
  /** Whether the file's bytes currently have this hash. */
  hasHash(path: string, sha256: string): Promise<boolean>
  /** Null when there is no regular file, it cannot be read, or it is really outside `rootDir`. */
  measure(path: string, rootDir?: string): Promise<{ sha256: string; sizeBytes: number } | null>
  /** The sidecar of a source's content; else, with `isEarlier`, the one of other content that `writeSidecar` would replace. */
  readSidecar(
    place: Placement,
    sha256: string,
    isEarlier?: (path: string) => boolean,
  ): Promise<{ path: string; sidecar: Sidecar } | null>
  /**
   * Creates or replaces our own sidecar of this content, in place of one of other content if `isEarlier`; edited texts and unknown members
   * are kept with the content they are about. `make` is called when it is this write's turn. `hasEarlierWords`: it holds a person's words
   * about earlier content; `setAside`: those that this write has put there.
   */
  writeSidecar(
    place: Placement,
    jobId: string,
    make: () => Sidecar,
    isEarlier: (path: string) => boolean,
  ): Promise<{
    path: string
    sha256: string
    sizeBytes: number
    hasEarlierWords: boolean
    setAside: readonly SidecarText[]
  }>
  /** Writes a person's changes into our own sidecar. `other`: there are only sidecars of other content. Throws as `stage` does. */
  editSidecar(
    place: Placement,
    jobId: string,
    sha256: string,
    make: () => SidecarEdit,
  ): Promise<'written' | 'missing' | 'other'>
  /** What the sidecars in a folder list there and below: untrusted. What was read after a file with `changedNs` arrived may be reused. */
  listedOutputs(dir: string, changedNs?: string): Promise<ListedOutputs>
}
