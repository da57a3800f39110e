import { resolve } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { listText } from '../../shared/text/list-text.ts'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { KeptAircraft } from '../../shared/settings/settings.ts'
import { storedFolders, storedSettings } from '../engine/stored-settings.ts'
import { writeWhole } from '../files/write-whole.ts'
import { applyChanges, settingChangeText, valueText, AIRCRAFT, configOf, placeConfig } from './config-changes.ts'
import type { ConfigChanges, NewFolder, ValueChange } from './config-changes.ts'
import { mayChange } from './ask.ts'
import type { Cli, CliCommand } from './command.ts'
import { configSchema, readConfigFile } from './config-shape.ts'
import { pathText } from './figures.ts'
import { sayProblems } from './config-problems.ts'

/** `hangar config`: the configuration as a file. */
export function addConfigCommand(program: CliCommand, cli: Cli): void {
  const config = program
    .command('config')
    .summary('the configuration as a file: write it, check it, take it over')
    .description(
      'The configuration as one JSON file: the default recipe, watched folders with their recipes, caps, notifications, chargers, aircraft, appearance. It holds no keys, no addresses of services and no ids of this computer.',
    )
  config
    .command('export')
    .description('Writes the configuration of this computer.')
    .option('--output <file>', 'into this file, which is replaced, instead of standard output')
    .action(({ output }: { output?: string }) => exportConfig(cli, output))
  config
    .command('check')
    .description('Lists everything that is wrong with a configuration, and changes nothing.')
    .argument('<file>', 'a configuration')
    .action((file: string) => checkConfig(cli, file))
  config
    .command('import')
    .description(
      'Applies a configuration: shows what would change, asks, and changes it as if it had been typed. What it does not name stays as it is, and no folder is removed. Pictures in new folders stay as they are; a known folder, a higher cap or resendUnknownOnce may let pictures be sent.',
    )
    .argument('<file>', 'a configuration')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('-y, --yes', 'apply it without asking')
    .action((file: string, flags: ImportFlags) => importConfig(cli, file, flags))
  config
    .command('schema')
    .description('Prints the JSON schema of a configuration, with which editors complete and check one.')
    .plainAction(() => cli.terminal.raw(configSchema()))
}

async function exportConfig({ terminal, dataDir, cwd }: Cli, output: string | undefined): Promise<void> {
  if (output !== undefined && !/\.json$/i.test(output))
    throw new AppError('bad_request', say('cli_export_ending', { path: output, format: 'json', ending: 'json' }))
  const config = configOf(storedSettings(dataDir), storedFolders(dataDir))
  if (output !== undefined) {
    const file = resolve(cwd, output)
    await writeWhole(file, `${jsonText(config, 2)}\n`)
    terminal.err(`The configuration is in ${pathText(file, cwd)}.`)
  } else if (terminal.isJson) terminal.json(config)
  else terminal.raw(`${jsonText(config, 2)}\n`)
}

async function checkConfig(cli: Cli, given: string): Promise<ExitCode> {
  if ((await changesOf(cli, given)) === null) return ExitCode.usage
  cli.terminal.json({ event: 'config', problems: 0 })
  cli.terminal.out('The configuration is valid.')
  return ExitCode.ok
}

interface ImportFlags {
  dryRun?: boolean
  yes?: boolean
}

async function importConfig(cli: Cli, given: string, flags: ImportFlags): Promise<ExitCode> {
  const { terminal } = cli
  const changes = await changesOf(cli, given)
  if (changes === null) return ExitCode.usage
  const count = changes.settings.length + changes.added.length + changes.changed.length
  for (const line of changeLines(changes)) terminal.out(line)
  const agreed = flags.dryRun === true || count === 0 ? null : await mayChange(terminal, flags, 'Change this?')
  if (agreed === true) await applyChanges(cli, changes)
  terminal.json({
    event: 'config',
    dryRun: flags.dryRun === true,
    changed: agreed === true,
    settings: changes.settings,
    added: changes.added.map(({ folder }) => folder),
    folders: changes.changed.map(({ id, path, values }) => ({ id, path, changes: values })),
  })
  if (agreed === true && !terminal.isJson) terminal.err('Changed.')
  if (count === 0 && !terminal.isJson) terminal.err('Nothing to change.')
  return agreed === false ? ExitCode.someNotDone : ExitCode.ok
}

function changeLines({ settings, added, changed }: ConfigChanges): string[] {
  return [
    ...settings.flatMap((value) => (value.name === AIRCRAFT ? aircraftLines(value) : [settingChangeText(value)])),
    ...added.flatMap(({ folder, values }) => [newFolderLine(folder), ...values.map(valueLine)]),
    ...changed.flatMap(({ path, values }) => [`Folder: ${path}`, ...values.map(valueLine)]),
  ]
}

/** All figures of a new aircraft; of another what differs. */
function aircraftLines({ from, to }: ValueChange): string[] {
  return (to as readonly KeptAircraft[]).flatMap(({ id, name, rangeNm, reserve, ...more }) => {
    const before = (from as readonly Record<string, unknown>[]).find((one) => one.id === id)
    const figures = Object.entries({ ...(before && { name }), rangeNm, reserve, ...more }).filter(
      ([figure, value]) => valueText(value) !== valueText(before?.[figure] ?? (Array.isArray(value) ? [] : null)),
    )
    if (before === undefined)
      return [`New aircraft: ${name}`, ...figures.map(([figure, value]) => `  ${figure}: ${valueText(value)}`)]
    const lines = figures.map(([figure, value]) => valueLine({ name: figure, from: before[figure], to: value }))
    return lines.length === 0 ? [] : [`Aircraft: ${name}`, ...lines]
  })
}

const valueLine = (value: ValueChange) => `  ${settingChangeText(value)}`

function newFolderLine({ path, recipe: { operation, languages } }: NewFolder['folder']): string {
  return `New folder: ${path} (${operation}, ${listText(languages, 'en')}; what is in it now stays as it is)`
}

/** Null after all that is wrong with it was said. */
async function changesOf(cli: Cli, given: string): Promise<ConfigChanges | null> {
  const file = resolve(cli.cwd, given)
  const read = await readConfigFile(file)
  if (!read.ok) return sayProblems(cli, read.problems)
  const { dataDir } = cli
  const [settings, folders] = [storedSettings(dataDir), storedFolders(dataDir)]
  const { changes, problems } = await placeConfig(read.config, { file, dataDir, settings, folders })
  return problems.length === 0 ? changes : sayProblems(cli, problems)
}
