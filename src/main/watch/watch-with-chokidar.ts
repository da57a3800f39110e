import { watch, type FSWatcher } from 'chokidar'
import type { Stats } from 'node:fs'
import type { WatchTree } from './tree-watch.ts'

/** Symbolic links are not followed, except for `rootDir` itself, which must be a real path. */
export const watchWithChokidar: WatchTree = (options) => {
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
  watcher.on('unlink', (path) => options.onRemoved(path))
  watcher.on('unlinkDir', (path) => options.onRemoved(path))
  // Files may have been added before its watch was set up.
  watcher.on('addDir', () => options.onMissed())
  watcher.on('ready', () => options.onReady())
  watcher.on('error', (error) => options.onError(error))
  return { close: () => watcher.close() }
}
