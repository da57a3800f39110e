import type { Background, BackgroundTask } from '../../shared/background.ts'
import { SETTLED_STATES } from '../../shared/removal.ts'
import { takeCommands, type PendingCommand } from '../journal/commands.ts'
import type { QueueContext } from '../queue/context.ts'
import { refreshTexts } from '../queue/refresh-texts.ts'
import type { EngineEvents } from './engine-events.ts'

/** Commands of other processes are looked for this often. */
const COMMANDS_MS = 1000
const RETENTION_MS = 3_600_000
const DAY_MS = 86_400_000
/** Jobs removed longer ago than jobs are kept are deleted, in batches of this size. */
const PURGE_MS = 500

export interface UpkeepDeps {
  context: QueueContext
  background: Background
  events: EngineEvents
  carryOut: (command: PendingCommand) => Promise<void>
  /** Files that lack their newest texts are given them. */
  writesTexts: boolean
}

/** What is done again and again: commands of other processes, the end of old jobs, texts. Returns what ends it. */
export function startUpkeep({ context, background, events, carryOut, writesTexts }: UpkeepDeps): () => void {
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
  if (writesTexts) every('texts', RETENTION_MS, () => refreshTexts(context))
  every('removed_jobs', PURGE_MS, () => store.purge(keptSinceMs()))
  return () => {
    for (const cancel of cancels.values()) cancel()
  }
}
