import type { WalkProblem } from './walk.ts'

/**
 * - starting: before the first pass has ended
 * - watching: changes are noticed at once, and passes make sure every few minutes
 * - reconciling: a pass is running
 * - polling: changes are noticed by passes only; `because` says why
 * - paused: a person said so
 * - missing: not there, or not readable; tried again every few seconds; nothing in it counts as deleted
 */
export type FolderPhase = 'starting' | 'watching' | 'reconciling' | 'polling' | 'paused' | 'missing'

export interface FolderState {
  phase: FolderPhase
  /** A sentence for people; always there for `polling` and `missing`. */
  because: string | null
  lastPass: LastPass | null
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
