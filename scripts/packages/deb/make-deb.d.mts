import type { Entry } from '../archive.mjs'
import type { CommandTree } from '../../../src/main/cli/completion.ts'
export interface Commands {
  tree: CommandTree
  /** By shell. */
  completions: Record<string, string>
}
export function describeCommands(): Promise<Commands>
export function makeDeb(made: {
  collected: readonly Entry[]
  commands: Commands
  version: string
  target: string
  level?: number | undefined
}): Buffer
