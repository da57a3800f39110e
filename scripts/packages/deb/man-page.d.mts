import type { CommandTree } from './describe-commands.mjs'
export function manPage(tree: CommandTree, version: string): string
