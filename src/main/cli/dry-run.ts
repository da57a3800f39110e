import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchView, JobView } from '../../shared/contract.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import { MAX_COPY_BYTES, type Recipe } from '../../shared/recipe.ts'
import { noteText, reasonText, reasonWords } from '../../shared/reason-text.ts'
import { NamesToCome } from '../core/output-names.ts'
import { planWork, sendsCopy, type WorkPlan } from '../core/plan-work.ts'
import { affordPlan } from '../core/spend-guard.ts'
import type { Engine } from '../engine.ts'
import { openJournal } from '../queue/journal.ts'
import { findOutput } from '../queue/outputs.ts'
import { paymentFor } from '../queue/payments.ts'
import { callEngine } from '../call-engine.ts'
import { checkLanguages } from './check-languages.ts'
import type { Cli } from './cli-context.ts'
import { priceText } from './confirm-spend.ts'
import { countText, pathText, sizeText } from './figures.ts'
import { isPractice, jobLine } from './job-report.ts'
import { outputsToCome } from './outputs-to-come.ts'
import type { FilterFlags } from './options.ts'
import type { Session } from './session.ts'
import { readJournal } from '../stored-settings.ts'

/** What would happen to one picture. */
interface Prospect {
  job: JobView
  plan: WorkPlan
  /** The operation that would be sent; null when nothing would, because it is done here or was paid for. */
  sent: Recipe['operation'] | null
  paid: boolean
  /** What would be sent is a smaller copy of it. */
  copy: boolean
  /** Names in the target folder; `<seo>` stands for what only the service can say. */
  outputs: string[]
}

/**
 * Finds, reads and looks inside everything a run would, and says what would come of it. The work is done on a copy of
 * the journal in a folder of its own, so nothing here changes; no picture is sent.
 */
export async function dryRun(
  cli: Cli,
  session: Session,
  order: { paths: string[]; recipe: Recipe; flags: FilterFlags & { json?: boolean; force?: boolean } },
): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-dry-run-'))
  try {
    copyJournal(session.dataDir, folder)
    const engine = await session.startEngine({ scope: 'none', watch: false, dataDir: folder, ownDir: session.dataDir })
    try {
      const stop = new AbortController()
      const stopListening = cli.onStop(() => stop.abort())
      const seen = await lookAround(engine, order, stop.signal)
      stopListening()
      if (stop.signal.aborted) return ExitCode.interrupted
      const prospects = prospectsOf(seen.jobs, folder)
      await report(cli, session, engine, order, { ...seen, prospects })
      return ExitCode.ok
    } finally {
      await engine.stop(0)
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A journal that does not exist yet needs no copy. Reading it takes no lock, so a running engine is not disturbed. */
function copyJournal(dataDir: string, folder: string): void {
  readJournal(dataDir, undefined, (db) => {
    db.prepare('VACUUM INTO ?').run(join(folder, 'journal.db'))
  })
}

interface Seen {
  batch: BatchView
  jobs: JobView[]
  known: { path: string; jobId: string | null; reason: 'already_done' | 'own_output' }[]
}

async function lookAround(
  engine: Engine,
  { paths, recipe, flags }: Parameters<typeof dryRun>[2],
  stop: AbortSignal,
): Promise<Seen> {
  const known: Seen['known'] = []
  const unsubscribe = engine.subscribe((event) => {
    if (event.type === 'known') known.push({ path: event.path, jobId: event.jobId, reason: event.reason })
  })
  const { batchId } = await callEngine(engine, 'intake.add', {
    ...{ paths, recipe, include: flags.include ?? [], exclude: flags.exclude ?? [], force: flags.force ?? false },
  })
  let batch: BatchView
  do {
    await sleep(50)
    batch = await callEngine(engine, 'batches.get', { id: batchId })
  } while (batch.open && !stop.aborted)
  unsubscribe()
  const jobs: JobView[] = []
  for (let afterId = ''; ;) {
    const page = (await callEngine(engine, 'jobs.list', { batchId, afterId, limit: 1000 })).jobs
    jobs.push(...page)
    if (page.length < 1000) return { batch, jobs, known }
    afterId = page.at(-1)!.id
  }
}

function prospectsOf(jobs: readonly JobView[], folder: string): Prospect[] {
  const db = openJournal(folder, { readonly: true })
  const sentHere = new Set<string>()
  const given = new NamesToCome()
  try {
    return jobs.flatMap((job) => {
      if (job.state !== 'ready' || job.image === null) return []
      const plan = planWork(job.recipe, job.image)
      if ('cannot' in plan) return []
      const isOwn = (path: string) => findOutput(db, path)?.sourcePath === job.source.path
      const payment = job.force ? null : paymentFor(db, job)
      const twin = job.paidKey !== null && sentHere.has(job.paidKey)
      const paid = payment !== null || twin
      if (job.paidKey !== null) sentHere.add(job.paidKey)
      const sent = paid ? null : plan.send
      const copy = sent !== null && sendsCopy(job.recipe, job.source.sizeBytes)
      return [{ job, plan, sent, paid, copy, outputs: outputsToCome(job, plan, isOwn, given) }]
    })
  } finally {
    db.close()
  }
}

async function report(
  cli: Cli,
  session: Session,
  engine: Engine,
  { recipe, flags }: Parameters<typeof dryRun>[2],
  { batch, jobs, known, prospects }: Seen & { prospects: Prospect[] },
): Promise<void> {
  const { terminal } = cli
  const toSend = prospects.filter(({ sent }) => sent !== null)
  const rest = jobs.filter(({ id }) => !prospects.some(({ job }) => job.id === id))
  const canAsk = session.practice !== null || session.services.image !== null
  if (canAsk && toSend.length > 0) await checkLanguages(engine, recipe.languages)
  if (flags.json === true) {
    for (const { job, sent, copy, outputs } of prospects)
      terminal.json({ ...jobLine(job), operation: sent, ...(copy ? { smallerCopy: true } : {}), names: outputs })
    for (const job of rest) terminal.json(jobLine(job))
    for (const { path, jobId, reason } of known)
      terminal.json({ event: 'job', id: jobId, path, state: 'skipped', reason: { code: reason, detail: null } })
    terminal.json({ event: 'plan', ...(await priceFacts(engine, recipe, toSend)) })
    const of = (state: JobView['state']) => jobs.filter((job) => job.state === state).length
    const counts = {
      done: 0,
      failed: of('failed'),
      skipped: of('skipped') + known.length,
      held: of('held'),
      unknown: of('unknown'),
    }
    terminal.json({ event: 'summary', ...counts, cancelled: 0, requests: 0, seconds: 0 })
    return
  }
  for (const prospect of prospects) prospectLines(prospect, cli.cwd).forEach((line) => terminal.out(line))
  for (const job of rest)
    terminal.out(
      `${job.state.padEnd(13)} ${pathText(job.source.path, cli.cwd)}  ${job.reason === null ? '' : reasonText(job.reason, isPractice(job))}`,
    )
  for (const { path, reason } of known)
    terminal.out(`${'nothing to do'.padEnd(13)} ${pathText(path, cli.cwd)}  ${reasonWords(reason).short}`)
  if (batch.found === 0)
    return terminal.out('No pictures were found there. Hangar takes JPEG, PNG, GIF and WebP files.')
  const isFullPipeline = toSend.every(({ sent }) => sent === 'process')
  const bytes = toSend.reduce((total, { job, copy }) => total + (copy ? MAX_COPY_BYTES : job.source.sizeBytes), 0)
  terminal.out('')
  terminal.out(
    toSend.length === 0
      ? 'No picture would be sent, so it would cost nothing.'
      : `${countText(toSend.length, 'picture')} would be sent (${toSend.some(({ copy }) => copy) ? 'at most ' : ''}${sizeText(bytes)}). ${await priceText(engine, recipe, toSend.length, isFullPipeline)}`,
  )
  terminal.out('This was a dry run: nothing was sent and nothing was written.')
}

async function priceFacts(engine: Engine, recipe: Recipe, toSend: readonly Prospect[]): Promise<object> {
  const send = toSend.length
  const atMost = toSend.some(({ sent }) => sent !== 'process')
  if (send === 0) return { send, required: 0, atMost, balance: null, shortfall: null }
  const [{ question } = { question: { languages: 1 } }] = affordPlan([
    { operation: recipe.operation, languageCount: recipe.languages.length, format: recipe.format, images: send },
  ]).questions
  const price = await engine.call('credits.afford', {
    images: send,
    languages: question.languages,
    format: recipe.format,
  })
  if (!price.ok) return { send, required: null, atMost, balance: null, shortfall: null }
  const { required, balance, shortfall } = price.value
  return { send, required, atMost, balance, shortfall }
}

function prospectLines({ job, plan, sent, paid, copy, outputs }: Prospect, cwd: string): string[] {
  const what = sent !== null ? `send: ${sent}` : paid ? 'paid already' : 'convert here'
  const line = `${what.padEnd(13)} ${pathText(job.source.path, cwd)}  ${sizeText(job.source.sizeBytes)}  → ${outputs.join(', ')}`
  const notes = [
    ...(copy ? ['It is over 10 MB: a smaller copy of it would be sent.'] : []),
    ...plan.notes.map((note) => noteText(note)),
  ]
  return [line, ...notes.map((note) => `              ${note}`)]
}
