import type { KnownFiles } from './known-files.ts'
import type { PathFilter } from './path-filter.ts'
import { walk, type WalkedFile, type WalkProblem } from './walk.ts'

const PROBLEMS_KEPT = 20

interface ReconcileOptions {
  realRoot: string
  filter: PathFilter
  known: KnownFiles
  direct: boolean
  signal: AbortSignal
  /** New or changed files of one folder, which is relative to the root and `''` for the root. */
  onChanged(folder: string, files: readonly WalkedFile[]): void
}

export interface ReconcileResult {
  files: number
  changed: number
  /** Known files that are gone, relative to the root. Valid only if the root is still the same folder. */
  gone: string[]
  /** The root has no entries at all, as an empty mount point would. */
  rootIsEmpty: boolean
  problemCount: number
  problems: WalkProblem[]
}

/** One scan: compares the whole tree with the known files. Rejects as `walk` does. */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileResult> {
  const comparison = options.known.comparison()
  const result: ReconcileResult = { files: 0, changed: 0, gone: [], rootIsEmpty: false, problemCount: 0, problems: [] }
  await walk({
    rootDir: options.realRoot,
    filter: options.filter,
    direct: options.direct,
    signal: options.signal,
    onFolder: (walked) => {
      if (walked.folder === '') result.rootIsEmpty = walked.entries.length === 0
      // As the mount point of a drive that is away: what was known of it stays known.
      else if (walked.entries.length === 0) return comparison.skip(walked.folder)
      result.files += walked.files.length
      const changed = comparison.visit(walked)
      result.changed += changed.length
      if (changed.length > 0) options.onChanged(walked.folder, changed)
    },
    onSkippedFolder: (folder) => comparison.skip(folder),
    onProblem: (problem) => {
      result.problemCount += 1
      if (result.problems.length < PROBLEMS_KEPT) result.problems.push(problem)
    },
  })
  result.gone = comparison.gone()
  return result
}
