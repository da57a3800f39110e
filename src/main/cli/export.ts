import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import { ExportFormat, ExportProfile } from '../../shared/contract/texts.ts'
import { EXPORT_FILES, formatOfFile, type ExportedJob } from '../../shared/presentation/export-jobs.ts'
import type { Job } from '../../shared/jobs/job.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { viewOf } from '../engine/calls/job-view.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { isInside } from '../files/real-path.ts'
import { realAsFarAsItExists } from '../watch/real-path.ts'
import { writeWhole } from '../files/write-whole.ts'
import { JobStore } from '../journal/job-store.ts'
import type { Db } from '../journal/journal.ts'
import { wordsChangedAtMs, wordsOf } from '../journal/text-edits.ts'
import { exportTexts, type ExportWishes } from '../page/export-texts.ts'
import { exportedJob } from '../page/job-row.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'
import { anyLanguageList, oneLanguage, pointInTime, shortText, stateList, webAddress } from './parse-options.ts'

interface ExportFlags {
  format?: ExportFormat
  output?: string
  state?: JobState[]
  search?: string
  batch?: string
  since?: number
  languages?: string[]
  from?: string
  to?: string
  profile?: ExportProfile
  baseUrl?: string
  root?: string
}

export function addExportCommand(program: CliCommand, cli: Cli): void {
  program
    .command('export')
    .summary('texts and results of pictures as CSV, JSON, HTML, Markdown or XLIFF')
    .description(
      'Writes what became of pictures, with their texts as a person may have edited them, for spreadsheets, translators, shops, pages and programs: of all pictures that have results, or of those named. Each picture appears once, with its latest results. Reads the journal, sends nothing, and works while a watch runs.',
    )
    .argument('[path...]', 'only these pictures, and those in these folders')
    .addOption(
      new Option('--format <format>', 'without it, as --output ends, and else csv').choices(ExportFormat.options),
    )
    .option('--output <file>', 'into this file, which is replaced when all is written, instead of standard output')
    .option('--state <states>', 'of pictures in these states, instead of all that have results', stateList)
    .option('--search <text>', 'only paths that contain this')
    .option('--batch <id>', 'only what was handed in at once, as the events of a run name it', shortText(40))
    .option('--since <time>', 'only what was done or edited since then, as in 2026-05-01T09:00+02:00', pointInTime)
    .option(
      '--languages <codes>',
      'only these languages, as in en,de; for CSV and JSON also new ones, to be filled in',
      anyLanguageList,
    )
    .option('--from <code>', 'for XLIFF, the source language; English without it', oneLanguage)
    .option('--to <code>', 'for XLIFF, the target language, also a new one; existing texts are included', oneLanguage)
    .addOption(
      new Option(
        '--profile <program>',
        'a CSV table that this program can import, in one language; needs --base-url',
      ).choices(ExportProfile.options),
    )
    .option('--base-url <address>', 'the web address of the folder, for a profile, HTML and Markdown', webAddress)
    .option('--root <folder>', 'the folder that lies at --base-url; without it, the folder that is named')
    .addHelpText(
      'after',
      `
Examples:
  hangar export --output texts.csv
  hangar export ~/Pictures/shop --format html > shop.html
  hangar export --since 2026-05-01T00:00Z --format json | jq '.[].texts'
  hangar export --from en --to de --output german.xlf
  hangar export ~/shop --profile shopify --languages en --base-url https://cdn.example.com/shop --output products.csv`,
    )
    .action((paths: string[], flags: ExportFlags) => exportPictures(cli, paths, flags))
}

async function exportPictures(cli: Cli, paths: string[], flags: ExportFlags): Promise<void> {
  const { terminal, cwd } = cli
  const format = formatOf(cli, flags)
  const file = flags.output === undefined ? null : resolve(cwd, flags.output)
  const places = await Promise.all(paths.map((path) => realAsFarAsItExists(resolve(cwd, path))))
  const jobs = readJournal(cli.dataDir, (db) => readJobs(db, places, flags))
  const unknown = paths.find((_, nth) => !jobs.some(({ path }) => isInside(places[nth]!, path)))
  if (unknown !== undefined) throw new AppError('bad_request', say('cli_nothing_to_export', { path: unknown }))
  const wishes = await wishesOf(flags, format, places, cwd)
  // A file is opened by a spreadsheet, which needs the mark; what reads a pipe does not expect it.
  const { text, tooLong, leftOut } = exportTexts(jobs, wishes, file !== null)
  if (file === null) terminal.raw(text)
  else await writeWhole(file, text)
  const count = countText(jobs.length - leftOut, 'picture')
  terminal.err(file === null ? `${count}.` : `${count} in ${pathText(file, cwd)}.`)
  if (leftOut > 0)
    terminal.err(
      `${countText(leftOut, 'picture')} left out: without a text in the language, or with a name that the file cannot hold.`,
    )
  if (tooLong > 0) terminal.err(`${countText(tooLong, 'alt text')} longer than ${flags.profile} takes.`)
}

/** Throws `bad_request` if the flags contradict each other: a picture is never overwritten by a slip of the hand. */
function formatOf({ options: { json } }: Cli, { format, output, profile }: ExportFlags): ExportFormat {
  const ofFile = output === undefined ? null : formatOfFile(output)
  const wanted = format ?? (json === true ? 'json' : (ofFile ?? 'csv'))
  if (json === true && wanted !== 'json') throw new AppError('bad_request', say('cli_two_formats', { format: wanted }))
  if (output !== undefined && wanted !== ofFile) {
    const [ending] = EXPORT_FILES[wanted].endings
    throw new AppError('bad_request', say('cli_export_ending', { path: output, format: wanted, ending }))
  }
  if (profile !== undefined && wanted !== 'csv')
    throw new AppError('bad_request', say('cli_profile_is_csv', { profile }))
  return wanted
}

/** Throws `bad_request` for addresses without their folder, a profile without them, and options that mean nothing for the format. */
async function wishesOf(
  flags: ExportFlags,
  format: ExportFormat,
  places: readonly string[],
  cwd: string,
): Promise<ExportWishes> {
  const { profile, languages, from, to, baseUrl, root } = flags
  const useless = [
    format === 'xliff' ? languages && '--languages' : ((from && '--from') ?? (to && '--to')),
    profile === undefined && format !== 'html' && format !== 'markdown' ? baseUrl && '--base-url' : undefined,
    baseUrl === undefined ? root && '--root' : undefined,
  ].find((option) => option !== undefined)
  if (useless !== undefined)
    throw new AppError('bad_request', say('cli_option_without_use', { option: useless, format }))
  const wishes = { format, profile, languages, from, to }
  if (baseUrl === undefined) {
    if (profile !== undefined) throw new AppError('bad_request', say('cli_profile_needs_address', { profile }))
    return wishes
  }
  const folder = root === undefined ? await onlyFolder(places) : resolve(cwd, root)
  if (folder === null) throw new AppError('bad_request', say('cli_address_needs_root'))
  return { ...wishes, published: { baseUrl, root: await realpath(folder).catch(() => folder) } }
}

/** The one folder that was named, or that of the one picture. */
async function onlyFolder([place, ...others]: readonly string[]): Promise<string | null> {
  if (place === undefined || others.length > 0) return null
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    () => true,
  )
  return isFolder ? place : dirname(place)
}

/** By path; of several jobs of a picture, the newest. */
function readJobs(db: Db, places: readonly string[], { state, search, batch, since }: ExportFlags): ExportedJob[] {
  const query = withoutUndefined({ states: state, search, batchId: batch })
  const isRecent = (job: Job) => since === undefined || Math.max(job.updatedAtMs, wordsChangedAtMs(db, job)) >= since
  // Null for a picture whose newest job is too old.
  const newest = new Map<string, ExportedJob | null>()
  for (const job of new JobStore(db, () => realClock.nowMs()).each({ ...query, newestFirst: true })) {
    const { path } = job.source
    const hasResults = job.result !== null || job.outputs.length > 0
    const isWanted = places.length === 0 || places.some((place) => isInside(place, path))
    if (isWanted && !newest.has(path) && (hasResults || state !== undefined))
      newest.set(path, isRecent(job) ? exportedJob(viewOf(db, job), wordsOf(db, job)) : null)
  }
  return [...newest.values()].filter((job) => job !== null).sort((a, b) => (a.path < b.path ? -1 : 1))
}
