import type { FolderPhase } from '../../shared/contract/folders.ts'
import type { FolderReason } from '../../shared/sentences/folder-reason.ts'
import type { WalkProblem } from './walk.ts'

const SHOWN = 3

export interface FolderState {
  phase: FolderPhase
  /** Always set for `polling`, `missing` and `refused`. */
  because: FolderReason | null
  lastScan: LastScan | null
}

/** The part that is shown to people. */
export function folderFacts({ phase, because, lastScan }: FolderState) {
  const leftOut = { count: lastScan?.problemCount ?? 0, first: (lastScan?.problems ?? []).slice(0, SHOWN) }
  return { state: phase, because, leftOut }
}

/** What may still arrive from a folder. */
export interface Arrivals {
  /** Files reported and not yet taken in, without those found incomplete. */
  files: number
  phase: FolderPhase
}

interface LastScan {
  endedAtMs: number
  durationMs: number
  /** Source files by name, known ones included. */
  files: number
  problemCount: number
  /** The first few. */
  problems: WalkProblem[]
}
