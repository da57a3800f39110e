import type { EnvironmentKeys } from '../secrets/take-environment-keys.ts'
import type { Terminal } from './terminal.ts'

/** What every command works with. */
export interface Cli {
  terminal: Terminal
  /** The environment without keys. */
  env: NodeJS.ProcessEnv
  cwd: string
  /** Keys that the environment gave. Rejects when one of them cannot be used. */
  keys: () => Promise<EnvironmentKeys>
  /** Called at the first SIGINT or SIGTERM; the second ends the process at once. Returns how to stop listening. */
  onStop: (listener: () => void) => () => void
}
