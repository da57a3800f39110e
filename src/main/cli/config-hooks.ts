import { dirname } from 'node:path'
import type { HookOccasion } from '../../shared/contract/hooks.ts'
import { shownPart } from '../core/shown-part.ts'
import { othersMayWrite } from '../files/others-may-write.ts'
import type { Hook, HookTarget } from '../hooks/hook.ts'
import type { Cli } from './cli-context.ts'
import type { ConfigFile } from './config-shape.ts'
import { foundTarget, hookOfAddress, hookOfProgram } from './hook-options.ts'
import type { OfFile, Problem } from './read-config.ts'
import { shellArgument } from '../core/shell-argument.ts'

type ConfigHook = NonNullable<ConfigFile['hooks']>[number]

/**
 * The hooks of a configuration, their programs found, and what is wrong with them or with the file: those who may write it decide which
 * programs run. A relative path is taken from the folder of the file.
 */
export async function hooksIn(
  { config: { hooks: given = [] }, stats }: { config: ConfigFile } & OfFile,
  { file, env }: { file: string; env: Cli['env'] },
): Promise<{ hooks: Hook[]; problems: Problem[] }> {
  const hooks: Hook[] = []
  if (given.length === 0) return { hooks, problems: [] }
  const problems = await problemsOfFile(file, stats)
  for (const [at, hook] of given.entries()) {
    const path = `hooks[${at}]`
    try {
      const target = await foundTarget({ cwd: dirname(file), env }, targetOf(hook))
      hooks.push({ ...whenOf(hook), target })
    } catch (error) {
      problems.push({ path, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { hooks, problems }
}

function targetOf({ run, post }: ConfigHook): HookTarget {
  if (run !== undefined && post === undefined) return hookOfProgram(run)
  if (post !== undefined && run === undefined) return hookOfAddress(post)
  throw new Error('Give either "run" with a program and its arguments, or "post" with an address.')
}

function whenOf({ on, below }: ConfigHook): HookOccasion {
  if (on === 'low_credits') {
    if (below === undefined) throw new Error('Give a figure of credits as "below".')
    return { on, below }
  }
  if (below !== undefined) throw new Error('Leave "below" out: it is for "low_credits".')
  return { on }
}

async function problemsOfFile(file: string, read: OfFile['stats']): Promise<Problem[]> {
  try {
    const found = await othersMayWrite(file, read)
    if (found === null) return []
    const message =
      found.why === 'owner'
        ? `${found.path} belongs to another user, who could have any program run by this file. Let it belong to you or to root.`
        : `Others may write ${found.path}, and could have any program run by this file: chmod go-w ${shellArgument(found.path)}`
    return [{ path: 'hooks', message }]
  } catch (error) {
    return [{ path: 'hooks', message: `Who may write this file cannot be seen: ${String(error)}` }]
  }
}

/** What each hook does, for a person to judge. */
export function hookLines(hooks: readonly Hook[]): string[] {
  return hooks.flatMap((hook) => {
    const { target } = hook
    if (target.kind === 'address') return [`${occasion(hook)}, this is posted to:`, `  ${shownPart(target.url)}`]
    return [`${occasion(hook)}, this runs:`, ...[target.file, ...target.args].map((part) => `  ${shownPart(part)}`)]
  })
}

function occasion(hook: Hook): string {
  switch (hook.on) {
    case 'done':
      return 'When a batch has ended'
    case 'attention':
      return 'When something needs a person'
    case 'low_credits':
      return `When the balance falls below ${hook.below}`
  }
}
