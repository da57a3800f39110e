import type { CommandTree } from '../../../src/main/cli/completion.ts'
export function manPage(tree: CommandTree, version: string): string
