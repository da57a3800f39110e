import type { BackgroundTask } from '../../shared/runtime/background.ts'
import { onDataFolderChange } from '../journal/data-folder-changes.ts'
import type { QueueContext } from '../queue/context.ts'
import { refreshTexts } from '../queue/refresh-texts.ts'
import { writeLateEdits } from '../queue/write-edits.ts'
import type { EngineEvents } from './engine-events.ts'
import type { EngineRun } from './engine-run.ts'

const RETENTION_MS = 3_600_000
const DAY_MS = 86_400_000
/** How often some of the jobs whose retention has ended are deleted while there are more. */
const PURGE_MS = 500

interface UpkeepDeps extends Pick<EngineRun, 'dataDir' | 'background' | 'fileWork' | 'stopping'> {
  context: QueueContext
  events: EngineEvents
  /** Sidecars and files with outdated texts are rewritten. */
  writesTexts: boolean
}

/** Brings sidecars and files that lack a person's newest texts up to date. Aborted, it ends after the current file. */
export async function writeLateTexts(context: QueueContext, signal: AbortSignal): Promise<void> {
  await writeLateEdits(context, signal)
  await refreshTexts(context, undefined, { signal })
}

/** Periodic work: deletion of old jobs, outdated texts, a look at the data folder. Returns stop. */
export function startUpkeep(deps: UpkeepDeps): () => void {
  const { dataDir, context, background, fileWork, stopping, events, writesTexts } = deps
  const { clock, store, settings } = context
  const cancels = new Map<BackgroundTask, () => void>()
  const every = (task: BackgroundTask, ms: number | (() => number), work: () => unknown) => {
    const wait = () => {
      const again = () => {
        background.run(task, work)
        wait()
      }
      cancels.set(task, clock.setTimer(typeof ms === 'number' ? ms : ms(), again))
    }
    wait()
  }
  const keptSinceMs = () => clock.nowMs() - settings().retentionDays * DAY_MS
  let isMoreToClear = false
  const retain = () => {
    const cleared = store.clearSettled(keptSinceMs())
    isMoreToClear = cleared > 0
    if (cleared > 0) events.emit({ type: 'removed', jobs: cleared })
  }
  const stopLooking = onDataFolderChange(dataDir, () => background.run('sending', () => context.guard.check()))
  background.run('retention', retain)
  every('retention', () => (isMoreToClear ? PURGE_MS : RETENTION_MS), retain)
  if (writesTexts) every('texts', RETENTION_MS, () => fileWork.run(() => writeLateTexts(context, stopping)))
  let isMoreToDelete = true
  const purgeMs = () => (isMoreToDelete ? PURGE_MS : RETENTION_MS)
  every('removed_jobs', purgeMs, () => (isMoreToDelete = store.purge(keptSinceMs())))
  return () => {
    stopLooking()
    for (const cancel of cancels.values()) cancel()
  }
}
