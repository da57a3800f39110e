import { setTimeout } from 'node:timers/promises'
import type { EngineResponse } from '../../shared/contract/calls.ts'
import { PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'
import { listText } from '../../shared/text/list-text.ts'
import { folderText, problemsIn, stoppedText } from '../core/attention.ts'
import { Documents } from '../journal/documents.ts'
import { isInUse } from '../journal/data-folder.ts'
import { lastEventMs, latestBalance, quarantined } from '../journal/history.ts'
import { connectToEngine } from '../engine/running-engine.ts'
import { readHooks, rowsOf } from '../engine/hook-file.ts'
import type { HookRow } from '../../shared/contract/hooks.ts'
import { hookName } from '../hooks/hook.ts'
import { HookRows, HOOKS } from '../journal/hook-records.ts'
import { waitingIn } from '../journal/waiting-jobs.ts'
import { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import { realClock } from '../engine/real-clock.ts'
import { countText, durationText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { picturesText } from './figures.ts'
import { unreachableText, type Unreachable } from './follow-run.ts'
import { rememberedFolders } from './folders.ts'
import { reasonJson } from './job-report.ts'
import { settingsOverrides, chooseServices } from './services.ts'
import { settingsIn } from '../engine/settings-store.ts'
import { readJournal, storedAwayBatches, storedSettings } from '../engine/stored-settings.ts'
import { rateFigure } from '../../shared/presentation/progress-figures.ts'

export function addStatusCommand(program: CliCommand, cli: Cli): void {
  program
    .command('status')
    .summary('whether a Hangar runs, what it holds and what waits for you')
    .description(
      'Shows whether Hangar is running on the data folder, how many pictures are in each state, and what waits for a decision. Asks nothing of the service.',
    )
    .option('--check', 'for monitors: only what needs a person, and then with exit status 7')
    .action((flags: { check?: boolean }) => showStatus(cli, flags))
}

type Asked = EngineResponse<'queue.status'>
const ANSWER_MS = 5000

/** As it says itself; null when it does not answer. */
async function askRunning(dataDir: string): Promise<Asked | null> {
  const engine = await connectToEngine(dataDir)
  if (engine === null) return null
  try {
    const asked = await Promise.race([engine.call('queue.status', {}), setTimeout(ANSWER_MS, null, { ref: false })])
    return asked?.ok === true ? asked.value : null
  } catch {
    return null
  } finally {
    engine.close()
  }
}

async function showStatus(cli: Cli, flags: { check?: boolean }): Promise<ExitCode> {
  const { terminal, dataDir } = cli
  const overrides = settingsOverrides(cli.options, cli.env)
  const services = chooseServices({ ...storedSettings(dataDir), ...overrides }, {}, terminal)
  const running = isInUse(dataDir)
  const asked = running ? await askRunning(dataDir) : null
  const { service: used = null, stopped = [], progress }: Partial<Asked> = asked ?? {}
  const status = readJournal(dataDir, (db) => statusIn(db, used?.serviceId ?? services.image?.origin ?? null))
  const unreachable = used?.unreachable ?? null
  const { leftMs = null, resultsPerMinute: rate = null } = progress ?? {}
  const resultsPerMinute = rate === null ? null : rateFigure(rate)
  const ofHooks = await hookFacts(dataDir, cli.env, status.hooks)
  const remembered = await rememberedFolders(dataDir)
  const folders = remembered.map(({ folder: { path, paused }, state, reason }) => ({ path, paused, state, reason }))
  const service = used?.practice === true ? PRACTICE_SERVICE : (used?.baseUrl ?? services.image?.baseUrl ?? null)
  const away = await storedAwayBatches(dataDir)
  const pathOf = (subject: string | null) => remembered.find(({ folder }) => folder.id === subject)?.folder.path ?? null
  const problems = [
    ...problemsIn({
      running,
      dataDir,
      folders: remembered.map(({ folder: { id, path }, state, reason }) => ({ id, path, state, reason })),
      stopped,
      ledger: unreachable?.code.startsWith('ledger_') === true ? unreachable : null,
      ...status,
      nowMs: realClock.nowMs(),
    }).map(({ text }) => text),
    ...hookLines({ ...ofHooks, hooks: ofHooks.hooks.filter(({ why }) => why !== null) }),
  ]
  const code = flags.check === true && problems.length > 0 ? ExitCode.needsAttention : ExitCode.ok
  if (flags.check === true && !terminal.isJson) {
    for (const line of problems.length === 0 ? ['All is well.'] : problems) terminal.out(line)
    return code
  }
  const about = { running, dataDir, service, folders, away, ...ofHooks }
  const view = { ...status, ...about, stopped, unreachable, resultsPerMinute, leftMs }
  terminal.json({
    event: 'status',
    ...view,
    waiting: status.waiting.map((group) => ({ ...group, ...reasonJson(group) })),
    unreachable: unreachable && reasonJson(unreachable),
    problems,
  })
  for (const line of statusLines(view, pathOf)) terminal.out(line)
  return code
}

interface StatusView extends Omit<ReturnType<typeof statusIn>, 'hooks'>, OfHooks, Pick<Asked, 'stopped'> {
  unreachable: Unreachable | null
  running: boolean
  dataDir: string
  service: string | null
  folders: readonly (Parameters<typeof folderText>[1] & { path: string })[]
  away: Awaited<ReturnType<typeof storedAwayBatches>>
  resultsPerMinute: number | null
  leftMs: number | null
}

function statusLines(view: StatusView, pathOf: (subject: string | null) => string | null): string[] {
  const { running, dataDir, service, unreachable, balance, resultsPerMinute, leftMs, quarantined: unread } = view
  const pace = [
    ...(resultsPerMinute === null ? [] : [`${countText(resultsPerMinute, 'picture')} a minute`]),
    ...(leftMs === null ? [] : [`${durationText(leftMs)} left`]),
  ]
  return [
    `${running ? 'A Hangar is running' : 'No Hangar is running'} on ${dataDir}${view.paused ? '; sending is paused' : ''}.`,
    `Image service: ${service ?? 'none chosen yet'}`,
    ...(unreachable === null ? [] : [unreachableText(unreachable)]),
    ...(balance === null
      ? []
      : [`Credits: ${balance.credits}, as of ${durationText(realClock.nowMs() - balance.atMs)} ago`]),
    ...view.folders.map(({ path, ...facts }) => folderText(path, facts)),
    picturesText(view.counts),
    ...(pace.length === 0 ? [] : [`Results: ${pace.join('; ')}`]),
    ...view.waiting.map(({ state, code, count, detail }) => `${count} ${state}: ${reasonText({ code, detail })}`),
    ...view.away.map(
      ({ paths, count }) =>
        `Waiting for a drive: ${listText(paths, 'en')}${count > paths.length ? ` and ${count - paths.length} more` : ''}. It goes on when the drive is back; "hangar cancel --away" gives it up.`,
    ),
    ...view.stopped.map(({ task, subject, code }) => stoppedText(task, code, pathOf(subject))),
    ...hookLines(view),
    ...(unread === 0
      ? []
      : [`${countText(unread, 'entry', 'entries')} of the journal could not be read and were put aside.`]),
  ]
}

/** `hook`: program or host. `atMs`: when it ended last, and `why` it failed. */
interface HookFacts {
  on: HookRow['hook']['on']
  hook: string
  atMs: number | null
  why: string | null
}

interface OfHooks {
  hooks: readonly HookFacts[]
  /** Why none of them runs. */
  hookProblem: string | null
}

async function hookFacts(dataDir: string, env: Cli['env'], known: readonly HookRow[]): Promise<OfHooks> {
  const { hooks, problem } = await readHooks(dataDir, env)
  const facts = rowsOf(hooks, known).map(({ hook, last }): HookFacts => {
    const why = last?.why == null ? null : englishText(last.why)
    return { on: hook.on, hook: hookName(hook), atMs: last?.atMs ?? null, why }
  })
  return { hooks: facts, hookProblem: problem && englishText(problem) }
}

function hookLines({ hooks, hookProblem }: OfHooks): string[] {
  return [...(hookProblem === null ? [] : [hookProblem]), ...hooks.map(hookText)]
}

function hookText({ on, hook, atMs, why }: HookFacts): string {
  if (atMs === null) return `The hook ${hook} for ${on} has not run yet.`
  const ago = `${durationText(realClock.nowMs() - atMs)} ago.`
  return `The hook ${hook} for ${on} ${why === null ? `worked ${ago}` : `failed ${ago} ${why}`}`
}

function statusIn(db: Db, serviceId: string | null) {
  const store = new JobStore(db, () => realClock.nowMs())
  return {
    counts: store.count(),
    paused: settingsIn(db).paused,
    waiting: waitingIn(db, store, ['held', 'failed', 'unknown']),
    balance: serviceId === null ? null : latestBalance(db, serviceId),
    quarantined: quarantined(db).length,
    // Of a picture.
    lastEventMs: lastEventMs(db),
    hooks: new Documents(db).get(HOOKS, 'rows', HookRows) ?? [],
  }
}
