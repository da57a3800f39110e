import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { relativeTo } from './real-path.ts'

/** Where Hangar keeps things of its own. Absolute, without symbolic links. */
export interface OwnPlaces {
  /** Null where it does not count, as for the samples that Hangar itself put there. */
  dataDir: string | null
  /** Where uploads go. Pictures there are a person's, also when it lies in the data folder. */
  inboxDir: string | null
}

export const NO_OWN_PLACES: OwnPlaces = { dataDir: null, inboxDir: null }

/** Folders that need not exist any more. */
export function ownPlaces(dataDir: string, inboxDir: string | null): OwnPlaces {
  return { dataDir: realOrSame(dataDir), inboxDir: inboxDir === null ? null : realOrSame(inboxDir) }
}

/** Whether a real path is Hangar's own: its data folder, all in it, and hidden folders such as that of kept originals. */
export function isHangarsOwn(path: string, { dataDir, inboxDir }: OwnPlaces): boolean {
  if (path.split(sep).some((name) => name.startsWith('.hangar-'))) return true
  if (dataDir === null || !isSameOrInside(dataDir, path)) return false
  const hasInbox = inboxDir !== null && relativeTo(dataDir, inboxDir) !== null
  return !(hasInbox && isSameOrInside(inboxDir, path))
}

export function isSameOrInside(dir: string, path: string): boolean {
  return dir === path || relativeTo(dir, path) !== null
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
