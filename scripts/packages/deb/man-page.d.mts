import type { CommandTree } from '../../../src/main/cli/describe-commands.ts'
export function manPage(tree: CommandTree, version: string): string
