import type { Background, BackgroundTask } from '../../shared/runtime/background.ts'
import { SETTLED_STATES } from '../../shared/jobs/job-list.ts'
import type { InFlight } from '../core/in-flight.ts'
import { takeCommands, type PendingCommand } from '../journal/commands.ts'
import type { QueueContext } from '../queue/context.ts'
import { refreshTexts } from '../queue/refresh-texts.ts'
import { writeLateEdits } from '../queue/write-edits.ts'
import type { EngineEvents } from './engine-events.ts'

/** How often the journal is checked for commands of other processes. */
const COMMANDS_MS = 1000
const RETENTION_MS = 3_600_000
const DAY_MS = 86_400_000
/** How often some of the removed jobs whose retention has ended are deleted. */
const PURGE_MS = 500

interface UpkeepDeps {
  context: QueueContext
  background: Background
  fileWork: InFlight
  stopping: AbortSignal
  events: EngineEvents
  carryOut: (command: PendingCommand) => Promise<void>
  /** Sidecars and files with outdated texts are rewritten. */
  writesTexts: boolean
}

/** Brings sidecars and files that lack a person's newest texts up to date. Aborted, it ends after the file it is at; the rest waits. */
export async function writeLateTexts(context: QueueContext, signal: AbortSignal): Promise<void> {
  await writeLateEdits(context, signal)
  await refreshTexts(context, undefined, { signal })
}

/** Periodic work: commands of other processes, deletion of old jobs, outdated texts. Returns stop. */
export function startUpkeep(deps: UpkeepDeps): () => void {
  const { context, background, fileWork, stopping, events, carryOut, writesTexts } = deps
  const { clock, db, store, settings } = context
  const cancels = new Map<BackgroundTask, () => void>()
  const every = (task: BackgroundTask, ms: number, work: () => unknown) => {
    const again = () => {
      cancels.set(task, clock.setTimer(ms, again))
      background.run(task, work)
    }
    cancels.set(task, clock.setTimer(ms, again))
  }
  const keptSinceMs = () => clock.nowMs() - settings().retentionDays * DAY_MS
  const retain = () => {
    const removed = store.clear(SETTLED_STATES, keptSinceMs())
    if (removed > 0) events.emit({ type: 'removed', jobs: removed })
  }
  every('commands', COMMANDS_MS, () => {
    for (const command of takeCommands(db, clock.nowMs()))
      background.run('command', () => carryOut(command), command.kind)
  })
  background.run('retention', retain)
  every('retention', RETENTION_MS, retain)
  if (writesTexts) every('texts', RETENTION_MS, () => fileWork.run(() => writeLateTexts(context, stopping)))
  every('removed_jobs', PURGE_MS, () => store.purge(keptSinceMs()))
  return () => {
    for (const cancel of cancels.values()) cancel()
  }
}
