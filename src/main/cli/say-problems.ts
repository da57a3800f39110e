import { countText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import type { CommonFlags } from './options.ts'
import type { Problem } from './read-config.ts'

/** Problems that are shown; a program gets all of them. */
const SHOWN = 50

/** Says what is wrong with a configuration, each with the path of its member. */
export function sayProblems(
  { terminal }: Pick<Cli, 'terminal'>,
  { json }: CommonFlags,
  problems: readonly Problem[],
): null {
  if (json === true) for (const problem of problems) terminal.json({ event: 'problem', ...problem })
  for (const { path, message } of problems.slice(0, SHOWN)) terminal.err(path === '' ? message : `${path}: ${message}`)
  if (problems.length > SHOWN) terminal.err(`… and ${countText(problems.length - SHOWN, 'more problem')}.`)
  return null
}
