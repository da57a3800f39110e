import { basename, join } from 'node:path'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { isSentConverted, uploadTypeOf } from '../core/plan-work.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { noteText, reasonLine, reasonText } from '../../shared/sentences/reason-text.ts'
import { MAX_COPY_BYTES, type Recipe } from '../../shared/recipes/recipe.ts'
import { mayLeaveOut, uploads } from '../../shared/recipes/recipe-facts.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { listText } from '../../shared/text/list-text.ts'
import type { AccountSpend } from '../core/account-ledger.ts'
import { affordPlan, batchPrice, type BatchPrice } from '../core/spend-guard.ts'
import type { Affordability } from '../../shared/contract/credits.ts'
import type { StandalonePreview } from '../engine/standalone-preview.ts'
import { PreviewTotals, type Prospect } from '../intake/preview-intake.ts'
import { countText } from '../core/english-figures.ts'
import { checkLanguages } from './services.ts'
import type { Cli } from './command.ts'
import { sayForeign, pathText, sizeText } from './figures.ts'
import { isPractice, jobLine, reasonJson } from './job-report.ts'
import type { PictureFlags } from './recipe-options.ts'
import { refuseOtherService } from './credits.ts'
import { unlessStopped } from './stopping.ts'
import type { Wired } from './wire-command.ts'
import { withEngineOf, type Ask } from './with-engine.ts'

interface DryRun {
  paths: string[]
  recipe: Recipe
  flags: PictureFlags & { force?: boolean; yes?: boolean; maxCredits?: number }
}

/** Nothing is sent, and no file of pictures is written. */
export async function dryRun(cli: Cli, wired: Wired, request: DryRun): Promise<ExitCode> {
  const stop = new AbortController()
  const stopListening = cli.onStop(() => stop.abort(new AppError('aborted', say('stopped_on_request'))))
  const preview = wired.openPreview()
  try {
    await show(cli, wired, preview, request, stop.signal)
    return ExitCode.ok
  } catch (error) {
    if (stop.signal.aborted) return ExitCode.interrupted
    throw error
  } finally {
    await preview.close()
    stopListening()
  }
}

async function show(
  cli: Cli,
  wired: Wired,
  preview: StandalonePreview,
  { paths, recipe, flags }: DryRun,
  stop: AbortSignal,
): Promise<void> {
  const { terminal, cwd } = cli
  const list = () => withService(wired, (ask) => ask('languages.list', {})).catch(() => null)
  if (uploads(recipe)) await checkLanguages(recipe.languages, () => unlessStopped(list(), stop))
  const { include = [], exclude = [], force = false } = flags
  const { found, foreign, prospects } = await preview.inspect({ paths, recipe, include, exclude, force }, stop)
  const totals = new DryRunTotals()
  for await (const prospect of prospects) {
    totals.add(prospect)
    terminal.json(jsonLine(prospect))
    lines(prospect, cwd).forEach((line) => terminal.out(line))
  }
  sayForeign(terminal, foreign)
  if (found === 0 && !terminal.isJson) return terminal.out(NOTHING_FOUND)
  const spend = await unlessStopped(spendOf(wired, preview, totals.all, recipe, flags), stop)
  if (spend === null) throw stop.reason
  const { dispatches: send, price, atMost, held } = spend
  const { required, balance, shortfall } =
    typeof price === 'string' ? UNKNOWN_PRICE : (price ?? { ...UNKNOWN_PRICE, required: 0 })
  const hold = { held: held?.pictures ?? 0, hold: held?.reason ?? null }
  terminal.json({ event: 'plan', send, required, atMost, balance, shortfall, ...hold })
  terminal.json({ event: 'summary', ...totals.counts, cancelled: 0, requests: 0, seconds: 0 })
  terminal.out('')
  for (const line of spendLines(spend, totals)) terminal.out(line)
  if (totals.worksOn > 0 && mayLeaveOut(recipe)) terminal.out('A file that would save nothing is not written.')
  terminal.out('This was a dry run: nothing was sent and nothing was written.')
}

class DryRunTotals {
  readonly all = new PreviewTotals()
  readonly counts = { done: 0, failed: 0, skipped: 0, held: 0, unknown: 0 }
  worksOn = 0
  bytesToSend = 0
  hasCopies = false

  add(prospect: Prospect): void {
    this.all.add(prospect)
    if (prospect.kind === 'known') this.counts.skipped += 1
    else if (prospect.kind === 'work') {
      this.worksOn += 1
      if (prospect.sent === null) return
      this.bytesToSend += prospect.isCopy ? MAX_COPY_BYTES : prospect.job.source.sizeBytes
      this.hasCopies ||= prospect.isCopy
    } else {
      const { state } = prospect.job
      if (state === 'failed' || state === 'skipped' || state === 'held' || state === 'unknown') this.counts[state] += 1
    }
  }
}

interface Spend {
  dispatches: number
  /** A string: why it is unknown. Null: nothing to pay for. */
  price: BatchPrice | string | null
  atMost: boolean
  held: ReturnType<StandalonePreview['held']>
}

const UNKNOWN_PRICE = { required: null, balance: null, shortfall: null }

async function spendOf(
  wired: Wired,
  preview: StandalonePreview,
  totals: PreviewTotals,
  recipe: Recipe,
  flags: DryRun['flags'],
): Promise<Spend> {
  const { dispatches, pictures } = totals.spend
  const plan = affordPlan(totals.groups(recipe.format))
  const { atMost } = plan
  if (dispatches === 0) return { dispatches, price: null, atMost, held: null }
  const maxCredits = flags.maxCredits ?? null
  const facts = { creditsPerImage: null as number | null, account: null as AccountSpend | null }
  const price = await withService(wired, async (ask) => {
    const { team } = await ask('credits.history', { days: 1 })
    if (team !== null) facts.account = { today: team.sentToday, thisMonth: team.sentThisMonth }
    const answers: Affordability[] = []
    for (const { question } of plan.questions) answers.push(await ask('credits.afford', question))
    const one = { images: 1, languages: recipe.languages.length, format: recipe.format }
    if (maxCredits !== null)
      facts.creditsPerImage = await ask('credits.afford', one).then(
        ({ required }) => required,
        () => null,
      )
    return batchPrice(plan, answers)
  }).catch((error: unknown) => toAppError(error).message)
  const { account, creditsPerImage } = facts
  const spend = { dispatches, pictures, confirmed: flags.yes === true, maxCredits, creditsPerImage }
  return { dispatches, price, atMost, held: preview.held(spend, account) }
}

/** By the engine that runs or one that is opened for it. Throws without a service. */
async function withService<Value>(wired: Wired, work: (ask: Ask) => Promise<Value>): Promise<Value> {
  if (wired.practice === null && wired.services.image === null)
    throw new AppError('key_missing', say('image_service_not_set_up'))
  return withEngineOf(wired, async (ask, isRunning) => {
    if (isRunning) await refuseOtherService(ask, wired)
    return work(ask)
  })
}

function spendLines({ dispatches, price, held }: Spend, { bytesToSend, hasCopies }: DryRunTotals): string[] {
  if (dispatches === 0 || price === null) return ['No picture would be sent, so it would cost nothing.']
  const size = `${hasCopies ? 'at most ' : ''}${sizeText(bytesToSend)}`
  const cost = typeof price === 'string' ? priceUnknownText(price) : priceText(price)
  const first = `${countText(dispatches, 'picture')} would be sent (${size}). ${cost}`
  return held === null
    ? [first]
    : [first, `${countText(held.pictures, 'picture')} would be held: ${reasonText(held.reason)}`]
}

function jsonLine(prospect: Prospect): object {
  if (prospect.kind === 'known') {
    const { jobId: id, path, reason } = prospect
    return { event: 'job', id, path, state: 'skipped', reason: reasonJson({ code: reason, detail: null }) }
  }
  const line = jobLine(prospect.job)
  if (prospect.kind !== 'work') return line
  const { sent: operation, isCopy } = prospect
  const { image } = prospect.job
  const copy = image !== null && isSentConverted(image.type) ? { sentAs: uploadTypeOf(image) } : { smallerCopy: true }
  return { ...line, operation, ...(isCopy ? copy : {}), names: namesOf(prospect) }
}

function lines(prospect: Prospect, cwd: string): string[] {
  const row = (what: string, path: string, rest: string) => `${what.padEnd(13)} ${pathText(path, cwd)}  ${rest}`
  if (prospect.kind === 'known')
    return [row('nothing to do', prospect.path, reasonLine({ code: prospect.reason, detail: null }))]
  const { job } = prospect
  const { path, sizeBytes } = job.source
  if (prospect.kind !== 'work')
    return [row(job.state, path, job.reason === null ? '' : reasonText(job.reason, isPractice(job)))]
  const { sent, isPaid, isTwin, isCopy, plan } = prospect
  const what = sent !== null ? `send: ${sent}` : isPaid || isTwin ? 'paid already' : 'convert here'
  const notes = [...(isCopy ? [copyText(job)] : []), ...plan.notes.map((note) => noteText(note))]
  return [
    row(what, path, `${sizeText(sizeBytes)}  → ${listText(namesOf(prospect), 'en')}`),
    ...notes.map((note) => `              ${note}`),
  ]
}

function copyText({ image }: Job): string {
  if (image === null || !isSentConverted(image.type)) return 'It is over 10 MB: a smaller copy of it would be sent.'
  return `The service takes no ${image.type.toUpperCase()}: a ${uploadTypeOf(image).toUpperCase()} of it would be sent.`
}

/** Names if they are in the folder of the picture, else paths. */
function namesOf({ job, dir, names }: { job: Job; dir: string; names: readonly string[] }): string[] {
  if (job.recipe.output.kind === 'folder') return names.map((name) => join(dir, name))
  const original = basename(job.source.path)
  return names.map((name) => (name === original ? `${name} (replaced, with a backup)` : name))
}

export const NOTHING_FOUND =
  'No pictures were found there. Hangar takes JPEG, PNG, GIF, WebP, TIFF, AVIF and HEIC files, and follows no links.'

/** Prices are exact for the full pipeline only. */
export function priceText({ required, balance, shortfall, atMost }: BatchPrice): string {
  const short = shortfall > 0 ? ` That is ${shortfall} more than there are.` : ''
  return `That costs ${atMost ? 'at most ' : ''}${countText(required, 'credit')}; the account has ${balance}.${short}`
}

export const priceUnknownText = (why: string): string => `What it costs is not known: ${why}`
