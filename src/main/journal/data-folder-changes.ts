import { watch, type FSWatcher } from 'node:fs'
import process from 'node:process'

/** While pictures are processed, the folder changes all the time. */
const MIN_GAP_MS = 1000
/** No event tells that a folder above was moved, or that events were lost. */
const MAX_GAP_MS = 60_000

/**
 * Calls `look` soon, and after every change in the data folder by any process, at most once a second. Without events from the system,
 * and outside of Linux, where they are untried, it is called every second. Returns stop.
 */
export function onDataFolderChange(dataDir: string, look: () => void): () => void {
  let next: NodeJS.Timeout | null = null
  let lookedAtMs = performance.now()
  const soon = () => {
    next ??= setTimeout(
      () => {
        next = null
        lookedAtMs = performance.now()
        look()
      },
      Math.max(0, lookedAtMs + MIN_GAP_MS - performance.now()),
    )
  }
  const watcher = watchFolder(dataDir, soon)
  const anyway = setInterval(soon, watcher === null ? MIN_GAP_MS : MAX_GAP_MS)
  soon()
  return () => {
    watcher?.close()
    clearInterval(anyway)
    if (next !== null) clearTimeout(next)
  }
}

/** Null where there are no events. */
function watchFolder(dir: string, onChange: () => void): FSWatcher | null {
  if (process.platform !== 'linux') return null
  try {
    return watch(dir, onChange).on('error', () => undefined)
  } catch {
    // For example, the system allows no more watches.
    return null
  }
}
