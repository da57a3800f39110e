import { randomBytes } from 'node:crypto'
import type { EngineEventBody } from '../../shared/contract/engine-port.ts'
import type { HookOutcome, HookRow, HookSecretStatus } from '../../shared/contract/hooks.ts'
import type { Clock, SecretStore } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { hookName, type Hook, type HookSetup } from '../hooks/hook.ts'
import type { Documents } from '../journal/documents.ts'
import {
  hookSecretIn,
  keepHookSecret,
  keepStoredHooks,
  storedHooksIn,
  type StoredHook,
} from '../journal/hook-records.ts'
import type { EngineHooks } from './engine-hooks.ts'

const MAX_HOOKS = 20
const SECRET_BYTES = 32

interface StoredHooksDeps {
  documents: Documents
  secrets: SecretStore
  clock: Pick<Clock, 'nowMs'>
  makeId: () => string
  emit: (event: EngineEventBody) => void
  /** Of the programs. */
  env: NodeJS.ProcessEnv
}

/** The hooks that a person set in the desktop app: in the journal, each with how it ended last, and running while that app does. */
export class StoredHooks {
  readonly #deps: StoredHooksDeps
  #stored: StoredHook[]
  /** What runs; a hook that did not change stays the same object. */
  #running = new Map<string, Hook>()
  #runner: Pick<EngineHooks, 'changed' | 'tryOne'> | null = null

  constructor(deps: StoredHooksDeps) {
    this.#deps = deps
    this.#stored = storedHooksIn(deps.documents)
    for (const stored of this.#stored) this.#running.set(stored.id, hookOf(stored))
  }

  /** What runs at any time. */
  setup(): HookSetup {
    return {
      hooks: () => [...this.#running.values()],
      secret: () => this.#secret(),
      env: this.#deps.env,
      onEnd: ({ why }, hook) => this.#ended(hook, why),
    }
  }

  runBy(runner: Pick<EngineHooks, 'changed' | 'tryOne'>): void {
    this.#runner = runner
  }

  list(): HookRow[] {
    return this.#stored
  }

  /** Throws `not_found`. */
  one(id: string): HookRow {
    const found = this.#stored.find((one) => one.id === id)
    if (found === undefined) throw new AppError('not_found', say('hook_gone'))
    return found
  }

  /** Throws `bad_request` beyond 20, `not_found` for an id that is gone, and as the journal does. */
  save(id: string | null, { when, target }: Pick<HookRow, 'when' | 'target'>): void {
    if (id === null && this.#stored.length >= MAX_HOOKS)
      throw new AppError('bad_request', say('hooks_too_many', { most: MAX_HOOKS }))
    const hook: StoredHook = { id: id ?? this.#deps.makeId(), when, target, last: null }
    if (id === null) this.#keep([...this.#stored, hook])
    else {
      this.one(id)
      this.#keep(this.#stored.map((one) => (one.id === id ? hook : one)))
    }
    this.#running.set(hook.id, hookOf(hook))
    this.#runner?.changed()
  }

  remove(id: string): void {
    this.#keep(this.#stored.filter((one) => one.id !== id))
    this.#running.delete(id)
    this.#runner?.changed()
  }

  /** Runs it with a sample; resolves to why that failed. Throws `not_found`. */
  async try(id: string): Promise<Sentence | null> {
    this.one(id)
    const hook = this.#running.get(id)!
    const why = await this.#runner!.tryOne(hook)
    this.#note(hook, why, true)
    return why
  }

  async secretStatus(): Promise<HookSecretStatus> {
    const { documents, secrets } = this.#deps
    return {
      present: (await this.#secret()) !== null,
      setAtMs: hookSecretIn(documents)?.setAtMs ?? null,
      ...(await secrets.describe('hooks', null)),
    }
  }

  /** Makes a new one, which is never given out again. Throws `secret_store_unavailable`. */
  async renewSecret(): Promise<string> {
    const { documents, secrets, clock, makeId, emit } = this.#deps
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const id = hookSecretIn(documents)?.id ?? makeId()
    await secrets.set('hooks', id, secret)
    keepHookSecret(documents, { id, setAtMs: clock.nowMs() })
    emit({ type: 'stored', what: 'hooks' })
    return secret
  }

  async #secret(): Promise<string | null> {
    const known = hookSecretIn(this.#deps.documents)
    return known === null ? null : this.#deps.secrets.get('hooks', known.id)
  }

  #ended(hook: Hook, why: Sentence | null): void {
    const before = this.#note(hook, why, false)
    // Said once, until it works again.
    if (why !== null && before === 'well') this.#deps.emit({ type: 'hook_failed', hook: hookName(hook.target) })
  }

  /** Returns how it had ended before; null for one that is gone. */
  #note(hook: Hook, why: Sentence | null, isTrial: boolean): 'well' | 'failed' | null {
    const [id] = [...this.#running].find(([, one]) => one === hook) ?? []
    const stored = this.#stored.find((one) => one.id === id)
    if (stored === undefined) return null
    const last: HookOutcome = { atMs: this.#deps.clock.nowMs(), why, isTrial }
    this.#keep(this.#stored.map((one) => (one === stored ? { ...one, last } : one)))
    return stored.last?.why == null ? 'well' : 'failed'
  }

  #keep(hooks: StoredHook[]): void {
    keepStoredHooks(this.#deps.documents, hooks)
    this.#stored = hooks
    this.#deps.emit({ type: 'stored', what: 'hooks' })
  }
}

const hookOf = ({ when, target }: StoredHook): Hook => ({ target, ...when })
