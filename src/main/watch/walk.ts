import type { Dirent } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { lstat, readdir } from 'node:fs/promises'
import { folderReason, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { sampleOf, type FileSample } from './file-sample.ts'
import { lstatMany, type StatPace } from './lstat-many.ts'
import type { PathFilter, WhyLeftOut } from './path-filter.ts'

/** Max folders listed concurrently. */
const FOLDERS_AT_ONCE = 4
/** The longest synchronous matching before yielding to other work. */
const SLICE_MS = 4

export interface WalkedFile {
  name: string
  sample: FileSample
}

export interface WalkedFolder {
  /** Relative to the root, `/` between names, `''` for the root. */
  folder: string
  /** Regular files the filter accepts. */
  files: WalkedFile[]
  /** Everything listed, of any type. */
  entries: readonly Dirent[]
}

/** Something that a person may want to fix; the walk continues without it. */
export interface WalkProblem {
  /** Relative to the root, `''` for the root. */
  path: string
  reason: FolderReason
}

interface WalkOptions {
  rootDir: string
  filter: PathFilter
  /** False on network drives, which must not block the main thread. */
  direct: boolean
  signal?: AbortSignal
  /** Called once for each folder entered, in no particular order between folders. */
  onFolder(walked: WalkedFolder): void
  /** A folder not entered because of the filter, a symbolic link or an error. Its content is unknown. */
  onSkippedFolder?(folder: string): void
  onProblem(problem: WalkProblem): void
}

/**
 * Visits a tree once, without keeping it in memory. Symbolic links are never followed; file systems mounted below are entered. Rejects with the
 * error of the root, and with the signal's reason; an error further down is a problem, and the folder counts as skipped.
 */
export async function walk(options: WalkOptions): Promise<void> {
  const pace: StatPace = { direct: options.direct }
  const waiting: string[] = ['']
  const worker = async (): Promise<void> => {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      options.signal?.throwIfAborted()
      await visit(folder, options, pace, waiting)
    }
  }
  // The root first and alone: its error is the walk's. A worker ends when nothing is waiting, so workers are restarted
  // until all is done.
  await visit(waiting.pop() ?? '', options, pace, waiting)
  while (waiting.length > 0) await Promise.all(Array.from({ length: FOLDERS_AT_ONCE }, worker))
}

async function visit(folder: string, options: WalkOptions, pace: StatPace, waiting: string[]): Promise<void> {
  const dir = folder === '' ? options.rootDir : `${options.rootDir}/${folder}`
  let entries: Dirent[]
  try {
    entries = await readdir(dir, { withFileTypes: true })
  } catch (error) {
    if (folder === '') throw error
    options.onSkippedFolder?.(folder)
    // A folder deleted since its parent was listed is not a problem; the next walk finds it gone.
    if (!isPlainlyGone(error, folder)) options.onProblem({ path: folder, reason: whyUnlisted(error, folder) })
    return
  }
  const prefix = folder === '' ? '' : `${folder}/`
  const names: string[] = []
  let sliceEndMs = performance.now() + SLICE_MS
  let isUndecided = false
  let leftOut = 0
  for (const entry of entries) {
    const why = sort(entry, prefix, names, options, waiting)
    if (why === 'pattern_too_costly') isUndecided = true
    else if (why === 'format_left_out') leftOut += 1
    else if (why !== null) options.onProblem({ path: prefix + entry.name, reason: folderReason(why) })
    if (performance.now() < sliceEndMs) continue
    await setImmediate()
    options.signal?.throwIfAborted()
    sliceEndMs = performance.now() + SLICE_MS
  }
  if (isUndecided) options.onProblem({ path: folder, reason: folderReason('pattern_too_costly') })
  if (leftOut > 0) options.onProblem({ path: folder, reason: folderReason('format_left_out', { count: leftOut }) })
  const stats = await lstatMany(dir, names, pace, options.signal)
  const files: WalkedFile[] = []
  let unseen: FolderReason | null = null
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? ''
    const found = stats[index] ?? null
    if (found !== null) {
      if (found.isFile()) files.push({ name, sample: sampleOf(found) })
    } else if (name.includes('\uFFFD')) options.onProblem({ path: prefix + name, reason: folderReason('bad_name') })
    else unseen ??= await whyUnseen(`${dir}/${name}`)
  }
  if (unseen !== null) options.onProblem({ path: folder, reason: unseen })
  options.onFolder({ folder, files, entries })
}

/** Queues a folder or a file's name; skips links and special files. Returns why an entry was left out although no pattern matches it. */
function sort(
  entry: Dirent,
  prefix: string,
  names: string[],
  options: WalkOptions,
  waiting: string[],
): WhyLeftOut | null {
  const { name } = entry
  if (entry.isFile()) {
    if (options.filter.file(prefix + name, name)) names.push(name)
    return options.filter.why()
  }
  if (entry.isDirectory() && options.filter.folder(prefix + name, name)) {
    waiting.push(prefix + name)
    return null
  }
  options.onSkippedFolder?.(prefix + name)
  return entry.isDirectory() ? options.filter.why() : null
}

/** Why a name that was listed cannot be examined; null if it is gone since, which is fine. */
async function whyUnseen(path: string): Promise<FolderReason | null> {
  try {
    await lstat(path)
    return null
  } catch (error) {
    return isPlainlyGone(error, path) ? null : whyUnlisted(error, path)
  }
}

function isPlainlyGone(error: unknown, folder: string): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' && !folder.includes('\uFFFD')
}

function whyUnlisted(error: unknown, folder: string): FolderReason {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && folder.includes('\uFFFD')) return folderReason('bad_name')
  if (code === 'EACCES' || code === 'EPERM') return folderReason('folder_no_permission')
  if (code === 'EMFILE' || code === 'ENFILE') return folderReason('too_few_files')
  return folderReason('folder_unreadable', { error: code ?? '?' })
}
