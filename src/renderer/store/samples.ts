import { create } from 'zustand'
import type { JobRow } from '../../shared/contract/jobs.ts'
import { remember, remembered } from './remembered-look.ts'
import { useShell } from './shell-store.ts'

/** Whether the note about the sample pictures was hidden, in this browser or on this desktop. */
export const useSamplesNote = create<{ isHidden: boolean }>(() => ({ isHidden: remembered('noSamplesNote', Boolean) }))

export function hideSamplesNote(): void {
  useSamplesNote.setState({ isHidden: true })
  remember('noSamplesNote', true)
}

/** Whether it is one of the sample pictures, which lie in a folder of their own in the data folder. */
export function useIsSample(): (row: Pick<JobRow, 'dir' | 'practice'> | null) => boolean {
  const dataDir = useShell(({ state }) => state?.app.dataDir ?? null)
  return (row) => {
    if (row === null || dataDir === null || !row.practice || !row.dir.startsWith(dataDir)) return false
    return /^[/\\]samples-[\d-]+$/.test(row.dir.slice(dataDir.length))
  }
}
