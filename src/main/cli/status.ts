import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Command } from 'commander'
import type { StoppedTask } from '../../shared/runtime/background.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { ReasonCode } from '../../shared/sentences/reasons.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import { listText } from '../../shared/text/list-text.ts'
import { folderText, problemsIn, standstillMs, stoppedText } from '../core/attention.ts'
import { refusePlantedDatabase } from '../journal/check-data-folder.ts'
import { LOCK_NAME, lockTrouble } from '../journal/data-folder.ts'
import { ledgerTroubleIn } from '../journal/ledger-trouble.ts'
import { stoppedIn } from '../journal/stopped-tasks.ts'
import { lastEventMs, latestBalance, quarantined, resultsPerMinuteIn } from '../journal/history.ts'
import { failedHooksIn, type FailedHook } from '../journal/hook-records.ts'
import { waitingIn, type WaitingGroup } from '../journal/waiting-jobs.ts'
import { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import { realClock } from '../engine/real-clock.ts'
import { countText, durationText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { chooseDataDir } from '../engine/data-dir.ts'
import { picturesText } from './figures.ts'
import { rememberedFolders } from './folder-states.ts'
import { reasonJson } from './job-report.ts'
import { addCommonOptions, settingsOverrides, type CommonFlags } from './options.ts'
import { chooseServices } from './service-choice.ts'
import { documentsOf, settingsIn } from '../engine/settings-store.ts'
import { storedAwayBatches } from '../engine/stored-away.ts'
import { readJournal, storedSettings } from '../engine/stored-settings.ts'
import { activeIn, NO_JOBS } from '../page/progress.ts'

export function addStatusCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('status')
    .summary('whether a Hangar runs, what it holds and what waits for you')
    .description(
      'Says whether a Hangar uses the data folder now, how many pictures are in each state, and what waits for a decision. Nothing is asked of the service.',
    )
    .option('--check', 'for monitors: only what needs a person, and then with exit status 7')
  addCommonOptions(command).action(async (flags: StatusFlags) => finish(await showStatus(cli, flags)))
}

interface StatusFlags extends CommonFlags {
  check?: boolean
}

interface Status {
  counts: JobCounts
  paused: boolean
  waiting: WaitingGroup[]
  balance: { credits: number; atMs: number } | null
  quarantined: number
  stopped: StoppedTask[]
  resultsPerMinute: number | null
  /** When something last happened to a picture. */
  lastEventMs: number | null
  /** Why the team ledger cannot be used. */
  ledger: { code: ReasonCode; detail: Sentence | null } | null
  failedHooks: FailedHook[]
}

const NOTHING: Status = {
  counts: NO_JOBS,
  paused: false,
  waiting: [],
  balance: null,
  quarantined: 0,
  stopped: [],
  resultsPerMinute: null,
  lastEventMs: null,
  ledger: null,
  failedHooks: [],
}

async function showStatus(cli: Cli, flags: StatusFlags): Promise<ExitCode> {
  const { terminal } = cli
  const dataDir = chooseDataDir(flags.dataDir, cli.env)
  const overrides = settingsOverrides(flags, cli.env)
  const services = chooseServices({ ...storedSettings(dataDir), ...overrides }, {}, terminal)
  const status = readJournal<Status>(dataDir, NOTHING, (db) => statusIn(db, services.image?.origin ?? null))
  const running = isInUse(dataDir)
  // A process that has ended leaves its record behind.
  const stopped = running ? status.stopped : []
  const ledger = running ? status.ledger : null
  const resultsPerMinute = running ? status.resultsPerMinute : null
  const active = activeIn(status.counts)
  // Extrapolated from the rate of the last two minutes: the journal has no record of calls or upload times.
  const leftMs =
    resultsPerMinute === null || status.paused || active === 0
      ? null
      : Math.ceil((active / resultsPerMinute) * 60) * 1000
  const remembered = await rememberedFolders(dataDir)
  const folders = remembered.map(({ folder: { path, paused }, state, reason }) => ({ path, paused, state, reason }))
  const service = services.image?.baseUrl ?? null
  const away = await storedAwayBatches(dataDir)
  const pathOf = (subject: string | null) => remembered.find(({ folder }) => folder.id === subject)?.folder.path ?? null
  const problems = [
    ...problemsIn({
      running,
      dataDir,
      folders,
      stopped: stopped.map(({ task, subject, code }) => ({ task, code, path: pathOf(subject) })),
      ledger,
      held: status.waiting.filter(({ state }) => state === 'held'),
      standstillMs: standstillMs({ ...status, active, nowMs: realClock.nowMs() }),
      active,
    }).map(({ text }) => text),
    ...status.failedHooks.map(failedHookText),
  ]
  const code = flags.check === true && problems.length > 0 ? ExitCode.needsAttention : ExitCode.ok
  if (flags.check === true && flags.json !== true) {
    for (const problem of problems) terminal.out(problem)
    if (problems.length === 0) terminal.out('All is well.')
    return code
  }
  if (flags.json === true) {
    terminal.json({
      event: 'status',
      running,
      dataDir,
      service,
      folders,
      away,
      ...status,
      waiting: status.waiting.map((group) => ({ ...group, ...reasonJson(group) })),
      stopped,
      ledger: ledger && reasonJson(ledger),
      resultsPerMinute,
      leftMs,
      problems,
    })
    return code
  }
  terminal.out(
    `${running ? 'A Hangar is running' : 'No Hangar is running'} on ${dataDir}${status.paused ? '; sending is paused' : ''}.`,
  )
  terminal.out(`Image service: ${service ?? 'none chosen yet'}`)
  if (ledger !== null) terminal.out(reasonText(ledger))
  if (status.balance !== null)
    terminal.out(
      `Credits: ${status.balance.credits}, as of ${durationText(realClock.nowMs() - status.balance.atMs)} ago`,
    )
  for (const { path, ...facts } of folders) terminal.out(folderText(path, facts))
  terminal.out(picturesText(status.counts))
  if (resultsPerMinute !== null) {
    const left = leftMs === null ? '' : `; at that rate ${durationText(leftMs)} left`
    terminal.out(`Results: ${countText(resultsPerMinute, 'picture')} a minute${left}`)
  }
  for (const { state, code, count, detail } of status.waiting)
    terminal.out(`${count} ${state}: ${reasonText({ code, detail })}`)
  for (const { paths, count } of away)
    terminal.out(
      `Waiting for a drive: ${listText(paths, 'en')}${count > paths.length ? ` and ${count - paths.length} more` : ''}. It goes on when the drive is back; "hangar cancel --away" gives it up.`,
    )
  for (const { task, subject, code } of stopped) terminal.out(stoppedText(task, code, pathOf(subject)))
  for (const hook of status.failedHooks) terminal.out(failedHookText(hook))
  if (status.quarantined > 0)
    terminal.out(
      `${countText(status.quarantined, 'entry', 'entries')} of the journal could not be read and were put aside.`,
    )
  return ExitCode.ok
}

function failedHookText({ on, hook, why, atMs }: FailedHook): string {
  return `The hook ${hook} for ${on} failed ${durationText(realClock.nowMs() - atMs)} ago: ${why}.`
}

function statusIn(db: Db, serviceId: string | null): Status {
  const store = new JobStore(db, () => realClock.nowMs())
  return {
    counts: store.count(),
    paused: settingsIn(db).paused,
    waiting: waitingIn(db, store, ['held', 'failed', 'unknown']),
    balance: serviceId === null ? null : latestBalance(db, serviceId),
    quarantined: quarantined(db).length,
    resultsPerMinute: resultsPerMinuteIn(db, realClock.nowMs()),
    lastEventMs: lastEventMs(db),
    stopped: stoppedIn(documentsOf(db)),
    ledger: ledgerTroubleIn(documentsOf(db)),
    failedHooks: failedHooksIn(documentsOf(db)),
  }
}

/** Whether an engine holds the folder: its lock keeps even readers of the lock database out. Creates nothing. */
export function isInUse(dataDir: string): boolean {
  const path = join(dataDir, LOCK_NAME)
  refusePlantedDatabase(path)
  if (!existsSync(path)) return false
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true, timeout: 0 })
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return true
    throw lockTrouble(error, path)
  } finally {
    db?.close()
  }
}
