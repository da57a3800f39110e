import type { CommandTree } from './describe-commands.mjs'
export function bashCompletion(tree: CommandTree): string
export function fishCompletion(tree: CommandTree): string
export function zshCompletion(tree: CommandTree): string
