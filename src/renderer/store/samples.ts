import { create } from 'zustand'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { useShell } from './shell-store.ts'

const HIDDEN = 'hangar.samples.hidden'

/** Whether the note about the sample pictures was hidden, in this browser or on this desktop. */
export const useSamplesNote = create<{ isHidden: boolean }>(() => ({ isHidden: stored() }))

function stored(): boolean {
  try {
    return localStorage.getItem(HIDDEN) !== null
  } catch {
    // Storage may be blocked.
    return false
  }
}

export function hideSamplesNote(): void {
  useSamplesNote.setState({ isHidden: true })
  try {
    localStorage.setItem(HIDDEN, 'yes')
  } catch {
    // Without storage it is back at the next start.
  }
}

/** Whether it is one of the sample pictures, which lie in a folder of their own in the data folder. */
export function useIsSample(): (row: Pick<JobRow, 'dir' | 'practice'> | null) => boolean {
  const dataDir = useShell(({ state }) => state?.app.dataDir ?? null)
  return (row) => {
    if (row === null || dataDir === null || !row.practice || !row.dir.startsWith(dataDir)) return false
    return /^[/\\]samples-[\d-]+$/.test(row.dir.slice(dataDir.length))
  }
}
