import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { activeIn } from '../../shared/presentation/progress-figures.ts'
import { wordedReason, type StoppedTask } from '../../shared/runtime/background.ts'
import { folderReasonText, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'
import type { JobState, ReasonCode } from '../../shared/sentences/reasons.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import frame from '../../shared/text/en/frame.json' with { type: 'json' }
import { countText, durationText } from './english-figures.ts'

/** No event of any picture for this long means that the queue is stuck: a job at the service is polled more often. */
const STANDSTILL_MS = 15 * 60_000

interface WhyWithDetail {
  code: ReasonCode
  detail: Sentence | null
}

/** A watched folder as far as it is judged here; any state beside these two is well. `reason` says why it is not watched. */
interface JudgedFolder {
  id: string
  path: string
  state: string
  reason: FolderReason | null
}

interface AttentionFacts {
  running: boolean
  dataDir: string
  folders: readonly JudgedFolder[]
  /** Parts that have stopped. */
  stopped: readonly Pick<StoppedTask, 'task' | 'code' | 'subject'>[]
  /** Why the team ledger cannot be used. */
  ledger: WhyWithDetail | null
  waiting: readonly (WhyWithDetail & { state: JobState; count: number })[]
  counts: JobCounts
  paused: boolean
  /** Of any picture, in Unix milliseconds; null for never. */
  lastEventMs: number | null
  nowMs: number
}

/** Something that needs a person. */
export interface Problem {
  /** Held pictures and the team ledger go by their reason. */
  code:
    ReasonCode | 'not_running' | 'part_stopped' | 'watched_folder_missing' | 'watched_folder_refused' | 'nothing_moves'
  /** The part that has stopped, or the path of the folder; null otherwise. */
  subject: string | null
  /** A sentence in English. */
  text: string
}

/** The same for one problem, however often it is found. */
export const problemKey = ({ code, subject }: Problem) => (subject === null ? code : `${code} ${subject}`)

/** Whether a watched folder in this state is one that cannot be watched. */
export const isUnwatchable = (state: string): state is 'missing' | 'refused' =>
  state === 'missing' || state === 'refused'

/** Whether it has a key, nothing is held, and it answers. */
export const isUsable = (service: ServiceStatus | null): service is ServiceStatus =>
  service !== null && service.hasKey && service.hold === null && service.unreachable === null

/** For how long nothing has happened though pictures wait; null while that is in order. */
export function standstillMs({
  counts,
  paused,
  lastEventMs,
  nowMs,
}: Pick<AttentionFacts, 'counts' | 'paused' | 'lastEventMs' | 'nowMs'>): number | null {
  if (activeIn(counts) === 0 || paused || lastEventMs === null) return null
  const stillMs = nowMs - lastEventMs
  return stillMs >= STANDSTILL_MS ? stillMs : null
}

/** What needs a person, the same for `hangar status --check` and for hooks. */
export function problemsIn(facts: AttentionFacts): Problem[] {
  const { running, dataDir, folders, stopped, ledger, waiting } = facts
  const [active, stillMs] = [activeIn(facts.counts), standstillMs(facts)]
  const pathOf = (subject: string | null) => folders.find(({ id }) => id === subject)?.path ?? null
  const plain = (code: Problem['code'], text: string): Problem => ({ code, subject: null, text })
  return [
    ...(running ? [] : [plain('not_running', `No Hangar is running on ${dataDir}.`)]),
    ...stopped.map(({ task, code, subject }) => {
      const path = pathOf(subject)
      const what = path === null ? task : `${task} ${path}`
      return { code: 'part_stopped' as const, subject: what, text: stoppedText(task, code, path) }
    }),
    ...(ledger === null ? [] : [plain(ledger.code, reasonText(ledger))]),
    ...folders.flatMap(({ path, state, reason }) =>
      isUnwatchable(state)
        ? [{ code: `watched_folder_${state}` as const, subject: path, text: folderText(path, { state, reason }) }]
        : [],
    ),
    ...waiting
      .filter(({ state }) => state === 'held')
      .map(({ code, detail, count }) => plain(code, `${count} held: ${reasonText({ code, detail })}`)),
    ...(running && stillMs !== null
      ? [
          plain(
            'nothing_moves',
            `Nothing has moved for ${durationText(stillMs)}, though ${countText(active, 'picture')} ${active === 1 ? 'waits' : 'wait'}.`,
          ),
        ]
      : []),
  ]
}

const HEADS = { watched: 'Watched', paused: 'Paused', refused: 'Not watched', missing: 'Missing' } as const

/** A watched folder, and why it is not watched, in a line. */
export function folderText(
  path: string,
  { state, reason }: { state: keyof typeof HEADS; reason: FolderReason | null },
): string {
  const head = `${HEADS[state]}: ${path}`
  return reason === null ? head : `${head}. ${folderReasonText(reason)}`
}

/** What has stopped and why, in the window's words. */
export function stoppedText(task: StoppedTask['task'], code: StoppedTask['code'], path: string | null): string {
  const what = frame[`stopped.task.${task}`].replaceAll('{{folder}}', () => path ?? '…')
  return `${what} ${frame[`stopped.why.${wordedReason(code)}`]}`
}
