import { AppError } from '../../shared/sentences/errors.ts'
import type { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { uploads } from '../../shared/recipes/recipe-facts.ts'
import type { WaitReason } from '../../shared/sentences/reasons.ts'
import type { Engine } from '../engine/start-engine.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { countText, durationText } from '../core/english-figures.ts'
import { checkLanguages, languagesOf, rateOption, requireImageService } from './services.ts'
import type { Cli, CliCommand } from './command.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { askYesNo } from './ask.ts'
import { dryRun, NOTHING_FOUND, priceText, priceUnknownText } from './dry-run.ts'
import { exitCodeOfRun } from './exit-code.ts'
import { sayForeign } from './figures.ts'
import { followRun, isFinal, unreachableText, type RunFollowed, type RunListener } from './follow-run.ts'
import { hookReporter, hooksFor, keepBalanceFor, type RunHooks } from './hooks.ts'
import { JobReport, reasonParagraphs } from './job-report.ts'
import { addPictureOptions, recipeWith, type PictureFlags } from './recipe-options.ts'
import { wholeNumber } from './parse-options.ts'
import { ProgressReport } from './progress.ts'
import { baseRecipe } from './recipes.ts'
import { withWired, type Wired } from './wire-command.ts'
import { GRACE_MS, unlessStopped } from './stopping.ts'
import { activeIn } from '../../shared/presentation/progress-figures.ts'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import process from 'node:process'
import { resolve } from 'node:path'
import { say } from '../../shared/sentences/sentence.ts'
import { decodeText } from '../core/decode-text.ts'

interface RunFlags extends PictureFlags, ListFlags {
  maxCredits?: number
  wait: number
  yes?: boolean
  dryRun?: boolean
  force?: boolean
}

export function addRunCommand(program: CliCommand, cli: Cli): void {
  const command = program
    .command('run')
    .summary('process every picture under the paths once, then exit')
    .description(
      'Processes every JPEG, PNG, GIF, WebP, TIFF, AVIF and HEIC under the paths once, then exits. Results land beside the originals, which are never changed. What is already done, here or on another computer, is not sent again.',
    )
    .argument('[path...]', 'files and folders; folders with everything below them')
    .option('--dry-run', 'send no picture: say what would be sent, what it would cost and what would be written')
    .option(
      '--force',
      'process again what is already done; it may be charged again. Hangar’s own results are left out even so',
    )
    .option('-y, --yes', 'send more than 100 pictures without asking')
    .option('--max-credits <n>', 'spend at most this many credits in this run', wholeNumber(0, 1_000_000_000))
    .option('--wait <seconds>', 'give up when the service has not answered for this long', wholeNumber(0, 86_400), 300)
    .addHelpText(
      'after',
      `
Examples:
  hangar run --practice photos/                    try it without an account
  hangar run photos/ --languages en,de --name seo  alt text in two languages, SEO file names
  hangar run photos/ --dry-run                     what would be sent, and what it would cost
  hangar run a.jpg b.png --operation convert       convert to WebP on this computer, for free
  find . -newer stamp -print0 | hangar run -0 -    what a program lists

"hangar help" lists the exit status and the environment variables.`,
    )
    .option('--files-from <file>', `also the paths in this file, one per line; ${STANDARD_INPUT} is standard input`)
    .option('-0, --null', 'in --files-from, a NUL ends each path, as find -print0 writes it')
  addPictureOptions(command)
    .imageServiceOptions()
    .addOption(rateOption())
    .action(async (given: string[], flags: RunFlags) => {
      const paths = await withListed(given, flags, cli.cwd)
      if (given.length === 0 && flags.filesFrom === undefined) command.error("missing required argument 'path'")
      return runCommand(cli, paths, flags)
    })
}

async function runCommand(cli: Cli, paths: string[], flags: RunFlags): Promise<ExitCode> {
  return withWired(cli, async (wired) => {
    const recipe = recipeWith(baseRecipe(wired.dataDir, flags.recipe, wired.settings.recipe), flags, cli.cwd)
    if (flags.dryRun === true) return await dryRun(cli, wired, { paths, recipe, flags })
    if (uploads(recipe)) await requireImageService(wired)
    return await processPictures(cli, wired, paths, recipe, flags)
  })
}

async function processPictures(
  cli: Cli,
  wired: Wired,
  paths: string[],
  recipe: Recipe,
  flags: RunFlags,
): Promise<ExitCode> {
  const stop = new AbortController()
  const startedMs = performance.now()
  let failedHooks = 0
  const reportHook = hookReporter(cli)
  const hooks = await hooksFor(cli, wired.dataDir, (one, why) => {
    if (why !== null) failedHooks += 1
    reportHook(one, why)
  })
  // A pause does not apply to a run that a person starts now.
  const engine = await wired.startEngine({ scope: 'batch', watch: false, hooks: hooks.open }, { paused: false })
  const progress = new ProgressReport(cli.terminal)
  const stopListening = cli.onStop(() => {
    cli.terminal.err('Stopping once what was sent is answered. Press Ctrl+C again to stop at once.')
    stop.abort()
  })
  let requests: number
  let followed: RunFollowed
  const jobs = new JobReport(cli, engine)
  const stopAsking = keepBalanceFor(hooks, engine, wired.log)
  try {
    if (uploads(recipe))
      await unlessStopped(
        checkLanguages(recipe.languages, () => languagesOf(engine)),
        stop.signal,
      )
    const shown = showRun({ cli, engine, recipe, flags, progress, stop: stop.signal, jobs })
    const options = { needsService: uploads(recipe), waitMs: flags.wait * 1000, stop: stop.signal }
    followed = await followRun(engine, () => begin(engine, paths, recipe, flags), shown, options)
    await unlessStopped(tellHooks(engine, hooks), stop.signal)
    requests = (await orThrow(engine.call('queue.status', {}))).service?.requests ?? 0
  } finally {
    await jobs.printed()
    progress.stop()
    stopAsking()
    await engine.stop(GRACE_MS)
    stopListening()
  }
  const seconds = (performance.now() - startedMs) / 1000
  if (failedHooks > 0) cli.terminal.err(`${countText(failedHooks, 'hook')} failed; the lines above say why.`)
  report(cli, flags, followed, { requests, seconds, totals: jobs.totals })
  return exitCodeOfRun(followed)
}

function begin(engine: Engine, paths: string[], recipe: Recipe, flags: RunFlags): Promise<{ batchId: string }> {
  const { include = [], exclude = [], force = false, yes: confirmed = false, maxCredits = null } = flags
  return orThrow(engine.call('intake.add', { paths, recipe, include, exclude, force, confirmed, maxCredits }))
}

/** Only the service knows what a run has spent. */
async function tellHooks(engine: Engine, { hooks }: RunHooks): Promise<void> {
  if (hooks.some(({ on }) => on === 'low_credits')) await engine.call('credits.balance', {})
  await engine.finishHooks()
}

interface ShownDeps {
  cli: Cli
  engine: Engine
  recipe: Recipe
  flags: RunFlags
  progress: ProgressReport
  stop: AbortSignal
  jobs: JobReport
}

/** How far a run is and what it is doing, on the terminal or as lines of `--json`. */
function showRun({ cli, engine, recipe, flags, progress, stop, jobs }: ShownDeps): RunListener {
  const { terminal } = cli
  let doing = ''
  let saidUnreachable: WaitReason | null = null
  return {
    jobs,
    onCounts(batch, counts) {
      if (saidUnreachable === null)
        doing = batch.open ? 'looking for pictures' : `${counts.sending + counts.waiting} with the service`
      const { leftMs, resultsPerMinute } = engine.progress()
      progress.update({
        total: batch.found,
        ended: batch.known + batch.takenIn - activeIn(counts),
        savedBytes: jobs.totals.savedBytes,
        // Unknown while files are still being found.
        leftMs: batch.open ? null : leftMs,
        resultsPerMinute,
        doing,
      })
    },
    onUnreachable(why) {
      if (why !== null) {
        const patience = isFinal(why) ? '' : ` Trying for ${flags.wait} s (--wait).`
        if (saidUnreachable !== why.code) terminal.err(`${unreachableText(why)}${patience}`)
        doing = `no answer for ${durationText(why.forMs)}`
      }
      saidUnreachable = why?.code ?? null
    },
    /** Without a terminal the answer is no, and the output says what to do. A cap or `--max-credits` cannot be lifted here. */
    async confirmSpend(pictures) {
      const { operation, format } = recipe
      const languages = operation === 'process' || operation === 'analyze' ? recipe.languages.length : 1
      const asked = await engine.call('credits.afford', { images: pictures, languages, format })
      const price = asked.ok
        ? priceText({ ...asked.value, atMost: operation !== 'process' })
        : priceUnknownText(englishText(asked.error.sentence))
      const what = `${countText(pictures, 'picture')} are to be sent (${operation}). ${price}`
      if (terminal.isJson || !terminal.inIsTty || !terminal.errIsTty) {
        terminal.err(`${what} More than ${BURST_LIMIT} are only sent when you say so: run again with --yes.`)
        return false
      }
      progress.stop()
      return askYesNo(`${what} Send them?`, stop)
    },
  }
}

function report(
  { terminal }: Cli,
  flags: RunFlags,
  followed: RunFollowed,
  { requests, seconds, totals }: { requests: number; seconds: number; totals: JobReport['totals'] },
): void {
  const { counts, known, found, foreign, missed, notDone } = followed
  const skipped = counts.skipped + known
  const otherSkips = skipped - totals.doneBefore - totals.ownOutputs
  const { done, failed, held, unknown, cancelled } = counts
  for (const paragraph of reasonParagraphs(notDone)) terminal.err(paragraph)
  const left = activeIn(counts)
  if (left > 0)
    terminal.err(
      `${countText(left, 'picture')} not finished. The same command goes on with them; nothing is sent twice.`,
    )
  if (missed > 0)
    terminal.err(`${countText(missed, 'picture')} not taken in; the lines above say why. The same command tries again.`)
  if (flags.force === true && totals.ownOutputs > 0)
    terminal.err(
      `${countText(totals.ownOutputs, 'file')} left out: results that Hangar wrote, which --force does not process either.`,
    )
  sayForeign(terminal, foreign)
  const rounded = Math.round(seconds * 10) / 10
  const figures = { done, failed, skipped, held, unknown, cancelled, missed, requests, seconds: rounded }
  terminal.json({ event: 'summary', ...figures })
  if (found === 0 && left === 0 && missed === 0) return terminal.out(NOTHING_FOUND)
  const parts = Object.entries({
    done,
    'done before': totals.doneBefore,
    skipped: otherSkips,
    failed,
    held,
    unknown,
    cancelled,
    'not taken in': missed,
  })
    .filter(([what, count]) => what === 'done' || count > 0)
    .map(([what, count]) => `${count} ${what}`)
  terminal.out(
    `${parts.join(', ')}${totals.savingText()} · ${countText(requests, 'request')} · ${durationText(seconds * 1000)}`,
  )
}

interface ListFlags {
  filesFrom?: string
  null?: boolean
}

const STANDARD_INPUT = '-'

/** With those of the list that is named; the path `-` is a list on standard input. Throws `bad_request` for a list that is not there. */
async function withListed(
  paths: readonly string[],
  { filesFrom, null: byNul }: ListFlags,
  cwd: string,
): Promise<string[]> {
  const named = paths.filter((path) => path !== STANDARD_INPUT)
  const list = filesFrom ?? (named.length < paths.length ? STANDARD_INPUT : null)
  if (list === null) return named
  const source = list === STANDARD_INPUT ? process.stdin : createReadStream(resolve(cwd, list))
  const bytes = await buffer(source).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('bad_request', say('path_missing', { path: list }), { cause: error })
  })
  const listed = byNul === true ? bytes.toString() : decodeText(bytes)
  return [...named, ...listed.split(byNul === true ? '\0' : /\r?\n/).filter((path) => path !== '')]
}
