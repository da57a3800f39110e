import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Option } from 'commander'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import type { ChosenType, Recipe } from '../../shared/recipes/recipe.ts'
import { uploads } from '../../shared/recipes/recipe-facts.ts'
import type { FolderView } from '../../shared/contract/folders.ts'
import type { JobView } from '../../shared/contract/jobs.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { folderReasonText, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { reasonText } from '../../shared/sentences/reason-text.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { listText } from '../../shared/text/list-text.ts'
import type { Engine } from '../engine/start-engine.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { countText, durationText } from '../core/english-figures.ts'
import { checkLanguages, languagesOf, rateOption, requireImageService } from './services.ts'
import type { Cli, CliCommand } from './command.ts'
import { hookReporter, hooksFor, keepBalanceFor } from './hooks.ts'
import { folderText } from '../core/attention.ts'
import { rememberedFolders } from './folders.ts'
import { isGeneralHold, isPractice, JobReport } from './job-report.ts'
import { addPictureOptions, hasRecipeFlags, recipeWith, type PictureFlags } from './recipe-options.ts'
import { chosenTypes, wholeNumber } from './parse-options.ts'
import { baseRecipe } from './recipes.ts'
import { withWired } from './wire-command.ts'
import { GRACE_MS, unlessStopped } from './stopping.ts'
import { afterFirstTry, unreachableText } from './follow-run.ts'
import { ProgressReport } from './progress.ts'
import { storedFolders } from '../engine/stored-settings.ts'

interface WatchFlags extends PictureFlags {
  force?: boolean
  onlyNew?: true
  also?: ChosenType[]
  askAbove?: number
}

export function addWatchCommand(program: CliCommand, cli: Cli): void {
  const command = program
    .command('watch')
    .summary('watch folders until stopped')
    .description(
      'Watches folders and processes each new picture as soon as it is whole. Folders named here are remembered with their recipe; without any, all remembered folders are watched. What is there already is processed too, unless --only-new says otherwise. SIGINT or SIGTERM stops it once what was sent is answered; the rest goes on next time.',
    )
    .argument('[dir...]', 'folders to watch, with everything below them')
    .option('--force', 'process what is there already again, by the recipe given now; it may be charged again')
    .addOption(
      new Option(
        '--only-new',
        'leave what is in a newly named folder now as it is, and process only pictures that come or change later; a remembered folder goes on as before',
      ).conflicts('force'),
    )
    .option(
      '--also <types>',
      'also process tiff, avif or heic files, as in tiff,heic; "none" for none of them (none); remembered with folders named here',
      chosenTypes,
    )
    .option(
      '--ask-above <n>',
      'ask before more new pictures than this are sent at once (100), 0 for never; remembered with folders named here, else for this watch',
      wholeNumber(0, 1_000_000),
    )
    .addHelpText(
      'after',
      `
Examples:
  hangar watch ~/Pictures/web --languages en,de    watch, and remember the folder and its recipe
  hangar watch --only-new ~/Pictures/web           what is there now stays as it is and costs nothing
  hangar watch                                     watch all folders that are remembered
  hangar watch --also tiff ~/Scans                 TIFF files in it are processed as well
  hangar watch --practice inbox/ --json            for a program that follows along

More than 100 new pictures at once wait for approval: hangar confirm --all. --ask-above sets another number.`,
    )
  addPictureOptions(command)
    .imageServiceOptions()
    .addOption(rateOption())
    .action((dirs: string[], flags: WatchFlags) => watchCommand(cli, dirs, flags))
}

async function watchCommand(cli: Cli, dirs: string[], flags: WatchFlags): Promise<ExitCode> {
  return withWired(cli, async (wired) => {
    const base = baseRecipe(wired.dataDir, flags.recipe, wired.settings.recipe)
    const roots = await Promise.all(dirs.map((dir) => folderAt(cli.cwd, dir)))
    checkFoldersNamed(roots.length, wired.dataDir, flags)
    const hooks = await hooksFor(cli, wired.dataDir, hookReporter(cli))
    const stored = storedFolders(wired.dataDir)
    const recipes = new Map(
      roots.map((root) => [root, recipeFor(stored.find(({ path }) => path === root)?.recipe, base, flags, cli.cwd)]),
    )
    const others = stored.filter(({ path }) => !recipes.has(path)).map(({ recipe }) => recipe)
    if ([...recipes.values(), ...others].some(uploads)) await requireImageService(wired)
    const stop = new AbortController()
    const engine = await wired.startEngine({
      scope: 'all',
      watch: true,
      hooks: hooks.open,
      // Named folders keep it; without any it is for this watch.
      ...(roots.length > 0 || flags.askAbove === undefined ? {} : { askAbove: flags.askAbove }),
    })
    const stopListening = cli.onStop(() => {
      cli.terminal.err('Stopping once what was sent is answered. Press Ctrl+C again to stop at once.')
      stop.abort()
    })
    const follower = new WatchFollower(cli, engine, wired.dataDir)
    const unsubscribe = engine.subscribe((event) => follower.take(event))
    const stopAsking = keepBalanceFor(hooks, engine, wired.log)
    let hasBegun = false
    try {
      const begin = async () => {
        const languages = [...recipes.values()].filter(uploads).flatMap((recipe) => recipe.languages)
        if (languages.length > 0) await checkLanguages(languages, () => languagesOf(engine))
        for (const [root, recipe] of recipes) if (!stop.signal.aborted) await watchFolder(engine, root, flags, recipe)
        if (wired.settings.paused) cli.terminal.err('Sending is paused; "hangar resume" resumes it.')
        if (!stop.signal.aborted) await follower.hello()
      }
      await unlessStopped(begin(), stop.signal)
      hasBegun = true
      const broken = await engine.untilBroken(stop.signal)
      if (broken !== null) throw broken
    } finally {
      follower.stopDrawing()
      stopAsking()
      // A watch that was refused has nothing to add up.
      await (hasBegun ? follower.summary(() => engine.stop(GRACE_MS)) : engine.stop(GRACE_MS))
      unsubscribe()
      stopListening()
    }
    return ExitCode.ok
  })
}

/** Throws if there is nothing to watch, or no folder that a flag is about. */
function checkFoldersNamed(named: number, dataDir: string, flags: WatchFlags): void {
  if (named > 0) return
  const { onlyNew, force, also, include, exclude } = flags
  if (hasRecipeFlags(flags) || [onlyNew, force, also, include, exclude].some((flag) => flag !== undefined))
    throw new AppError('bad_request', say('cli_flags_name_folders'))
  if (storedFolders(dataDir).length === 0) throw new AppError('bad_request', say('cli_no_folder_yet'))
}

async function folderAt(cwd: string, given: string): Promise<string> {
  try {
    const path = await realpath(resolve(cwd, given))
    if ((await stat(path)).isDirectory()) return path
  } catch (cause) {
    throw new AppError('bad_request', say('path_missing', { path: given }), { cause })
  }
  throw new AppError('bad_request', say('cli_not_a_folder', { path: given }))
}

/** Flags change the recipe that a folder is remembered with, unless they name one. */
function recipeFor(known: Recipe | undefined, base: Recipe, flags: WatchFlags, cwd: string): Recipe {
  if (known === undefined || flags.recipe !== undefined) return recipeWith(base, flags, cwd)
  return hasRecipeFlags(flags) ? recipeWith(known, flags, cwd) : known
}

/** Adds a folder, or changes the one that is remembered as the flags say. */
async function watchFolder(engine: Engine, path: string, flags: WatchFlags, recipe: Recipe): Promise<void> {
  const { folders } = await orThrow(engine.call('folders.list', {}))
  const known = folders.find((folder) => folder.path === path)
  if (known === undefined) {
    const { include = [], exclude = [] } = flags
    const existing = flags.onlyNew === true ? ('leave' as const) : undefined
    const folder = { path, recipe, include, exclude, alsoTakes: flags.also, askAbove: flags.askAbove, existing }
    await orThrow(engine.call('folders.add', withoutUndefined(folder)))
    return
  }
  const changes = withoutUndefined({
    recipe,
    include: flags.include,
    exclude: flags.exclude,
    alsoTakes: flags.also,
    askAbove: flags.askAbove,
    // It was named to be watched.
    paused: false,
  })
  await orThrow(engine.call('folders.update', { id: known.id, changes, reprocess: flags.force ?? false }))
}

/** Events after which the progress may be another. A poll is one of a job too, though its state stays. */
const CHANGES_PROGRESS: readonly EngineEvent['type'][] = ['job', 'service', 'settings', 'removed']

const NONE_COUNTED = { done: 0, failed: 0, skipped: 0, held: 0, unknown: 0, cancelled: 0 }
const isCounted = (state: JobView['state'] | null): state is keyof typeof NONE_COUNTED =>
  state !== null && Object.hasOwn(NONE_COUNTED, state)

const reasonLine = (path: string, reason: FolderReason) => `${path}: ${folderReasonText(reason)}`

class WatchFollower {
  readonly #cli: Cli
  readonly #engine: Engine
  readonly #dataDir: string
  readonly #jobs: JobReport
  readonly #progress: ProgressReport
  readonly #startedMs = performance.now()
  readonly #counts = { ...NONE_COUNTED }
  readonly #saidHolds = new Set<string>()
  readonly #saidAway = new Map<string, string | null>()
  readonly #saidLeftOut = new Set<string>()
  #isHeld = false
  /** What cannot be reached, as it was said. */
  #outage: string | null = null

  constructor(cli: Cli, engine: Engine, dataDir: string) {
    this.#cli = cli
    this.#engine = engine
    this.#dataDir = dataDir
    this.#jobs = new JobReport(cli, engine)
    this.#progress = new ProgressReport(cli.terminal)
  }

  async hello(): Promise<void> {
    const { terminal } = this.#cli
    for (const { folder, state, reason } of await rememberedFolders(this.#dataDir)) {
      const { id, path, recipe } = folder
      const isWatched = state === 'watched'
      const line = `Watching ${path} (${recipe.operation}, ${listText(recipe.languages, 'en')})`
      terminal.err(isWatched ? line : folderText(path, { state, reason }))
      // The engine finds the same, and says so in the same words.
      if (reason !== null) this.#saidAway.set(id, reasonLine(path, reason))
      terminal.json({ event: 'folder', id, path, state, reason })
    }
    for (const folder of (await orThrow(this.#engine.call('folders.list', {}))).folders) this.#folder(folder)
    terminal.err('Stop with Ctrl+C.')
  }

  take(event: EngineEvent): void {
    if (event.type === 'job' && event.from !== event.job.state) this.#job(event.job, event.from)
    if (event.type === 'known') {
      this.#counts.skipped += 1
      this.#jobs.addKnown(event.path, event.jobId, event.reason)
    }
    if (event.type === 'service') this.#service(event.status)
    if (event.type === 'folder') this.#folder(event)
    if (!CHANGES_PROGRESS.includes(event.type)) return
    // What an earlier run left is part of it.
    const { done: _, ...progress } = this.#engine.progress()
    if (progress.ended < progress.total) this.#progress.update({ ...progress, doing: '' })
    else this.#progress.stop()
  }

  stopDrawing(): void {
    this.#progress.stop()
  }

  #folder({ id, state, because, leftOut }: Pick<FolderView, 'id' | 'state' | 'because' | 'leftOut'>): void {
    const path = this.#engine.snapshot().folders.find((folder) => folder.id === id)?.path ?? id
    const isAway = state === 'missing' || state === 'polling' || state === 'refused' || state === 'watching'
    const away = isAway && because !== null ? reasonLine(path, because) : null
    // Each try to watch it says so again.
    if (away !== null && this.#saidAway.get(id) !== away) this.#cli.terminal.err(away)
    if (away !== null || state === 'watching') this.#saidAway.set(id, away)
    for (const one of leftOut.first) {
      const line = `${join(path, one.path)}: ${folderReasonText(one.reason)}`
      if (!this.#saidLeftOut.has(line)) this.#cli.terminal.err(line)
      this.#saidLeftOut.add(line)
    }
  }

  /** Counts what the engine still finishes in `stop`. */
  async summary(stop: () => Promise<void>): Promise<void> {
    const status = await this.#engine.call('queue.status', {})
    await stop()
    await this.#jobs.printed()
    const requests = status.ok ? (status.value.service?.requests ?? 0) : 0
    const ms = performance.now() - this.#startedMs
    const { terminal } = this.#cli
    terminal.json({ event: 'summary', ...this.#counts, requests, seconds: Math.round(ms / 100) / 10 })
    const { done, failed, held, unknown } = this.#counts
    terminal.out(
      `${done} done, ${this.#jobs.totals.doneBefore} done before, ${failed} failed, ${held} held, ${unknown} unknown${this.#jobs.totals.savingText()} · ${countText(requests, 'request')} · ${durationText(ms)}`,
    )
  }

  #job(job: JobView, from: JobView['state'] | null): void {
    // A job that was retried no longer counts under its earlier state; states from before this watch were never counted.
    if (isCounted(from) && this.#counts[from] > 0) this.#counts[from] -= 1
    if (isCounted(job.state)) this.#counts[job.state] += 1
    this.#sayGeneralHold(job)
    const isSaid = this.#jobs.add(job)
    if (isSaid && job.reason !== null && (job.state === 'failed' || job.state === 'unknown'))
      this.#cli.terminal.err(reasonText(job.reason, isPractice(job)))
  }

  /** Once for each kind, until something goes well. */
  #sayGeneralHold(job: JobView): void {
    if (job.state === 'done') this.#saidHolds.clear()
    if (!isGeneralHold(job) || job.reason === null || this.#saidHolds.has(job.reason.code)) return
    this.#saidHolds.add(job.reason.code)
    this.#cli.terminal.err(reasonText(job.reason))
  }

  #service({ hold, unreachable }: ServiceStatus): void {
    const { terminal } = this.#cli
    if (hold !== null && !this.#saidHolds.has(hold.code)) {
      this.#saidHolds.add(hold.code)
      terminal.err(reasonText(hold))
    }
    if (hold === null && this.#isHeld) terminal.err('The service can be used again.')
    this.#isHeld = hold !== null
    const outage = afterFirstTry(unreachable)
    // Without its detail, which may be another at each try.
    const kind = outage === null ? null : unreachableText({ ...outage, detail: null })
    if (outage !== null && kind !== this.#outage) terminal.err(unreachableText(outage))
    if (outage === null && this.#outage !== null) terminal.err('It can be reached again.')
    this.#outage = kind
  }
}
