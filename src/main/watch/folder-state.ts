import type { FolderReason } from '../../shared/folder-reason.ts'
import type { WalkProblem } from './walk.ts'

const SHOWN = 3

/**
 * - starting: before the first pass has ended
 * - watching: changes are noticed at once, and passes make sure every few minutes
 * - reconciling: a pass is running
 * - polling: changes are noticed by passes only; `because` says why
 * - paused: a person said so
 * - refused: it cannot be watched beside the others or as it is set; tried again like one that is missing
 * - missing: not there, or not readable; tried again every few seconds; nothing in it counts as deleted
 */
export type FolderPhase = 'starting' | 'watching' | 'reconciling' | 'polling' | 'paused' | 'missing' | 'refused'

export interface FolderState {
  phase: FolderPhase
  /** Always set for `polling`, `missing` and `refused`. */
  because: FolderReason | null
  lastPass: LastPass | null
}

/** The part that people are shown. */
export function folderFacts({ phase, because, lastPass }: FolderState) {
  const leftOut = { count: lastPass?.problemCount ?? 0, first: (lastPass?.problems ?? []).slice(0, SHOWN) }
  return { state: phase, because, leftOut }
}

/** What may still come of a folder. */
export interface Arrivals {
  /** Files that were named and are not taken in yet; those that were found unfinished are not among them. */
  files: number
  phase: FolderPhase
}

export interface LastPass {
  endedAtMs: number
  durationMs: number
  /** Source files by name, known ones included. */
  files: number
  /** New or changed ones among them. */
  changed: number
  problemCount: number
  /** The first few. */
  problems: WalkProblem[]
}
