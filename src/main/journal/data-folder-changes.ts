import { watch, type FSWatcher } from 'node:fs'
import process from 'node:process'

/** The shortest time between two looks; while pictures are processed, the folder changes all the time. */
const LEAST_MS = 1000
/** No event tells that a folder above was moved, or that others were lost. */
const ANYWAY_MS = 60_000

/**
 * Calls `look` soon, and after every change in the data folder, whichever process made it, though at most once a second.
 * While nothing changes nothing runs. Where the system tells of no changes, `look` is called every second; so it is outside
 * of Linux, where nobody has tried yet whether writes to the journal are told at once. Returns stop.
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
      Math.max(0, lookedAtMs + LEAST_MS - performance.now()),
    )
  }
  const watcher = watchFolder(dataDir, soon)
  const anyway = setInterval(soon, watcher === null ? LEAST_MS : ANYWAY_MS)
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
