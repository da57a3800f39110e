import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { isInside } from '../files/real-path.ts'

/** Hangar's own folders. Absolute, without symbolic links. */
export interface OwnPlaces {
  dataDir: string | null
  /** Where uploads go. Pictures there belong to a person, even if it is in the data folder. */
  inboxDir: string | null
}

export const NO_OWN_PLACES: OwnPlaces = { dataDir: null, inboxDir: null }

/** Resolves the folders, which need not exist. */
export function ownPlaces(dataDir: string, inboxDir: string | null): OwnPlaces {
  return { dataDir: realOrSame(dataDir), inboxDir: inboxDir === null ? null : realOrSame(inboxDir) }
}

/** Hangar's own: its data folder and everything in it, and hidden folders such as the kept originals. */
export function isHangarsOwn(path: string, { dataDir, inboxDir }: OwnPlaces): boolean {
  if (path.split(sep).some((name) => name.startsWith('.hangar-'))) return true
  if (dataDir === null || !isInside(dataDir, path)) return false
  const hasInbox = inboxDir !== null && inboxDir !== dataDir && isInside(dataDir, inboxDir)
  return !(hasInbox && isInside(inboxDir, path))
}

/** Samples may be named, as a person's own pictures may; a folder around them does not lead to them. */
export const isSample = (path: string, { dataDir }: OwnPlaces): boolean =>
  dataDir !== null && relative(dataDir, path).startsWith('samples-')

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
