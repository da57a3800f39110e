/**
 * `npm start` and `npm run demo`: shows the main job once, start to finish, on the practice service. Watches a folder,
 * copies sample pictures into it and shows their results. Exits by itself; the folder is kept.
 */
import { copyFile, mkdir, mkdtemp, readdir, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChargePoint } from '../shared/chargers/charger.ts'
import type { EngineEvent } from '../shared/contract/engine-port.ts'
import type { JobView } from '../shared/contract/jobs.ts'
import { ExitCode } from '../shared/runtime/exit-codes.ts'
import type { Output } from '../shared/jobs/job.ts'
import { hasEnded } from '../shared/sentences/job-states.ts'
import type { NoteCode } from '../shared/sentences/reasons.ts'
import { liveStateLabel } from '../shared/chargers/live-state.ts'
import { reasonText } from '../shared/sentences/reason-text.ts'
import { DEFAULT_RECIPE } from '../shared/recipes/recipe.ts'
import { orThrow } from '../shared/contract/call.ts'
import { changeText, columns, sizeText } from './cli/figures.ts'
import { countText, durationText } from './core/english-figures.ts'
import { QUICK_JOBS, startPracticeChild } from './children/practice-child.ts'
import { RunTotals } from './cli/run-totals.ts'
import { processTerminal } from './cli/terminal.ts'
import { startEngine, type Engine } from './engine/start-engine.ts'
import { forkChild } from './children/fork-child.ts'
import { openLog } from './log/log.ts'
import { realClock } from './engine/real-clock.ts'
import { createMemoryStore } from './secrets/memory-store.ts'
import { createHttp } from './services/http.ts'
import { VERSION } from './engine/version.ts'

const SAMPLES = join(import.meta.dirname, '..', '..', 'resources', 'samples')
const IS_PICTURE = /\.(?:jpg|png|gif|webp)$/
const LANGUAGES = ['en', 'de', 'fr']
/** It takes a quarter of a minute on a slow machine; after this something is wrong. */
const LONGEST_MS = 180_000

const terminal = processTerminal()
const say = (line = '') => terminal.out(line)

async function showDemo(): Promise<ExitCode> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hangar-demo-')))
  const folder = join(root, 'pictures')
  await mkdir(folder)
  say(`Hangar ${VERSION}: a demonstration on the practice service. Nothing leaves this computer, nothing is charged.`)
  say()
  const practice = await startPracticeChild(forkChild, { jobTime: QUICK_JOBS })
  const log = openLog({
    clock: realClock,
    level: 'warn',
    target: { kind: 'lines', write: (line) => terminal.err(line.trimEnd()) },
  })
  for (const key of [practice.apiKey, practice.partnerToken]) log.hideSecret(key)
  const engine = await startEngine({
    dataDir: join(root, 'data'),
    clock: realClock,
    random: Math.random,
    log,
    child: forkChild,
    http: createHttp({ clock: realClock, version: VERSION }),
    secrets: createMemoryStore('no_service'),
    practice: () => practice,
    overrides: {},
    scope: 'all',
    watch: true,
  })
  try {
    const before = (await orThrow(engine.call('credits.balance', {}))).balance
    const recipe = { ...DEFAULT_RECIPE, languages: LANGUAGES, naming: 'seo' as const }
    await orThrow(engine.call('folders.add', { path: folder, recipe, include: [], exclude: [] }))
    say(`Watching ${folder}`)
    say(`Recipe: describe in ${LANGUAGES.join(', ')}, compress, convert to WebP, SEO file names`)
    const names = (await readdir(SAMPLES)).filter((name) => IS_PICTURE.test(name))
    const settled = followPictures(engine, names)
    for (const name of names) await copyFile(join(SAMPLES, name), join(folder, name))
    say(`${countText(names.length, 'sample picture')} were put there.`)
    say()
    const startedMs = performance.now()
    const jobs = await settled
    showPictures(jobs)
    await showTotals(engine, jobs, before, performance.now() - startedMs)
    await showChargers(engine)
    say()
    say(`Look at them:  ${folder}`)
    say('Your own pictures, on the practice service:  npm run -s hangar -- run --practice DIR')
    say('Everything it can do:                        npm run -s hangar -- --help')
    return jobs.length === names.length && jobs.every((job) => job.state === 'done')
      ? ExitCode.ok
      : ExitCode.someNotDone
  } finally {
    await engine.stop(5000)
  }
}

/** Shows each picture as it ends and resolves when all have, or when the time is up. */
function followPictures(engine: Engine, names: readonly string[]): Promise<JobView[]> {
  const ended = new Map<string, JobView>()
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      unsubscribe()
      resolve([...ended.values()].sort((a, b) => (a.source.path < b.source.path ? -1 : 1)))
    }
    const timer = setTimeout(finish, LONGEST_MS)
    const take = (event: EngineEvent) => {
      if (event.type !== 'job' || event.from === event.job.state) return
      const { job } = event
      const name = basename(job.source.path)
      // Its own results show up in the folder too, and are recognised.
      if (!names.includes(name)) return
      if (event.from === null) say(`  seen      ${name}`)
      if (job.state === 'sending') say(`  sent      ${name}`)
      if (!hasEnded(job.state)) return
      say(`  ${job.state.padEnd(9)} ${name}`)
      ended.set(name, job)
      if (ended.size === names.length) finish()
    }
    const unsubscribe = engine.subscribe(take)
  })
}

function showPictures(jobs: readonly JobView[]): void {
  say()
  const rows = jobs.map((job) => {
    const { path, sizeBytes } = job.source
    if (job.state !== 'done')
      return [basename(path), job.state, '', '', job.reason === null ? '' : reasonText(job.reason, true)]
    const optimized = job.outputs.find(({ role }) => role === 'optimized')
    const converted = job.outputs.find(({ role }) => role === 'converted')
    const size = (output: Output | undefined, whyNone: string) =>
      output === undefined ? whyNone : `${sizeText(output.sizeBytes)} (${changeText(sizeBytes, output.sizeBytes)})`
    return [
      basename(path),
      sizeText(sizeBytes),
      size(optimized, whyNoFile(job, 'saved_too_little')),
      size(converted, job.image?.type === 'webp' ? 'is WebP' : whyNoFile(job, 'converted_not_kept')),
      altText(job, 'en'),
    ]
  })
  for (const line of columns([['PICTURE', 'BEFORE', 'COMPRESSED', 'WEBP', 'ALT TEXT'], ...rows])) say(line)
  const [first] = jobs.filter((job) => job.state === 'done')
  if (first === undefined) return
  say()
  say(`What was written for ${basename(first.source.path)}:`)
  for (const output of first.outputs) say(`  ${basename(output.path)}`)
  for (const code of LANGUAGES) say(`  ${code}: ${altText(first, code)}`)
}

/** Hangar writes no file that saves nothing, and a newcomer would look for it. */
function whyNoFile({ notes }: JobView, leftOut: NoteCode): string {
  return notes.some(({ code }) => code === leftOut) ? 'not smaller' : '–'
}

function altText(job: JobView, code: string): string {
  return job.result?.translations.find(({ languageCode }) => languageCode === code)?.seoAltText ?? '–'
}

async function showTotals(engine: Engine, jobs: readonly JobView[], before: number, tookMs: number): Promise<void> {
  const totals = new RunTotals()
  for (const job of jobs) totals.add(job)
  const { balance } = await orThrow(engine.call('credits.balance', {}))
  const { service } = await orThrow(engine.call('queue.status', {}))
  const done = jobs.filter((job) => job.state === 'done').length
  say()
  say(
    `${countText(done, 'picture')} in ${durationText(tookMs)}${totals.savingText()} · ${before - balance} practice credits · ${countText(service?.requests ?? 0, 'request')}`,
  )
}

async function showChargers(engine: Engine): Promise<void> {
  await orThrow(engine.call('chargers.refresh', {}))
  let set = await orThrow(engine.call('chargers.data', {}))
  for (; set === null; set = await orThrow(engine.call('chargers.data', {}))) await wait(100)
  const chargers = JSON.parse(Buffer.from(set.bytes).toString()) as ChargePoint[]
  const airfields = new Set(chargers.map(({ icao }) => icao)).size
  say()
  say(
    `${countText(chargers.length, 'charger')} at ${countText(airfields, 'airfield')} (sample data, not for navigation), such as:`,
  )
  const rows = chargers
    .slice(0, 4)
    .map(({ icao, airfield, kw, type, liveState }) => [
      `  ${icao ?? ''}`,
      airfield ?? '',
      `${type ?? ''} ${kw ?? '?'} kW`,
      liveStateLabel(liveState) ?? 'not live',
    ])
  for (const line of columns(rows)) say(line)
}

process.on('SIGINT', () => process.exit(ExitCode.interrupted))
process.on('SIGTERM', () => process.exit(ExitCode.interrupted))
const code = await showDemo().catch((error: unknown) => {
  terminal.err(`The demonstration stopped: ${error instanceof Error ? error.message : String(error)}`)
  return ExitCode.internal
})
await terminal.flush()
process.exit(code)
