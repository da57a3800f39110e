import { resolve } from 'node:path'
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings/settings.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import { VERSION } from '../engine/version.ts'
import { writeWhole } from '../files/write-whole.ts'
import { diagnostics } from '../page/diagnostics.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'
import { rememberedFolders, type RememberedFolder } from './folders.ts'

/** What the window saves for a report, from the data folder alone. */
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
  })
  if (output === undefined) return terminal.raw(text)
  const file = resolve(cwd, output)
  await writeWhole(file, text)
  terminal.err(`Written to ${pathText(file, cwd)}.`)
}

/** Defaults for a journal that cannot be read: the report says so. */
async function stored(dataDir: string): Promise<{ settings: Settings; folders: readonly RememberedFolder[] }> {
  try {
    return { settings: storedSettings(dataDir), folders: await rememberedFolders(dataDir) }
  } catch {
    return { settings: DEFAULT_SETTINGS, folders: [] }
  }
}
