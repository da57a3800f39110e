import { Command, Option } from 'commander'
import type { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { EnvironmentKeys } from '../secrets/take-environment-keys.ts'
import type { Terminal } from './terminal.ts'

export interface Cli {
  terminal: Terminal
  /** The environment without keys. */
  env: NodeJS.ProcessEnv
  cwd: string
  /** Keys from the environment. Rejects if one of them is invalid. */
  keys: () => Promise<EnvironmentKeys>
  /** At the first SIGINT or SIGTERM; the second ends the process at once. Returns unsubscribe. */
  onStop: (listener: () => void) => () => void
  /** Also those of the commands above it. Set before the command runs, as is `dataDir`. */
  options: SharedOptions
  /** Absolute. */
  dataDir: string
}

export interface SharedOptions {
  json?: boolean
  dataDir?: string
  verbose?: boolean
  serviceUrl?: string
  chargerUrl?: string
  keyHeader?: 'bearer' | 'x-api-key'
  practice?: boolean
  ledger?: string
  requestsPerMinute?: number
}

/** Returns the exit status; without one it is 0. */
type Action = (...given: never[]) => ExitCode | Promise<ExitCode> | void | Promise<void>

export const SERVICE_GROUP = 'Service:'
const GENERAL_GROUP = 'General:'

export class CliCommand extends Command {
  readonly #finish: (code: ExitCode) => void

  constructor(name: string, finish: (code: ExitCode) => void) {
    super(name)
    this.#finish = finish
  }

  override createCommand(name: string): CliCommand {
    return new CliCommand(name, this.#finish)
  }

  /** Sets what the command does, and adds the general options, which come last in its help. */
  override action(run: Action): this {
    return this.#option('--json', 'one JSON object per line on stdout, for programs', GENERAL_GROUP)
      .#option('--data-dir <dir>', 'where the journal is kept; or HANGAR_DATA_DIR', GENERAL_GROUP)
      .#option('-v, --verbose', 'also say what goes on inside, on stderr', GENERAL_GROUP)
      .plainAction(run)
  }

  /** As `action`, without the general options. */
  plainAction(run: Action): this {
    return super.action(async (...given) => {
      const code = await run(...(given as never[]))
      if (code !== undefined) this.#finish(code)
    })
  }

  imageServiceOptions(): this {
    const url = 'the image service, its address ends in /api/v1; or HANGAR_SERVICE_URL'
    return this.#option('--service-url <url>', url, SERVICE_GROUP)
      .addOption(
        new Option('--key-header <header>', 'the header that the key travels in')
          .choices(['bearer', 'x-api-key'])
          .helpGroup(SERVICE_GROUP),
      )
      .#practiceOption()
      .ledgerOption()
  }

  ledgerOption(): this {
    return this.#option(
      '--ledger <url>',
      'the team ledger of computers that share the account, as postgres://user@host/database; or HANGAR_LEDGER_URL',
      SERVICE_GROUP,
    )
  }

  chargerServiceOptions(): this {
    return this.chargerUrlOption().#practiceOption()
  }

  chargerUrlOption(): this {
    const url = 'the charger service, its address has no /api/v1; or HANGAR_CHARGER_URL'
    return this.#option('--charger-url <url>', url, SERVICE_GROUP)
  }

  #practiceOption(): this {
    const help = 'use a practice service on this computer: no account, no real credits, gone at the end'
    return this.#option('--practice', help, SERVICE_GROUP)
  }

  #option(flags: string, help: string, group: string): this {
    return this.addOption(new Option(flags, help).helpGroup(group))
  }
}
