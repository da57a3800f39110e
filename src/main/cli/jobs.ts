import { statSync } from 'node:fs'
import { resolve, basename, dirname, join } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ULID } from '../../shared/recipes/limits.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { nextStepText, reasonText } from '../../shared/sentences/reason-text.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { viewOf } from '../engine/calls/job-view.ts'
import { historyOf } from '../journal/history.ts'
import { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import { wordsOf } from '../journal/text-edits.ts'
import { realClock } from '../engine/real-clock.ts'
import { countText, durationText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { columns, pathText, sizeText } from './figures.ts'
import { isPractice, jobLine, reasonJson, jobText, noteLines } from './job-report.ts'
import { stateList, wholeNumber } from './parse-options.ts'
import { readJournal } from '../engine/stored-settings.ts'
import type { Sidecar } from '../../shared/jobs/sidecar.ts'
import { measureFile } from '../files/regular-file.ts'
import { findSidecars, sidecarOf } from '../files/sidecar-file.ts'
import { realAsFarAsItExists } from '../watch/real-path.ts'
import { sidecarPaths } from '../journal/outputs.ts'

interface JobsFlags {
  state?: JobState[]
  search?: string
  removed?: true
  limit: number
}

export function addJobsCommand(program: CliCommand, cli: Cli): void {
  program
    .command('jobs')
    .summary('list pictures and what became of them; with an id or a path, all about one')
    .description(
      'Lists pictures from the journal, newest first. With ids: everything about those. With folders: the pictures in them. With paths of pictures: what their sidecars know, also long after the journal has no job for them any more. Works while a watch runs.',
    )
    .argument('[id|path...]', 'pictures to show in full, and folders to list')
    .option('--state <states>', 'only these, as in failed,unknown,held', stateList)
    .option('--search <text>', 'only paths that contain this')
    .option('--removed', 'those that were taken off the list, instead of those on it')
    .option('--limit <n>', 'list at most this many', wholeNumber(1, 1_000_000), 50)
    .action(async (named: string[], flags: JobsFlags) => {
      if (named.length === 0) return listJobs(cli, flags)
      const ids = named.filter((one) => ULID.test(one))
      if (ids.length > 0) showJobs(cli, ids)
      for (const given of named.filter((one) => !ULID.test(one))) {
        const path = await realAsFarAsItExists(resolve(cli.cwd, given))
        if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) listJobs(cli, flags, path)
        else await showSidecar(cli, given, path)
      }
    })
}

const storeIn = (db: Db) => new JobStore(db, () => realClock.nowMs())

function listJobs({ terminal, cwd, dataDir }: Cli, flags: JobsFlags, below?: string): void {
  const query = withoutUndefined({ states: flags.state, search: flags.search, below, removed: flags.removed })
  const { jobs, total } = readJournal(dataDir, (db) => {
    const store = storeIn(db)
    const counts = store.count(query)
    const jobs = store.list({ ...query, newestFirst: true, limit: flags.limit }).map((job) => viewOf(db, job))
    return { jobs, total: Object.values(counts).reduce((sum, count) => sum + count, 0) }
  })
  for (const job of jobs) terminal.json(jobLine(job))
  if (jobs.length === 0) terminal.out('There are no pictures to list.')
  for (const line of columns(jobs.map((job) => [job.id, jobText(job, cwd)]))) terminal.out(line)
  if (jobs.length < total && !terminal.isJson)
    terminal.err(`${countText(total - jobs.length, 'older picture')} not shown; --limit shows more.`)
}

async function showSidecar({ terminal, cwd, dataDir }: Cli, given: string, path: string): Promise<void> {
  const folders = readJournal(dataDir, (db) => sidecarPaths(db, path).map(dirname))
  const report = await reportOf(path, folders)
  if (report === null) throw new AppError('bad_request', say('cli_nothing_known', { path: given }))
  const { sidecarPath, sidecar, present } = report
  terminal.json({ event: 'sidecar', path, sidecarPath, present, ...sidecar })
  for (const line of reportLines(report, cwd)) terminal.out(line)
}

function showJobs({ terminal, cwd, dataDir }: Cli, ids: string[]): void {
  const shown = readJournal(dataDir, (db) =>
    ids.flatMap((id) => {
      const job = storeIn(db).getAny(id.toUpperCase())
      return job === null ? [] : [{ job: viewOf(db, job), words: wordsOf(db, job), history: historyOf(db, job.id) }]
    }),
  )
  const missing = ids.find((id) => !shown.some(({ job }) => job.id === id.toUpperCase()))
  if (missing !== undefined) throw new AppError('bad_request', say('cli_no_such_pictures', { ids: missing }))
  for (const { job, words, history } of shown) {
    terminal.json({
      ...jobLine(job, words),
      history: history.map((entry) => ({ ...entry, reason: entry.reason && reasonJson(entry.reason) })),
    })
    terminal.out(`${job.id}  ${pathText(job.source.path, cwd)}  ${sizeText(job.source.sizeBytes)}`)
    terminal.out(`  ${job.state}${job.reason === null ? '' : `: ${reasonText(job.reason, isPractice(job))}`}`)
    if (job.removedAtMs !== null)
      terminal.out(`  taken off the list ${durationText(realClock.nowMs() - job.removedAtMs)} ago`)
    // The path is in the line above.
    for (const step of job.nextSteps.filter((step) => step !== 'show_file'))
      terminal.out(`  ${nextStepText(step, isPractice(job))}`)
    for (const note of noteLines(job)) terminal.out(`  ${note.trim()}`)
    for (const { role, path, sizeBytes } of job.outputs)
      terminal.out(`  ${role}: ${pathText(path, cwd)}  ${sizeText(sizeBytes)}`)
    if (words.decorative) terminal.out('  decorative: needs no text')
    for (const { original, ...text } of words.texts) terminal.out(textLine({ ...text, edited: original !== null }))
    for (const { atMs, event, state } of history)
      terminal.out(`  ${durationText(realClock.nowMs() - atMs)} ago: ${event}, ${state}`)
  }
}

/** What a sidecar knows, whether or not the journal has a job for the picture. */
interface SidecarReport {
  path: string
  sidecarPath: string
  sidecar: Sidecar
  /** Results that exist with the listed bytes. */
  present: string[]
}

/** Null without a sidecar in these folders. The one of the content that the picture has now comes first, else any of its name. */
async function reportOf(path: string, folders: readonly string[]): Promise<SidecarReport | null> {
  const now = (await measureFile(path))?.sha256 ?? ''
  const dirs = [...new Set([dirname(path), ...folders])]
  const all = await Promise.all(dirs.map((dir) => findSidecars(dir, basename(path))))
  const found = sidecarOf(all.flat(), now) ?? all.flat()[0]
  if (found === undefined) return null
  const { path: sidecarPath, sidecar } = found
  const present: string[] = []
  const dir = dirname(sidecarPath)
  for (const { name, sha256 } of sidecar.outputs)
    if ((await measureFile(join(dir, name)))?.sha256 === sha256) present.push(join(dir, name))
  return { path, sidecarPath, sidecar, present }
}

interface ShownText {
  languageCode: string
  altText: string
  seoFilename: string
  edited?: boolean | undefined
  byRule?: boolean | undefined
}

function textLine({ languageCode, altText, seoFilename, edited, byRule }: ShownText): string {
  const mark = edited !== true ? '' : byRule === true ? ' (by a word rule)' : ' (edited)'
  return `  ${languageCode}: ${altText}${seoFilename === '' ? '' : `  [${seoFilename}]`}${mark}`
}

function reportLines({ path, sidecarPath, sidecar, present }: SidecarReport, cwd: string): string[] {
  const { source, recipe, translations, outputs, notes, madeAt } = sidecar
  const file = ({ role, name, sizeBytes, of }: (typeof outputs)[number]) => {
    const at = join(dirname(sidecarPath), name)
    return `  ${role}: ${pathText(at, cwd)}  ${sizeText(sizeBytes)}${of === undefined ? '' : ' (of an earlier picture)'}${present.includes(at) ? '' : ' (gone or changed)'}`
  }
  const text = ({ seoAltText: altText, ...more }: (typeof translations)[number]) => textLine({ ...more, altText })
  const earlier = ({ sha256, translations: words }: NonNullable<Sidecar['earlier']>[number]) => [
    `  said about an earlier picture of this name (${sha256.slice(0, 16)}):`,
    ...words.map((one) => `  ${text(one)}`),
  ]
  return [
    `${pathText(path, cwd)}  ${sizeText(source.sizeBytes)}`,
    `  as its sidecar has it: ${pathText(sidecarPath, cwd)}, made ${madeAt}`,
    `  ${recipe.operation}, ${recipe.languages.join(', ')}${sidecar.decorative === true ? ', decorative' : ''}`,
    ...notes.map((note) => `  note: ${note}`),
    // What stood in the original's place before comes first.
    ...outputs.filter(({ name }, n) => outputs.findLastIndex((output) => output.name === name) === n).map(file),
    ...translations.map(text),
    ...(sidecar.earlier ?? []).flatMap(earlier),
  ]
}
