import { join, resolve } from 'node:path'
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings/settings.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import { VERSION } from '../engine/version.ts'
import { readSmallFile } from '../files/regular-file.ts'
import { writeWhole } from '../files/write-whole.ts'
import { LOG_FILE_BYTES, LOGS_FOLDER } from '../log/log.ts'
import { diagnostics, LOG_LINES, LogTail } from '../page/diagnostics.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'
import { rememberedFolders, type RememberedFolder } from './folders.ts'

/** `hangar diagnostics`: what the window saves for a report, from the data folder alone. */
export function addDiagnosticsCommand(program: CliCommand, cli: Cli): void {
  program
    .command('diagnostics')
    .summary('facts for a report about a problem')
    .description(
      'Prints versions, settings, counts and the last lines of the log as JSON, for a report: no keys, addresses, paths, file names or texts. Reads the data folder, also while a Hangar runs, and when its journal cannot be read.',
    )
    .option('--output <file>', 'into this file, which is replaced, instead of standard output')
    .action(({ output }: { output?: string }) => report(cli, output))
}

async function report({ terminal, dataDir, cwd }: Cli, output: string | undefined): Promise<void> {
  const { settings, folders } = await stored(dataDir)
  const text = await diagnostics({
    version: VERSION,
    dataDir,
    settings,
    folders: folders.map(({ folder, state }) => ({ ...folder, state })),
    service: null,
    log: await lastLogEntries(dataDir),
  })
  if (output === undefined) return terminal.raw(text)
  const file = resolve(cwd, output)
  await writeWhole(file, text)
  terminal.err(`Written to ${pathText(file, cwd)}.`)
}

/** Without what a journal that cannot be read holds: the report says that it cannot. */
async function stored(dataDir: string): Promise<{ settings: Settings; folders: readonly RememberedFolder[] }> {
  try {
    return { settings: storedSettings(dataDir), folders: await rememberedFolders(dataDir) }
  } catch {
    return { settings: DEFAULT_SETTINGS, folders: [] }
  }
}

/** The end of the log of the window, or of `hangar serve`. Other commands keep none. */
async function lastLogEntries(dataDir: string): Promise<ReturnType<LogTail['last']>> {
  const tail = new LogTail()
  for (const name of ['hangar.1.log', 'hangar.log']) {
    const bytes = await readSmallFile(join(dataDir, LOGS_FOLDER, name), LOG_FILE_BYTES).catch(() => null)
    for (const line of bytes?.toString('utf8').split('\n') ?? []) tail.write(line)
  }
  return tail.last(LOG_LINES)
}
