import { isAbsolute, resolve } from 'node:path'
import type { Folder } from '../../shared/contract/folders.ts'
import { libraryOn } from '../../shared/jobs/foreign-folders.ts'
import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { BadPattern, createPathFilter } from './path-filter.ts'
import { isHangarsOwn, type OwnPlaces } from './own-places.ts'
import { isInside } from '../files/real-path.ts'
import { realAsFarAsItExists } from './real-path.ts'

/** What decides whether a watched folder can be watched beside others. */
export interface PlacedFolder {
  /** Absolute. Need not exist at the moment. */
  rootDir: string
  include: string[]
  exclude: string[]
  /** The output folder, when results do not go beside the originals; excluded from all watching. Absolute. */
  outputDir: string | null
}

/** The real paths of a folder and its output folder, as far as they exist: links may change at any time. */
export interface WatchPlace {
  rootDir: string
  realRoot: string
  realOutput: string | null
  /** False for a refused folder: another one may take its place. */
  isTaken: boolean
}

export async function placeOf({ rootDir, outputDir }: PlacedFolder): Promise<WatchPlace> {
  return {
    rootDir,
    realRoot: await realAsFarAsItExists(resolve(rootDir)),
    realOutput: outputDir === null ? null : await realAsFarAsItExists(resolve(outputDir)),
    isTaken: false,
  }
}

/** Why a folder cannot be watched, independent of the others. */
export function whyUnusable({ rootDir, include, exclude }: PlacedFolder): FolderReason | null {
  if (!isAbsolute(rootDir)) return folderReason('not_absolute')
  try {
    createPathFilter({ include, exclude, leftOut: [] })
    return null
  } catch (error) {
    if (error instanceof BadPattern) return folderReason('bad_pattern', { pattern: error.pattern })
    throw error
  }
}

/** Why a folder conflicts with the others. */
export function whyNotBeside(place: WatchPlace, others: readonly WatchPlace[], own: OwnPlaces): FolderReason | null {
  if (isHangarsOwn(place.realRoot, own)) return folderReason('own_folder')
  const library = libraryOn(place.realOutput ?? place.realRoot)
  if (library !== null) return folderReason('in_library', { library })
  const twin = others.find(({ isTaken, realRoot }) => isTaken && realRoot === place.realRoot)
  if (twin !== undefined) return folderReason('same_folder', { path: twin.rootDir })
  for (const { realOutput } of [...others, place])
    if (realOutput !== null && isInside(realOutput, place.realRoot))
      return folderReason('in_output_folder', { path: realOutput })
  return null
}

/** A folder takes its place before a link to it. */
export function linksLast<Placed extends { place: WatchPlace }>(placed: readonly Placed[]): Placed[] {
  const isLink = ({ place }: Placed) => place.rootDir !== place.realRoot
  return [...placed.filter((one) => !isLink(one)), ...placed.filter(isLink)]
}

/** Why each of these folders cannot be watched beside the others; null for one that can. */
export async function findRefusals(folders: readonly PlacedFolder[], own: OwnPlaces): Promise<(FolderReason | null)[]> {
  const all = await Promise.all(folders.map(async (folder, at) => ({ folder, at, place: await placeOf(folder) })))
  const refusals: (FolderReason | null)[] = []
  for (const { folder, at, place } of linksLast(all)) {
    const others = all.filter((other) => other.at !== at).map((other) => other.place)
    refusals[at] = whyUnusable(folder) ?? whyNotBeside(place, others, own)
    place.isTaken = refusals[at] === null
  }
  return refusals
}

/** A stored folder as it is watched. */
export function watched(folder: Folder) {
  return {
    id: folder.id,
    rootDir: folder.path,
    include: folder.include,
    exclude: folder.exclude,
    alsoTakes: folder.alsoTakes,
    paused: folder.paused,
    outputDir: folder.recipe.output.kind === 'folder' ? folder.recipe.output.dir : null,
  }
}
