import { type Command, CommanderError } from 'commander'
import { toAppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { VERSION } from '../engine/version.ts'
import { chooseDataDir } from '../engine/data-dir.ts'
import { CliCommand, type Cli, type SharedOptions } from './command.ts'
import { EXIT_CODES } from './exit-code.ts'

type AddCommand = (program: CliCommand, cli: Cli) => void

/** In the order of the help. A command is loaded when it is called or described. */
const GROUPS: Readonly<Record<string, readonly (readonly [names: string, load: () => Promise<AddCommand>])[]>> = {
  'Pictures:': [
    ['run', async () => (await import('./run.ts')).addRunCommand],
    ['watch', async () => (await import('./watch.ts')).addWatchCommand],
    ['serve', async () => (await import('./serve.ts')).addServeCommand],
    ['folders', async () => (await import('./folders.ts')).addFoldersCommand],
    ['restore', async () => (await import('./restore.ts')).addRestoreCommand],
  ],
  'What is going on:': [
    ['status', async () => (await import('./status.ts')).addStatusCommand],
    ['diagnostics', async () => (await import('./diagnostics.ts')).addDiagnosticsCommand],
    ['jobs', async () => (await import('./jobs.ts')).addJobsCommand],
    ['export', async () => (await import('./export.ts')).addExportCommand],
    ['import', async () => (await import('./import.ts')).addImportCommand],
    ['rules', async () => (await import('./rules.ts')).addRulesCommand],
    ['retry resolve cancel confirm pause resume', async () => (await import('./queue-commands.ts')).addQueueCommands],
  ],
  'Configuration:': [
    ['config', async () => (await import('./config.ts')).addConfigCommand],
    ['settings', async () => (await import('./settings.ts')).addSettingsCommand],
    ['recipes', async () => (await import('./recipes.ts')).addRecipesCommand],
    ['file-managers', async () => (await import('./file-managers.ts')).addFileManagersCommand],
  ],
  'Services:': [
    ['key', async () => (await import('./key.ts')).addKeyCommand],
    ['credits', async () => (await import('./credits.ts')).addCreditsCommand],
    ['languages', async () => (await import('./credits.ts')).addLanguagesCommand],
    ['team', async () => (await import('./team.ts')).addTeamCommand],
    ['chargers', async () => (await import('./chargers.ts')).addChargersCommand],
    ['practice', async () => (await import('./practice.ts')).addPracticeCommand],
    ['completion', async () => (await import('./completion.ts')).addCompletionCommand],
  ],
}

const HELP_TAIL = `
Start here:
  hangar run --practice PICTURES     see what it does, without an account
  hangar key set image --service-url https://images.example.com/api/v1
  hangar run PICTURES --dry-run      what would be sent, and what it would cost
  hangar run PICTURES
  hangar serve                       the same in a browser

Environment:
  HANGAR_API_KEY, HANGAR_API_KEY_FILE              key of the image service, or a file that holds it
  HANGAR_CHARGER_TOKEN, HANGAR_CHARGER_TOKEN_FILE  token of the charger service, or a file that holds it
  HANGAR_SERVICE_URL, HANGAR_CHARGER_URL           addresses of the services
  HANGAR_LEDGER_URL, HANGAR_LEDGER_PASSWORD_FILE   team ledger of computers that share an account, and its password
  HANGAR_METRICS_TOKEN, HANGAR_METRICS_TOKEN_FILE  what "serve" asks of those who read /metrics, or a file that holds it
  HANGAR_HOOK_SECRET, HANGAR_HOOK_SECRET_FILE      signs what hooks post, or a file that holds it
  HANGAR_DATA_DIR                                  where the journal is kept
A flag wins over the environment, and the environment over what is stored.

Exit status:
  0 all well   1 some pictures failed, are held or unknown   2 bad usage   3 key missing or refused
  4 not enough credits   5 data folder in use   6 service or ledger not reachable
  7 what "status --check" found needs a person
  70 internal error   71 too few files may be open at once   130 interrupted

"hangar help run" tells more about a command.`

/** `args`: without node and script. Never throws. */
export async function runProgram(args: string[], cli: Cli): Promise<ExitCode> {
  let code: ExitCode = ExitCode.ok
  const finish = (given: ExitCode) => (code = given)
  try {
    const [first, ...typed] = args
    if (first === 'complete') {
      const { completed } = await import('./completion.ts')
      for (const line of completed(await buildProgram(cli, finish, typed.slice(0, -1)), typed))
        cli.terminal.raw(`${line}\n`)
      return code
    }
    const program = await buildProgram(cli, finish, args)
    await program.parseAsync(helpAsOption(program, args), { from: 'user' })
    return code
  } catch (thrown) {
    const status = failed(cli, thrown)
    cli.terminal.isJson = asksForJson(args)
    if (status !== ExitCode.ok) cli.terminal.json(errorLine(thrown, status))
    return status
  }
}

/**
 * `help chargers route` as `chargers route --help`: commander's own looks at the first name alone, and helps with everything for an
 * unknown one.
 */
function helpAsOption(program: Command, args: string[]): string[] {
  const [first, ...names] = args
  if (first !== 'help' || names.length === 0 || names.some((name) => name.startsWith('-'))) return args
  const known: string[] = []
  let at: Command | undefined = program
  for (const name of names) {
    at = at.commands.find((command) => command.name() === name)
    if (at === undefined) break
    known.push(name)
  }
  return known.length === 0 ? names.slice(0, 1) : [...known, '--help']
}

function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).includes('--json')
}

/** `usage`: a mistake in the command line. */
function errorLine(thrown: unknown, exitCode: ExitCode): object {
  if (thrown instanceof CommanderError)
    return { event: 'error', code: 'usage', message: thrown.message.replace(/^error: /, ''), exitCode }
  const { code, message } = toAppError(thrown)
  return { event: 'error', code, message, exitCode }
}

/** With `args`, only the commands that they need. */
export async function buildProgram(
  cli: Cli,
  finish: (code: ExitCode) => void,
  args: readonly string[] = [],
): Promise<CliCommand> {
  const program = new CliCommand('hangar', finish)
    .description(
      'Compresses, converts and describes pictures through an image service: results land beside the originals, with alt text in the languages you ask for. Also shows chargers at airfields.',
    )
    .version(VERSION, '-V, --version', 'the version of Hangar')
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [command]', 'help for a command')
    .addHelpText('after', HELP_TAIL)
    .showSuggestionAfterError(true)
    .showHelpAfterError('Add --help to see how it is used.')
    .exitOverride()
    .hook('preAction', (_, command) => {
      cli.options = optionsOf(command)
      cli.dataDir = chooseDataDir(cli.options.dataDir, cli.env)
      cli.terminal.isJson = cli.options.json === true
    })
    .configureOutput({
      writeOut: (text) => cli.terminal.raw(text),
      writeErr: (text) =>
        text
          .trimEnd()
          .split('\n')
          .forEach((line) => cli.terminal.err(line)),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
  const isNeeded = neededBy(args)
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading)
    for (const [names, load] of commands) if (isNeeded(names)) (await load())(program, cli)
  }
  // Called last, because commands added later inherit it.
  return program.enablePositionalOptions()
}

/** A command's own options go before those of the commands above it. */
function optionsOf(command: Command): SharedOptions {
  const options: SharedOptions = { ...(command.parent === null ? {} : optionsOf(command.parent)), ...command.opts() }
  const { practice, chargerUrl, serviceUrl } = options
  const given = chargerUrl !== undefined ? '--charger-url' : serviceUrl !== undefined ? '--service-url' : null
  if (practice === true && given !== null)
    command.error(`error: option '${given} <url>' cannot be used with option '--practice'`)
  return options
}

/** None for the version, all where no command is named. */
function neededBy(args: readonly string[]): (names: string) => boolean {
  const [first, second] = args
  if (first === '--version' || first === '-V') return () => false
  const called = first === 'help' ? second : first
  const isKnown = Object.values(GROUPS).some((commands) =>
    commands.some(([names]) => names.split(' ').includes(called ?? '')),
  )
  return isKnown ? (names) => names.split(' ').includes(called!) : () => true
}

function failed(cli: Cli, thrown: unknown): ExitCode {
  if (thrown instanceof CommanderError) {
    const isHelp = ['commander.helpDisplayed', 'commander.version', 'commander.help'].includes(thrown.code)
    return isHelp && thrown.exitCode === 0 ? ExitCode.ok : ExitCode.usage
  }
  const error = toAppError(thrown)
  if (error.code !== 'internal') {
    cli.terminal.err(error.message)
    return EXIT_CODES[error.code]
  }
  cli.terminal.err(`Something went wrong inside Hangar: ${error.message}`)
  cli.terminal.err('Your originals are as they were. Run "hangar status" to see where things stand.')
  if (cli.env['HANGAR_DEBUG'] !== undefined)
    cli.terminal.err(String((error.cause as Error | undefined)?.stack ?? error.stack))
  return ExitCode.internal
}
