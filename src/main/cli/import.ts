import { resolve } from 'node:path'
import { Option } from 'commander'
import { TextFormat, type TextEdits } from '../../shared/contract/texts.ts'
import { formatOfFile } from '../../shared/presentation/export-jobs.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { MatchedTexts } from '../engine/calls/match-texts.ts'
import { countText } from '../core/english-figures.ts'
import { mayChange } from './ask.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'
import type { z } from 'zod'
import { MAX_EDITS } from '../../shared/recipes/limits.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { withEngine } from './with-engine.ts'

interface ImportFlags {
  format?: TextFormat
  dryRun?: boolean
  yes?: boolean
}

/** Changes that are shown before they are made. */
const SHOWN = 10

export function addImportCommand(program: CliCommand, cli: Cli): void {
  program
    .command('import')
    .summary('take texts back that a person or a translator edited')
    .description(
      'Takes alt texts and file names from a table, a JSON or an XLIFF file that "hangar export" wrote, after it was edited or translated: as if each had been typed, into sidecars and results too. Pictures are found by their content where the file names it, as an export does, and else by their paths. An empty cell changes nothing. Files keep their names. Sends nothing and costs nothing.',
    )
    .argument('<file>', 'as "hangar export" wrote it, edited')
    .addOption(new Option('--format <format>', 'without it, as the name of the file ends').choices(TextFormat.options))
    .option('--dry-run', 'show what would change, and change nothing')
    .option('-y, --yes', 'change the texts without asking')
    .addHelpText(
      'after',
      `
Examples:
  hangar export --output texts.csv
  hangar import texts.csv --dry-run
  hangar import texts.csv --yes
  hangar import translated.xlf --yes`,
    )
    .action((file: string, flags: ImportFlags) => importTexts(cli, resolve(cli.cwd, file), flags))
}

async function importTexts(cli: Cli, file: string, flags: ImportFlags): Promise<ExitCode> {
  const asked = { format: formatOf(file, flags), file, folder: cli.cwd }
  const matched = await withEngine(cli, (ask) => ask('jobs.matchTexts', asked))
  const { changes, unchanged: _, ...left } = matched
  const problems = Object.values(left).flat().length
  if (!cli.terminal.isJson) showMatched(cli, matched)
  const edits = changes.map(({ path: _, ...edit }) => edit)
  const done = flags.dryRun === true ? NOTHING_CHANGED : await changeShown(cli, flags, edits)
  if (done !== null || cli.terminal.isJson) report(cli, flags, matched, done ?? NOTHING_CHANGED)
  return problems === 0 && isAllChanged(done) ? ExitCode.ok : ExitCode.someNotDone
}

function formatOf(file: string, { format }: ImportFlags): TextFormat {
  const given = format ?? (/\.tsv$/i.test(file) ? 'csv' : TextFormat.safeParse(formatOfFile(file)).data)
  if (given === undefined) throw new AppError('bad_request', say('cli_import_format', { path: file }))
  return given
}

function showMatched({ terminal, cwd }: Cli, matched: MatchedTexts): void {
  const { changes, unread, unknown, otherContent, noLanguages, tooLong, contradictory } = matched
  for (const { path, languageCode, altText, seoFilename } of changes.slice(0, SHOWN)) {
    terminal.out(`${pathText(path, cwd)} (${languageCode})`)
    for (const change of [altText, seoFilename]) {
      if (change === null) continue
      if (change.seen !== '') terminal.out(`  - ${change.seen.replaceAll(/\s+/g, ' ')}`)
      terminal.out(`  + ${change.to.replaceAll(/\s+/g, ' ')}`)
    }
  }
  if (changes.length > SHOWN) terminal.out(`… and ${countText(changes.length - SHOWN, 'more text')}.`)
  const list = (paths: readonly string[], why: string): void => {
    for (const path of paths.slice(0, SHOWN)) terminal.err(`${pathText(path, cwd)}: ${why}`)
    if (paths.length > SHOWN) terminal.err(`… and ${paths.length - SHOWN} more: ${why}`)
  }
  const named = (texts: readonly { path: string; languageCode: string }[]) =>
    texts.map(({ path, languageCode }) => `${path} (${languageCode})`)
  if (unread.length > 0)
    terminal.err(
      `Left out, since no picture is named or the cells are not separated as in the header: ${countText(unread.length, 'record')} (${unread.slice(0, SHOWN).join(', ')}${unread.length > SHOWN ? ' …' : ''}).`,
    )
  list(unknown, 'no picture with texts is known there.')
  list(otherContent, 'another picture is there now; the one that the texts are about is not known elsewhere.')
  for (const code of noLanguages) terminal.err(`"${code}" is not the code of a language, such as sv or pt-br.`)
  list(named(tooLong), 'the text is too long.')
  list(named(contradictory), 'the file has different texts for the same picture; none of them is taken.')
}

function report({ terminal }: Cli, flags: ImportFlags, matched: MatchedTexts, done: Changed): void {
  if (terminal.isJson) terminal.json({ event: 'import', dryRun: flags.dryRun === true, ...done, ...figures(matched) })
  else if (flags.dryRun === true)
    terminal.err(`${countText(matched.changes.length, 'text')} would change, ${matched.unchanged} would not.`)
  else terminal.err(`${countText(done.changed, 'text')} changed, ${matched.unchanged} already matched.`)
}

const figures = ({ changes, ...rest }: MatchedTexts) => ({
  changes: changes.map(({ path, languageCode, altText, seoFilename }) => ({
    path,
    languageCode,
    altText,
    seoFilename,
  })),
  ...rest,
})

/** `left`: texts that are others by now. `unwritten`: files without the texts as yet, and `why` the first. */
interface Changed {
  changed: number
  left: number
  unwritten: number
  why: string | null
}

export const NOTHING_CHANGED: Changed = { changed: 0, left: 0, unwritten: 0, why: null }

/** Once a person agrees; null where nobody does. */
export async function changeShown(
  cli: Cli,
  flags: { yes?: boolean },
  edits: z.infer<typeof TextEdits>,
): Promise<Changed | null> {
  const { terminal } = cli
  const texts = countText(edits.length, 'text')
  if (edits.length === 0) return NOTHING_CHANGED
  if (!(await mayChange(terminal, flags, `Change ${texts}?`, `${texts} would change. `))) return null
  const all = { ...NOTHING_CHANGED }
  await withEngine(cli, async (ask) => {
    for (let at = 0; at < edits.length; at += MAX_EDITS) {
      const part = edits.slice(at, at + MAX_EDITS)
      const { changed, unwritten, why } = await ask('jobs.editTexts', { edits: part })
      all.changed += changed.length
      all.left += part.length - changed.length
      all.unwritten += unwritten
      all.why ??= why === null ? null : englishText(why)
      if (edits.length > MAX_EDITS && !terminal.isJson) terminal.err(`${all.changed + all.left} of ${texts}`)
    }
  })
  if (all.left > 0) terminal.err(`${countText(all.left, 'text')} changed meanwhile and left alone.`)
  const why = all.why === null ? '.' : `: ${all.why}`
  if (all.unwritten > 0) terminal.err(`${countText(all.unwritten, 'file')} without the new texts as yet${why}`)
  return all
}

export const isAllChanged = (done: Changed | null): boolean => done !== null && done.left + done.unwritten === 0
