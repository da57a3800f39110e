import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import type { EngineEvent } from '../../shared/contract/engine-port.ts'
import { Hook, type HookRow } from '../../shared/contract/hooks.ts'
import type { Clock } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { memberPath } from '../core/member-path.ts'
import { readJson } from '../core/read-json.ts'
import { isProgram } from '../files/find-program.ts'
import { othersMayWrite } from '../files/others-may-write.ts'
import { hookName, type HookSetup, type OnHookEnd } from '../hooks/hook.ts'
import type { Documents } from '../journal/documents.ts'
import { HookRows, HOOKS } from '../journal/hook-records.ts'
import { isLoopbackHost } from '../services/base-url.ts'

const Hooks = z.array(Hook).max(20)

export const hooksFile = (dataDir: string) => join(dataDir, 'hooks.json')
const secretFile = (dataDir: string) => join(dataDir, 'hook-secret')

interface ReadHooks {
  hooks: Hook[]
  /** Why none of them is run. */
  problem: Sentence | null
}

/** Reads the hooks. A relative program is in the data folder, one without a folder on the PATH. */
export async function readHooks(dataDir: string, env: NodeJS.ProcessEnv): Promise<ReadHooks> {
  const path = hooksFile(dataDir)
  const unusable = (why: string | Sentence): ReadHooks => ({
    hooks: [],
    problem: say('hooks_unusable', { path, why: typeof why === 'string' ? raw(why) : why }),
  })
  try {
    const [bytes, others] = [await readFile(path), await othersMayWrite(path)]
    if (others !== null) return unusable(say('hooks_open', { path: others }))
    const read = readJson(bytes)
    if ('wrong' in read) return unusable(read.wrong)
    const { data, error } = Hooks.safeParse(read.value)
    if (data === undefined) return unusable(issueText(error))
    return { hooks: await Promise.all(data.map((hook, at) => checked(hook, at, { dataDir, env }))), problem: null }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { hooks: [], problem: null }
    return unusable(error instanceof AppError ? error.sentence : String(error))
  }
}

const issueText = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${[memberPath(path), message].filter(Boolean).join(': ')}.`).join(' ')

/** Throws `bad_request` for what the schema cannot say. */
async function checked(hook: Hook, at: number, place: { dataDir: string; env: NodeJS.ProcessEnv }): Promise<Hook> {
  const { on, below, run, post } = hook
  const wrong = (message: string) => new AppError('bad_request', raw(`[${at}]: ${message}`))
  if ((run === undefined) === (post === undefined)) throw wrong('Give either "run" or "post".')
  if ((on === 'low_credits') !== (below !== undefined))
    throw wrong('Give "below" for "low_credits", and for nothing else.')
  if (run?.some((part) => part.includes('\0')) === true) throw wrong('There is a NUL character.')
  if (post !== undefined) return { ...hook, post: hookAddress(post) }
  const [file = '', ...args] = run ?? []
  return { ...hook, run: [await programAt(file, place), ...args] }
}

async function programAt(file: string, { dataDir, env }: { dataDir: string; env: NodeJS.ProcessEnv }): Promise<string> {
  const isPath = isAbsolute(file) || /[\\/]/.test(file)
  // Windows finds programs in further places, and by further endings.
  if (!isPath && file !== '' && process.platform === 'win32') return file
  const places = isPath ? [resolve(dataDir, file)] : (env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, file))
  for (const place of places) if (await isProgram(place)) return place
  throw new AppError('bad_request', say('hook_no_program', { program: file }))
}

/** An address that a hook may post to. Throws `bad_request`. */
function hookAddress(text: string): string {
  const url = URL.parse(text.trim())
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw new AppError('bad_request', say('no_address'))
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new AppError('bad_request', say('address_unencrypted'))
  if (url.username !== '' || url.password !== '') throw new AppError('bad_request', say('address_with_password'))
  return url.href
}

interface HookFileDeps {
  dataDir: string
  env: NodeJS.ProcessEnv
  /** From the environment; without one it is in a file beside the hooks, made when it is first needed. */
  secret: string | null
  documents: Documents
  clock: Pick<Clock, 'nowMs'>
  emit: (event: EngineEvent) => void
  onEnd?: OnHookEnd | undefined
}

/** The hooks of the file as they were read last, each with how it ended. */
export class HookFile implements HookSetup {
  readonly env: NodeJS.ProcessEnv
  readonly #deps: HookFileDeps
  #rows: HookRow[]
  #problem: Sentence | null = null

  private constructor(deps: HookFileDeps) {
    this.env = deps.env
    this.#deps = deps
    this.#rows = deps.documents.get(HOOKS, 'rows', HookRows) ?? []
  }

  static async open(deps: HookFileDeps): Promise<HookFile> {
    const file = new HookFile(deps)
    await file.read()
    return file
  }

  async read(): Promise<void> {
    const { dataDir, env } = this.#deps
    const { hooks, problem } = await readHooks(dataDir, env)
    this.#problem = problem
    this.#rows = rowsOf(hooks, this.#rows)
    // Made now, so that a receiver can be told; without it, each post says what went wrong.
    if (hooks.some(({ post }) => post !== undefined)) await this.secret().catch(() => undefined)
  }

  list(): { file: string; hooks: HookRow[]; problem: Sentence | null } {
    return { file: hooksFile(this.#deps.dataDir), hooks: this.#rows, problem: this.#problem }
  }

  /** Makes an empty file where there is none. Resolves to its path. */
  async make(): Promise<string> {
    const path = hooksFile(this.#deps.dataDir)
    await writeNew(path, '[]\n')
    return path
  }

  readonly hooks = () => this.#rows.map(({ hook }) => hook)

  readonly secret = async (): Promise<string> => {
    const { secret, dataDir } = this.#deps
    if (secret !== null) return secret
    const path = secretFile(dataDir)
    await writeNew(path, `${randomBytes(32).toString('base64url')}\n`)
    return (await readFile(path, 'utf8')).trim()
  }

  readonly onEnd: OnHookEnd = (one, why) => {
    const { documents, clock, emit, onEnd } = this.#deps
    const { hook } = one
    const before = this.#rows.find((row) => row.hook === hook)
    this.#rows = this.#rows.map((row) => (row === before ? { hook, last: { atMs: clock.nowMs(), why } } : row))
    onEnd?.(one, why)
    documents.put(HOOKS, 'rows', this.#rows)
    emit({ type: 'stored', what: 'hooks' })
    // Said once, until it works again.
    if (why !== null && before?.last?.why == null) emit({ type: 'hook_failed', hook: hookName(hook) })
  }
}

/** These hooks, with how they ended according to `known`. */
export function rowsOf(hooks: readonly Hook[], known: readonly HookRow[]): HookRow[] {
  const byHook = new Map(known.map((row) => [JSON.stringify(row.hook), row]))
  return hooks.map((hook) => byHook.get(JSON.stringify(hook)) ?? { hook, last: null })
}

/** Readable by this user alone; what is there stays. */
async function writeNew(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
