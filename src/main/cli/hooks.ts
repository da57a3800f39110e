import { Background, guardTimers } from '../../shared/runtime/background.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { HookFile, readHooks } from '../engine/hook-file.ts'
import { realClock } from '../engine/real-clock.ts'
import type { Engine } from '../engine/start-engine.ts'
import type { OpenHooks } from '../engine/engine-run.ts'
import type { Hook } from '../../shared/contract/hooks.ts'
import { hookName, type OnHookEnd } from '../hooks/hook.ts'
import type { Log } from '../log/log.ts'
import { keepBalance } from '../page/balance-keeper.ts'
import type { Cli } from './command.ts'

export interface RunHooks {
  hooks: readonly Hook[]
  open: OpenHooks
}

/** Throws `bad_request` for a file of hooks that cannot be used. */
export async function hooksFor(cli: Cli, dataDir: string, onEnd: OnHookEnd): Promise<RunHooks> {
  const { env } = cli
  const { hooks, problem } = await readHooks(dataDir, env)
  if (problem !== null) throw new AppError('bad_request', problem)
  const secret = (await cli.keys()).keys.hooks ?? null
  return { hooks, open: (parts) => HookFile.open({ ...parts, dataDir, clock: realClock, env, secret, onEnd }) }
}

/** People are told only of failures, unless the log says them on the same terminal. */
export function hookReporter({ terminal }: Cli, logIsElsewhere = false): OnHookEnd {
  return ({ hook, payload: { id } }, reason) => {
    const [on, name] = [hook.on, hookName(hook)]
    const why = reason && englishText(reason)
    terminal.json({ event: 'hook', on, id, hook: name, ok: why === null, why })
    if (!terminal.isJson && logIsElsewhere && why !== null) terminal.err(`The hook ${name} for ${on} failed. ${why}`)
  }
}

/** As a window does: hooks about the balance need one. Returns stop. */
export function keepBalanceFor({ hooks }: RunHooks, engine: Engine, log: Log): () => void {
  if (!hooks.some(({ on }) => on === 'low_credits')) return () => undefined
  const background = new Background({ log, nowMs: () => realClock.nowMs() })
  const keeper = keepBalance({ engine, clock: guardTimers(realClock, background), log, background })
  return () => keeper.close()
}
