import { watch, type FSWatcher } from 'chokidar'
import type { Stats } from 'node:fs'
import { join } from 'node:path'

/** Events of a watch. Only hints: they may be missing, early, duplicated or out of order. */
interface TreeWatchEvents {
  /** A file was added or changed. */
  onTouched(path: string): void
  /** Something about a file changed, perhaps nothing that counts; most changes are reported as `onTouched` too. */
  onStirred(path: string): void
  /** A file or folder is gone, as far as the watch can tell. */
  onRemoved(path: string): void
  /** A folder appeared. */
  onFolderAdded(path: string): void
  /** From now on, changes are reported. */
  onReady(): void
  onError(error: unknown): void
}

export interface TreeWatchOptions extends TreeWatchEvents {
  rootDir: string
  /** `isFolder` is null when the type is not known yet. */
  ignored(path: string, isFolder: boolean | null): boolean
}

/** Starts watching a tree; `close` stops it. Failures, including those at the start, are reported to `onError`. */
export type WatchTree = (options: TreeWatchOptions) => { close(): Promise<void> }

/** Watches with chokidar. Symbolic links are not followed, except for `rootDir` itself, which must be a real path. */
export const watchTreeWithChokidar: WatchTree = (options) => {
  const watcher: FSWatcher = watch(options.rootDir, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // Reports a save through a temporary file as one change. Intake itself checks whether a file is complete.
    atomic: true,
    ignored: (path: string, stats?: Stats) => options.ignored(path, stats === undefined ? null : stats.isDirectory()),
  })
  watcher.on('add', (path) => options.onTouched(path))
  watcher.on('change', (path) => options.onTouched(path))
  // Without an mtime after its atime, chokidar takes a change for one of the atime: also where a program wrote a file that had
  // been read, and set the mtime back.
  watcher.on('raw', (event, name, details) => {
    const { watchedPath } = details as { watchedPath?: string }
    if (event === 'change' && name !== null && watchedPath !== undefined) options.onStirred(join(watchedPath, name))
  })
  watcher.on('unlink', (path) => options.onRemoved(path))
  watcher.on('unlinkDir', (path) => options.onRemoved(path))
  watcher.on('addDir', (path) => options.onFolderAdded(path))
  watcher.on('ready', () => options.onReady())
  watcher.on('error', (error) => options.onError(error))
  return { close: () => watcher.close() }
}
