import type { EnvironmentKeys } from '../secrets/take-environment-keys.ts'
import type { Terminal } from './terminal.ts'

/** What every command gets. */
export interface Cli {
  terminal: Terminal
  /** The environment without keys. */
  env: NodeJS.ProcessEnv
  cwd: string
  /** Keys from the environment. Rejects if one of them is invalid. */
  keys: () => Promise<EnvironmentKeys>
  /** Called at the first SIGINT or SIGTERM; the second ends the process at once. Returns unsubscribe. */
  onStop: (listener: () => void) => () => void
}
