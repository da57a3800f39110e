import type { Entry } from '../archive.mjs'
import type { CommandTree } from './describe-commands.mjs'
export function commandTree(): Promise<CommandTree>
export function makeDeb(made: {
  collected: readonly Entry[]
  tree: CommandTree
  version: string
  target: string
  level?: number | undefined
}): Buffer
