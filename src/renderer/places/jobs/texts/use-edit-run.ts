import { useState } from 'react'
import type { PageRequest } from '../../../../shared/contract/calls.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { editTexts } from '../../../store/edit-texts.ts'

/**
 * A run of many edits from a dialog, which `end` closes. `ended`: how many have ended; null before the run. `leave` closes the dialog
 * before the run, and stops the run once it has begun: edits that were made stay, and can be undone.
 */
export function useEditRun(end: () => void) {
  const [ended, setEnded] = useState<number | null>(null)
  const [isStopping, setStopping] = useState(false)
  const [stop] = useState(() => new AbortController())
  const run = (edits: PageRequest<'jobs.editTexts'>['edits']) =>
    inBackground(async () => {
      setEnded(0)
      await editTexts(edits, setEnded, stop.signal).finally(end)
    })
  const leave = () => {
    if (ended === null) return end()
    setStopping(true)
    stop.abort()
  }
  return { ended, isStopping, run, leave }
}
