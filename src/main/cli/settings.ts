import { join } from 'node:path'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { jsonIn } from '../core/read-json.ts'
import { storedFolders, storedSettings } from '../engine/stored-settings.ts'
import { applyChanges, settingChangeText, valueText, singleSettings, placeConfig } from './config-changes.ts'
import type { Cli, CliCommand } from './command.ts'
import { columns } from './figures.ts'
import { sayProblems, type Problem } from './config-problems.ts'
import { checkConfig, type ReadConfig } from './config-shape.ts'

/** By their names in a configuration, as in `caps.perDay`. */
export function addSettingsCommand(program: CliCommand, cli: Cli): void {
  const settings = program
    .command('settings')
    .summary('read and change single settings')
    .description('Reads and changes single settings by their names in a configuration, as in caps.perDay.')
  settings
    .command('get')
    .description('Prints one setting, or all.')
    .argument('[name]', 'as in caps.perDay')
    .action((name: string | undefined) => getSettings(cli, name))
  settings
    .command('set')
    .description('Changes a setting, as if it had been typed in the window.')
    .argument('<name>', 'as "hangar settings get" lists it')
    .argument(
      '<value>',
      'a number, true, false or null; lists and objects as JSON; where the setting is a text, exactly that text',
    )
    .addHelpText(
      'after',
      `
Examples:
  hangar settings set caps.perDay 500
  hangar settings set caps.perDay null
  hangar settings set recipe.languages '["en","de"]'

A setting that is a text, such as recipe.name, takes everything literally: null
is then the text "null". A text that reads as JSON is printed in quotes.`,
    )
    .action((name: string, value: string) => setSetting(cli, name, value))
}

const noSuchSetting = (name: string): Problem => ({
  path: name,
  message: 'There is no such setting. "hangar settings get" lists them.',
})

function getSettings(cli: Cli, name: string | undefined): ExitCode {
  const { terminal } = cli
  const values = singleSettings(storedSettings(cli.dataDir))
  if (name !== undefined && !values.has(name)) {
    sayProblems(cli, [noSuchSetting(name)])
    return ExitCode.usage
  }
  const wanted = [...values].filter(([each]) => name === undefined || each === name)
  for (const [each, value] of wanted) terminal.json({ event: 'setting', name: each, value })
  if (name !== undefined) terminal.out(valueText(values.get(name)))
  else for (const line of columns(wanted.map(([each, value]) => [each, valueText(value)]))) terminal.out(line)
  return ExitCode.ok
}

async function setSetting(cli: Cli, name: string, text: string): Promise<ExitCode> {
  const { dataDir } = cli
  const settings = storedSettings(dataDir)
  const values = singleSettings(settings)
  const read: ReadConfig = values.has(name) ? readValue(name, text) : { ok: false, problems: [noSuchSetting(name)] }
  if (!read.ok) {
    sayProblems(cli, read.problems)
    return ExitCode.usage
  }
  // A relative folder for results is one of the current folder.
  const place = { file: join(cli.cwd, 'typed'), dataDir, settings, folders: storedFolders(dataDir) }
  const { changes } = await placeConfig(read.config, place)
  if (changes.settings.length === 0) {
    cli.terminal.json({ event: 'settings', changed: [] })
    cli.terminal.out(`${name} is ${valueText(values.get(name))} already.`)
    return ExitCode.ok
  }
  await applyChanges(cli, changes)
  cli.terminal.json({ event: 'settings', changed: changes.settings })
  for (const change of changes.settings) cli.terminal.out(settingChangeText(change))
  return ExitCode.ok
}

/** As the text that it is, or else as JSON, whichever the setting takes. */
export function readValue(name: string, text: string): ReadConfig {
  const asText = checkConfig(nested(name, text))
  const value = jsonIn(text)
  return asText.ok || value === undefined ? asText : checkConfig(nested(name, value))
}

function nested(name: string, value: unknown): object {
  return name.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object
}
