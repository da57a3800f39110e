import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { Logger, RecentFolders } from '../../shared/runtime/ports.ts'
import { readOwnFile, writeOwnFile } from './window-bounds.ts'

const NAME = 'recent.json'
/** As many as a menu shows at a glance. */
const MOST = 8

const Stored = z.array(z.string()).catch([])

interface RecentFoldersDeps {
  dataDir: string
  log: Logger
  /** The system's own list of documents. */
  system: { addRecentDocument(path: string): void; clearRecentDocuments(): void }
  platform: NodeJS.Platform
}

/** The folders that a person opened last, newest first, in the data folder and nowhere else but the system's own list. */
export function recentFolders({ dataDir, log, system, platform }: RecentFoldersDeps): RecentFolders {
  const path = join(dataDir, NAME)
  const listeners = new Set<() => void>()
  let folders: readonly string[] = Stored.parse(readOwnFile(path)).slice(0, MOST)
  const become = (next: readonly string[]): void => {
    if (next.length === folders.length && next.every((folder, n) => folder === folders[n])) return
    folders = next
    try {
      writeOwnFile(path, folders)
    } catch (error) {
      log.warn('the recent folders could not be stored', { error: String(error) })
    }
    for (const listener of listeners) listener()
  }
  return {
    list: () => folders,
    add(opened) {
      const added = [...new Set(opened.map((folder) => resolve(folder)))].slice(0, MOST)
      keepRecent(system, platform, added)
      become([...added, ...folders.filter((folder) => !added.includes(folder))].slice(0, MOST))
    },
    forget: (gone) => become(folders.filter((folder) => folder !== gone)),
    clear() {
      if (platform !== 'linux') system.clearRecentDocuments()
      become([])
    },
    onChange: (listener) => {
      listeners.add(listener)
    },
  }
}

/** Folders and pictures that were chosen are among the system's recent documents, where it has such a list for programs. */
export function keepRecent(
  system: Pick<RecentFoldersDeps['system'], 'addRecentDocument'>,
  platform: NodeJS.Platform,
  paths: readonly string[],
): void {
  if (platform === 'linux') return
  // The system shows ten or so; a whole shoot would push everything else out.
  const [first] = paths
  if (first !== undefined) system.addRecentDocument(first)
}
