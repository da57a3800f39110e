import { randomBytes } from 'node:crypto'
import type { CheckedRequest } from '../../../shared/contract/calls.ts'
import type { HookRow, StoredTarget } from '../../../shared/contract/hooks.ts'
import type { HookBoxes } from '../../../shared/runtime/ports.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { hookAddress } from '../../engine/hook-address.ts'
import type { StoredHooks } from '../../engine/stored-hooks.ts'
import { isProgram } from '../../files/find-program.ts'
import type { PageCallDeps, PageHandlers } from './page-call-deps.ts'

/** So much fits a box of the system, which has to show all of it. */
const MAX_COMMAND = 1200
const TOKEN_BYTES = 18
/** Programs that were chosen and not saved. */
const MAX_PICKED = 20

/**
 * The hooks of the desktop app. The page is taken for hostile: a program comes from a dialog of the system alone, and before anything is
 * stored a box of the system shows all of it.
 */
export function hookCalls({ shell, hooks }: PageCallDeps) {
  const picked = new PickedPrograms()
  let isAsking = false
  const parts = (): { boxes: HookBoxes; stored: StoredHooks } => {
    if (shell.hooks === null || hooks === null) throw new AppError('bad_request', say('desktop_only'))
    return { boxes: shell.hooks, stored: hooks }
  }
  /** One box at a time: none lies under another, or is answered in its place. */
  const asking = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    if (isAsking) throw new AppError('bad_request', say('hook_box_open'))
    isAsking = true
    try {
      return await question()
    } finally {
      isAsking = false
    }
  }
  const renewSecret = async ({ boxes, stored }: ReturnType<typeof parts>) =>
    boxes.showSecret(await stored.renewSecret())

  return {
    'hooks.list': async () => {
      const { stored } = parts()
      return { hooks: stored.list(), secret: await stored.secretStatus() }
    },
    'hooks.pickProgram': () =>
      asking(async () => {
        const path = await parts().boxes.pickProgram()
        if (path === null) return { program: null }
        if (!(await isProgram(path))) throw new AppError('bad_request', say('hook_not_program'))
        return { program: { token: picked.add(path), path } }
      }),
    'hooks.save': (request) =>
      asking(async () => {
        const { boxes, stored } = parts()
        const { id, when } = request
        const hook: Pick<HookRow, 'when' | 'target'> = { when, target: await targetOf(stored, picked, request) }
        const below = when.on === 'low_credits' ? when.below : null
        if (!(await boxes.confirm({ on: when.on, below, target: hook.target }))) return { saved: false }
        // First: what is stored may post at once.
        if (hook.target.kind === 'address' && (await stored.secretStatus()).setAtMs === null)
          await renewSecret({ boxes, stored })
        stored.save(id, hook)
        return { saved: true }
      }),
    'hooks.remove': ({ id }) => {
      parts().stored.remove(id)
      return {}
    },
    'hooks.try': async ({ id }) => ({ why: await parts().stored.try(id) }),
    'hooks.renewSecret': () =>
      asking(async () => {
        const both = parts()
        const renewed = await both.boxes.confirmRenewal()
        if (renewed) await renewSecret(both)
        return { renewed }
      }),
  } satisfies Partial<PageHandlers>
}

/** The programs that a person chose, by tokens: the page never names one. */
class PickedPrograms {
  readonly #paths = new Map<string, string>()

  add(path: string): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.#paths.set(token, path)
    for (const old of [...this.#paths.keys()].slice(0, -MAX_PICKED)) this.#paths.delete(old)
    return token
  }

  get(token: string): string | undefined {
    return this.#paths.get(token)
  }
}

/** Throws `bad_request` for what cannot be stored. */
async function targetOf(
  stored: StoredHooks,
  picked: PickedPrograms,
  { id, target }: CheckedRequest<'hooks.save'>,
): Promise<StoredTarget> {
  if (target.kind === 'address') return { kind: 'address', url: hookAddress(target.url) }
  const before = id === null ? null : stored.one(id).target
  const kept = before?.kind === 'program' ? before.file : undefined
  const file = target.program === null ? kept : picked.get(target.program)
  if (file === undefined) throw new AppError('bad_request', say('hook_program_unknown'))
  const { args } = target
  if (args.some((arg) => arg.includes('\0'))) throw new AppError('bad_request', say('hook_nul'))
  if ([file, ...args].join(' ').length > MAX_COMMAND)
    throw new AppError('bad_request', say('hook_too_long_command', { most: MAX_COMMAND }))
  if (!(await isProgram(file))) throw new AppError('bad_request', say('hook_not_program'))
  return { kind: 'program', file, args }
}
