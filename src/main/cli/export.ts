import { extname, resolve } from 'node:path'
import { Option, type Command } from 'commander'
import {
  EXPORT_FORMATS,
  exportJobs,
  type ExportedJob,
  type ExportFormat,
} from '../../shared/presentation/export-jobs.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { viewOf } from '../engine/calls/job-view.ts'
import { chooseDataDir } from '../engine/data-dir.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { isInside } from '../files/real-path.ts'
import { writeText } from '../files/write-text.ts'
import { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import { wordsChangedAtMs, wordsOf } from '../journal/text-edits.ts'
import { exportedJob } from '../page/job-row.ts'
import type { Cli } from './cli-context.ts'
import { countText, pathText } from './figures.ts'
import { addCommonOptions, type CommonFlags } from './options.ts'
import { pointInTime, shortText, stateList } from './parse-options.ts'

interface ExportFlags extends CommonFlags {
  format?: ExportFormat
  output?: string
  state?: JobState[]
  search?: string
  batch?: string
  since?: number
}

export function addExportCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('export')
    .summary('texts and results of pictures as CSV, JSON or HTML')
    .description(
      'Writes what became of pictures, with their texts as a person may have edited them, for spreadsheets, shops and programs: of all pictures that have results, or of those named. Each picture appears once, with its latest results. Reads the journal, sends nothing, and works while a watch runs.',
    )
    .argument('[path...]', 'only these pictures, and those in these folders')
    .addOption(new Option('--format <format>', 'without it, as --output ends, and else csv').choices(EXPORT_FORMATS))
    .option('--output <file>', 'into this file, which is replaced when all is written, instead of standard output')
    .option('--state <states>', 'of pictures in these states, instead of all that have results', stateList)
    .option('--search <text>', 'only paths that contain this')
    .option('--batch <id>', 'only what was handed in at once, as the events of a run name it', shortText(40))
    .option('--since <time>', 'only what was done or edited since then, as in 2026-05-01T09:00+02:00', pointInTime)
    .addHelpText(
      'after',
      `
Examples:
  hangar export --output texts.csv
  hangar export ~/Pictures/shop --format html > shop.html
  hangar export --since 2026-05-01T00:00Z --format json | jq '.[].texts'`,
    )
  addCommonOptions(command).action(async (paths: string[], flags: ExportFlags) =>
    finish(await exportPictures(cli, paths, flags)),
  )
}

async function exportPictures(cli: Cli, paths: string[], flags: ExportFlags): Promise<ExitCode> {
  const { terminal, cwd } = cli
  const format = formatOf(flags)
  const file = flags.output === undefined ? null : resolve(cwd, flags.output)
  const places = paths.map((path) => resolve(cwd, path))
  const read = (db: Db) => readJobs(db, places, flags)
  const jobs = readJournal<ExportedJob[]>(chooseDataDir(flags.dataDir, cli.env), [], read)
  const unknown = paths.find((_, nth) => !jobs.some(({ path }) => isInside(places[nth]!, path)))
  if (unknown !== undefined) throw new AppError('bad_request', say('cli_nothing_to_export', { path: unknown }))
  // A file is opened by a spreadsheet, which needs the mark; what reads a pipe does not expect it.
  const text = exportJobs(format, jobs, { byteOrderMark: file !== null })
  if (file === null) terminal.raw(text)
  else await writeText(file, text)
  const count = countText(jobs.length, 'picture')
  terminal.err(file === null ? `${count}.` : `${count} in ${pathText(file, cwd)}.`)
  return ExitCode.ok
}

/** Throws `bad_request` where the flags contradict each other: a picture is never overwritten by a slip of the hand. */
function formatOf({ format, output, json }: ExportFlags): ExportFormat {
  const ending = output === undefined ? null : extname(output).slice(1).toLowerCase()
  const wanted = format ?? (json === true ? 'json' : EXPORT_FORMATS.find((one) => one === ending))
  if (json === true && wanted !== 'json')
    throw new AppError('bad_request', say('cli_two_formats', { format: wanted ?? '' }))
  if (output !== undefined && (wanted === undefined || wanted !== ending))
    throw new AppError('bad_request', say('cli_export_ending', { path: output, ending: wanted ?? 'csv' }))
  return wanted ?? 'csv'
}

/** In the order of their paths; of several jobs of a picture, the newest. `places`: only these pictures and folders, or all. */
function readJobs(db: Db, places: readonly string[], { state, search, batch, since }: ExportFlags): ExportedJob[] {
  const query = withoutUndefined({ states: state, search, batchId: batch })
  const newest = new Map<string, Job>()
  for (const job of new JobStore(db, () => realClock.nowMs()).list({ ...query, newestFirst: true })) {
    const { path } = job.source
    const hasResults = job.result !== null || job.outputs.length > 0
    const isWanted = places.length === 0 || places.some((place) => isInside(place, path))
    if (isWanted && !newest.has(path) && (hasResults || state !== undefined)) newest.set(path, job)
  }
  return [...newest.values()]
    .filter((job) => since === undefined || Math.max(job.updatedAtMs, wordsChangedAtMs(db, job)) >= since)
    .sort((a, b) => (a.source.path < b.source.path ? -1 : 1))
    .map((job) => exportedJob(viewOf(db, job), wordsOf(db, job)))
}
