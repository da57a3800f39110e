/** Error codes of a watch that ran out of handles. */
export const EXHAUSTED: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** The events are only hints: they may be missing, early, duplicated or out of order. */
export interface TreeWatchOptions {
  rootDir: string
  /** `isFolder` is null when the type is not known yet. */
  ignored(path: string, isFolder: boolean | null): boolean
  /** A file was added or changed. */
  onTouched(path: string): void
  /** A file or folder is gone, as far as the watch can tell; the root itself may be another one now. */
  onRemoved(path: string): void
  /** Something may have come, gone or changed that is not told of: a scan finds it. */
  onMissed(): void
  /** From now on, changes are reported. */
  onReady(): void
  onError(error: unknown): void
}

/** Starts watching a tree; `close` stops it. Failures, including those at the start, are reported to `onError`. */
export type WatchTree = (options: TreeWatchOptions) => { close(): Promise<void> }
