import { lstat } from 'node:fs/promises'
import { basename, dirname, resolve, sep } from 'node:path'
import type { BigIntStats } from 'node:fs'
import { AppError } from '../../shared/sentences/errors.ts'
import type { ChosenType } from '../../shared/recipes/recipe.ts'
import { folderReason, isForeign, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import type { FileAt } from '../core/source-read.ts'
import { sampleOf, versionOf } from './file-sample.ts'
import { createPathFilter, isImageName, typesLeftOut } from './path-filter.ts'
import { isHangarsOwn, type OwnPlaces } from './own-places.ts'
import { realAsFarAsItExists, relativeTo } from './real-path.ts'
import { findRootFolder, whyMissing } from './root-folder.ts'
import { walk, type WalkProblem } from './walk.ts'

export interface FoundImage extends FileAt {
  /** The folder that was named, or the folder of the file that was named. */
  rootDir: string
}

export interface FindOptions {
  include: readonly string[]
  exclude: readonly string[]
  /** As that of a watched folder; without it, all types are taken in. Named files are, whatever they are. */
  alsoTakes?: readonly ChosenType[] | undefined
  /** Absolute folders whose content is left out: the output folders. */
  leftOut: readonly string[]
  own: OwnPlaces
  signal?: AbortSignal
  /** Aborting this ends the search with what was found so far. */
  enough?: AbortSignal
  /** Called with pictures as they are found; one that is reached by two of the paths may be reported twice. */
  onFound?: (images: readonly FoundImage[]) => void
}

export interface Found {
  /** The search ended before it was complete. */
  isCut: boolean
  images: FoundImage[]
  /** Paths are absolute. Includes named paths that cannot be used. */
  problems: WalkProblem[]
  /** Folders of other programs that were not entered. Paths are absolute. */
  foreign: WalkProblem[]
  /** How many names suggest a type that is not taken in. */
  otherTypes: number
}

/**
 * Every source under the paths, each file once, in the order of the paths and by name below them. What is named is a source even if hidden or
 * excluded. Throws `bad_request` for unusable globs, and the signal's reason when aborted.
 */
export async function findImages(paths: readonly string[], options: FindOptions): Promise<Found> {
  const found: Found = { isCut: false, images: [], problems: [], foreign: [], otherTypes: 0 }
  const taken = new Set<string>()
  const take = (image: FoundImage): void => {
    if (!taken.has(image.path)) found.images.push(image)
    taken.add(image.path)
  }
  for (const given of paths) {
    options.signal?.throwIfAborted()
    if (options.enough?.aborted === true) found.isCut = true
    if (found.isCut) break
    const path = resolve(given)
    try {
      const stats = await lstat(path, { bigint: true })
      const reason = whyNoSource(path, stats, options.own)
      if (reason !== null) found.problems.push({ path, reason })
      else if (stats.isDirectory()) await below(path, options, take, found)
      else take({ rootDir: dirname(path), path, ...versionOf(sampleOf(stats)) })
    } catch (error) {
      if (error instanceof AppError || options.signal?.aborted === true) throw error
      found.problems.push({ path, reason: whyUnusable(error) })
    }
  }
  return found
}

function whyNoSource(path: string, stats: BigIntStats, own: OwnPlaces): FolderReason | null {
  if (isHangarsOwn(path, own)) return folderReason('own_file')
  if (stats.isDirectory()) return null
  if (!stats.isFile()) return folderReason('link')
  if (isImageName(basename(path).replace(/^\.+/, ''))) return null
  return folderReason('not_a_picture')
}

async function below(
  rootDir: string,
  options: FindOptions,
  take: (image: FoundImage) => void,
  found: Found,
): Promise<void> {
  const { problems } = found
  const root = await findRootFolder(rootDir)
  if (root.kind === 'missing') {
    problems.push({ path: rootDir, reason: root.why })
    return
  }
  const { realRoot, network } = root
  const leftOut: string[] = []
  const { dataDir } = options.own
  for (const dir of dataDir === null ? options.leftOut : [...options.leftOut, dataDir]) {
    const relative = relativeTo(realRoot, await realAsFarAsItExists(resolve(dir)))
    if (relative !== null) leftOut.push(relative)
  }
  const filter = createPathFilter({
    include: options.include,
    exclude: options.exclude,
    leftOut,
    withoutTypes: typesLeftOut(options.alsoTakes),
  })
  const images: FoundImage[] = []
  const signals = [options.signal, options.enough].filter((signal) => signal !== undefined)
  const walked = walk({
    rootDir,
    filter,
    direct: network === null,
    signal: AbortSignal.any(signals),
    onFolder: ({ folder, files }) => {
      const dir = folder === '' ? rootDir : rootDir + sep + folder.replaceAll('/', sep)
      const here = files.map(({ name, sample }) => ({ rootDir, path: dir + sep + name, ...versionOf(sample) }))
      for (const image of here) images.push(image)
      options.onFound?.(here)
    },
    onProblem: ({ path, reason }) => {
      if (reason.code === 'format_left_out') {
        found.otherTypes += Number(reason.values['count'])
        return
      }
      const kind = isForeign(reason) ? found.foreign : problems
      kind.push({ path: resolve(rootDir, path), reason })
    },
  })
  await walked.catch((error: unknown) => {
    if (options.signal?.aborted === true || options.enough?.aborted !== true) throw error
    found.isCut = true
  })
  images.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  for (const image of images) take(image)
}

function whyUnusable(error: unknown): FolderReason {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? folderReason('nothing_there') : whyMissing(error)
}
