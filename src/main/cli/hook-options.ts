import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Background, guardTimers } from '../../shared/runtime/background.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { MAX_LOW_CREDITS } from '../../shared/settings/hook-limits.ts'
import { hookAddress } from '../engine/hook-address.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Engine } from '../engine/start-engine.ts'
import { isProgram } from '../files/find-program.ts'
import type { Hook, HookReport, HookSetup, HookTarget } from '../hooks/hook.ts'
import type { Log } from '../log/log.ts'
import { keepBalance } from '../page/balance-keeper.ts'
import type { Cli } from './cli-context.ts'
import { wholeNumber } from './parse-options.ts'

export interface HookFlags {
  onDone?: HookTarget[]
  onAttention?: HookTarget[]
  onLowCredits?: LowCredits[]
}

interface LowCredits {
  below: number
  target: HookTarget
}

const HOOKS = 'Other programs that are told, each flag as often as you like:'

export function addHookOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--on-done <hook>', 'run a program, or post to an address, once all pictures of a batch have ended')
        .argParser(listOf(readTarget))
        .helpGroup(HOOKS),
    )
    .addOption(
      new Option('--on-attention <hook>', 'once something begins that needs a person, as "hangar status --check" says')
        .argParser(listOf(readTarget))
        .helpGroup(HOOKS),
    )
    .addOption(
      new Option('--on-low-credits <n=hook>', 'once the balance falls below this figure')
        .argParser(listOf(readLowCredits))
        .helpGroup(HOOKS),
    )
}

const listOf =
  <Value>(read: (text: string) => Value) =>
  (text: string, earlier: Value[] | undefined): Value[] => [...(earlier ?? []), read(text)]

/**
 * What a hook is: an https address, or an http one of this computer; a JSON array of a program and its arguments; or else
 * the path or name of a program, as a whole.
 */
export function readTarget(text: string): HookTarget {
  if (/^https?:/i.test(text)) return hookOfAddress(text)
  if (!text.startsWith('[')) return hookOfProgram([text])
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('A hook that begins with [ is JSON, as in: ["notify-send","Hangar is done"].')
  }
  if (!Array.isArray(list) || !list.every((part) => typeof part === 'string'))
    throw new InvalidArgumentError('Give a program and its arguments as a JSON array of strings.')
  return hookOfProgram(list)
}

export function hookOfProgram([file = '', ...args]: string[]): HookTarget {
  if (file.trim() === '') throw new InvalidArgumentError('Name a program, or an address.')
  if ([file, ...args].some((part) => part.includes('\0')))
    throw new InvalidArgumentError('A program and its arguments cannot contain a NUL character.')
  return { kind: 'program', file, args }
}

export function hookOfAddress(text: string): HookTarget {
  try {
    return { kind: 'address', url: hookAddress(text) }
  } catch (error) {
    throw new InvalidArgumentError(toAppError(error).message)
  }
}

/** `50=PROGRAM`. */
export function readLowCredits(text: string): LowCredits {
  const at = text.indexOf('=')
  if (at === -1) throw new InvalidArgumentError('Give a figure and a hook, as in: 50=/usr/local/bin/tell.')
  return { below: wholeNumber(1, MAX_LOW_CREDITS)(text.slice(0, at)), target: readTarget(text.slice(at + 1)) }
}

/**
 * The hooks that the flags ask for, their programs found; null for none. Throws `bad_request` for a program that is not there, and for an
 * address without a secret.
 */
export async function hookSetup(
  cli: Cli,
  flags: HookFlags,
  onEnd: (end: HookReport) => void,
): Promise<HookSetup | null> {
  const given: Hook[] = [
    ...(flags.onDone ?? []).map((target) => ({ on: 'done' as const, target })),
    ...(flags.onAttention ?? []).map((target) => ({ on: 'attention' as const, target })),
    ...(flags.onLowCredits ?? []).map((low) => ({ on: 'low_credits' as const, ...low })),
  ]
  const hooks = await Promise.all(given.map(async (hook) => ({ ...hook, target: await foundTarget(cli, hook.target) })))
  if (hooks.length === 0) return null
  const secret = (await cli.keys()).keys.hooks ?? null
  if (secret === null && hooks.some(({ target }) => target.kind === 'address'))
    throw new AppError('bad_request', say('cli_hook_needs_secret'))
  return { hooks: () => hooks, secret: async () => secret, env: cli.env, onEnd }
}

/** A program as an absolute path; one without a folder is looked for in the PATH. */
export async function foundTarget({ cwd, env }: Pick<Cli, 'cwd' | 'env'>, target: HookTarget): Promise<HookTarget> {
  if (target.kind === 'address') return target
  const { file } = target
  const isPath = isAbsolute(file) || /[\\/]/.test(file)
  // Windows finds programs in further places, and by further endings.
  if (!isPath && process.platform === 'win32') return target
  const places = isPath ? [resolve(cwd, file)] : (env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, file))
  for (const place of places) if (await isProgram(place)) return { ...target, file: place }
  throw new AppError('bad_request', say('cli_hook_no_program', { program: file }))
}

/** Says how each hook ended: of a person's only those that failed, unless the log says it on the same terminal. */
export function hookReporter({ terminal }: Cli, isJson: boolean, logIsElsewhere = false): (end: HookReport) => void {
  return (end) => {
    const { on, id, hook } = end
    const why = end.why === null ? null : englishText(end.why)
    if (isJson) terminal.json({ event: 'hook', on, id, hook, ok: why === null, why })
    else if (logIsElsewhere && why !== null) terminal.err(`The hook ${hook} for ${on} failed. ${why}`)
  }
}

/** Asks for the balance now and then, as a window does: hooks about it need one. Returns stop. */
export function keepBalanceFor(hooks: HookSetup | null, engine: Engine, log: Log): () => void {
  if (hooks?.hooks().some(({ on }) => on === 'low_credits') !== true) return () => undefined
  const background = new Background({ log, nowMs: () => realClock.nowMs() })
  const keeper = keepBalance({ engine, clock: guardTimers(realClock, background), log, background })
  return () => keeper.close()
}
