import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Background } from '../../shared/background.ts'
import type { EnginePort, JobView, Result } from '../../shared/contract.ts'
import { AppError, toAppError } from '../../shared/errors.ts'
import type { ChildPort, Clock, Logger, ShellPort } from '../../shared/ports.ts'
import type { Settings } from '../../shared/settings.ts'
import { UI_CHANNELS, type PictureKind, type Place, type UiMessage } from '../../shared/ui-contract.ts'
import { callEngine } from '../call-engine.ts'
import { isReallyInside } from '../files/real-path.ts'
import { appCalls } from './calls/app-calls.ts'
import { intakeCalls } from './calls/intake-calls.ts'
import { jobCalls } from './calls/job-calls.ts'
import { outputCalls } from './calls/output-calls.ts'
import { passedCalls } from './calls/passed-calls.ts'
import { placeCalls } from './calls/place-calls.ts'
import { recipeCalls } from './calls/recipe-calls.ts'
import type { UiCallDeps, UiHandlers } from './calls/ui-call-deps.ts'
import { keepBalance } from './balance-keeper.ts'
import type { LogTail } from './log-tail.ts'
import { isWanted, noticeText } from './notice-text.ts'
import type { DecidedNotice } from './notices.ts'
import { Pictures } from './pictures.ts'
import { PlaceRegistry } from './place-registry.ts'
import { createTexts, type Texts } from './texts.ts'
import { ThumbCache } from './thumb-cache.ts'
import type { UiConnection } from './event-stream.ts'
import { tileOrigin } from './tile-origin.ts'
import { UiFeed } from './ui-feed.ts'
import type { HostStatus } from './ui-state.ts'

export type { HostStatus, UiConnection }

/** Everything that a shell with a page needs, whichever shell it is. */
export interface UiHost {
  /** Any channel, any request: what is not in the contract is refused. Never throws, never gives `undefined`. */
  call(channel: string, request: unknown): Promise<Result<unknown>>
  /** Sends a snapshot at once, then deltas. */
  connect(send: (message: UiMessage) => void): UiConnection
  readonly places: PlaceRegistry
  /** For menus, tray and dialogs; follows the language that is set. `onStatus` tells when that changes, too. */
  readonly texts: Texts
  /** A rendering of a job's picture, made here; null when there is none. Never the file as it came. */
  picture(jobId: string, kind: PictureKind): Promise<{ bytes: Uint8Array; type: string } | null>
  /**
   * A file that the job names and that is there: its original for null, else an output by its index. It is only given out
   * while its real place is inside `rootDir`.
   */
  output(jobId: string, index: number | null): Promise<{ path: string; name: string; rootDir: string } | null>
  /** All chargers as JSON for `chargersPath`; null before there are any. */
  chargerData(): Promise<{ bytes: Uint8Array; version: number } | null>
  /** From where else than our own origin a page may take pictures, for its policy; null for nowhere. */
  tileOrigin(): string | null
  /** Files and folders that came from outside: every page is asked what to do with them, or the first that connects. */
  offer(places: readonly Place[]): void
  status(): HostStatus
  /** Told of every change of the status, at most ten times a second. Returns unsubscribe. */
  onStatus(listener: (status: HostStatus) => void): () => void
  /** What the shell itself starts and does not await. */
  readonly background: Background
  close(): Promise<void>
}

export interface UiHostDeps {
  engine: EnginePort
  shell: ShellPort
  child: ChildPort
  clock: Clock
  log: Logger
  background: Background
  logTail: LogTail
  version: string
  /** BCP 47, as the system says. */
  locale: string
  dataDir: string
  homeDir: string
  /** Settings that this start was given from outside. */
  overrides: Partial<Settings>
  /** Makes ready what these settings need, before they are stored. */
  beforeSettings: (next: Settings) => Promise<void>
  onSettings: (settings: Settings) => void
}

/** The part of a shell that has no window: everything that a page, a tray or a menu asks for. */
export function createUiHost(deps: UiHostDeps): UiHost {
  const { engine, shell, child, clock, log, background, version, locale, dataDir } = deps
  const places = new PlaceRegistry()
  const texts = createTexts(locale, engine.snapshot().settings.appearance.language)
  const feed = new UiFeed({
    ...{ engine, clock, places, log, background },
    app: () => ({ version, dataDir, locale, platform: process.platform, capabilities: [...shell.capabilities] }),
    onNotice: (notice, settings) => notifyOutside(deps, texts, notice, settings),
    onSettings: (settings) => {
      texts.setLanguage(settings.appearance.language)
      deps.onSettings(settings)
    },
  })
  const balance = keepBalance({ engine, clock, log, background })
  const pictures = new Pictures({ child, clock, log, cache: new ThumbCache(dataDir, log) })
  const output: UiHost['output'] = async (jobId, index) => {
    const job = await findJob(engine, jobId)
    // At a planned name there may be another program's file.
    const published = job?.outputs.map(({ state, path }) => (state === 'published' ? path : undefined))
    const path = index === null ? job?.source.path : published?.[index]
    if (job === null || path === undefined) return null
    const rootDir = index !== null && job.recipe.output.kind === 'folder' ? job.recipe.output.dir : job.rootDir
    if ((await lstat(path).catch(() => null))?.isFile() !== true || !(await isReallyInside(rootDir, path))) return null
    return { path, name: basename(path), rootDir }
  }
  const lookAgain = () => {
    feed.lookAgain()
    balance.lookAgain()
  }
  const handlers = handlersOf({ ...deps, places, output, lookAgain })
  return {
    call: (channel, request) => answer(handlers, log, channel, request),
    connect: (send) => feed.connect(send),
    places,
    texts,
    picture: async (jobId, kind) => {
      const job = await findJob(engine, jobId)
      return job === null ? null : pictures.of(job, kind)
    },
    output,
    chargerData: () => callEngine(engine, 'chargers.data', {}),
    tileOrigin: () => tileOrigin(feed.settings.chargers.streetTiles),
    offer: (offered) => feed.offer(offered),
    status: () => feed.status(),
    onStatus: (listener) => feed.onStatus(listener),
    background,
    close: async () => {
      balance.close()
      feed.close()
      await pictures.close()
    },
  }
}

function handlersOf(deps: UiCallDeps): UiHandlers {
  return {
    ...passedCalls(deps),
    ...jobCalls(deps),
    ...outputCalls(deps),
    ...placeCalls(deps),
    ...intakeCalls(deps),
    ...recipeCalls(deps),
    ...appCalls(deps),
  }
}

/** Checks what comes in, does it, and turns every failure into a value. */
async function answer(handlers: UiHandlers, log: Logger, channel: string, request: unknown): Promise<Result<unknown>> {
  try {
    if (!Object.hasOwn(handlers, channel)) throw new AppError('bad_request', 'There is no such call.')
    const name = channel as keyof UiHandlers
    const parsed = UI_CHANNELS[name].request.safeParse(request)
    if (!parsed.success) {
      // What the schema says of it is for programmers.
      const field = parsed.error.issues[0]?.path.join('.') || name
      const message = `“${field}” has a value that Hangar cannot take.`
      return { ok: false, error: { code: 'bad_request', message, retryable: false, field } }
    }
    const handler = handlers[name] as (checked: unknown) => unknown
    return { ok: true, value: (await handler(parsed.data)) ?? {} }
  } catch (thrown) {
    const error = toAppError(thrown)
    if (error.code === 'internal')
      log.error('a call of a page failed', { channel, error: error.cause ?? error.message })
    return { ok: false, error: { code: error.code, message: error.message, retryable: error.retryable } }
  }
}

/** Null for a job that is not there, whatever the id is. */
async function findJob(engine: EnginePort, id: string): Promise<JobView | null> {
  if (id === '' || id.length > 40) return null
  const { jobs } = await callEngine(engine, 'jobs.get', { ids: [id] })
  return jobs[0] ?? null
}

function notifyOutside({ shell, log }: UiHostDeps, texts: Texts, notice: DecidedNotice, settings: Settings): void {
  if (!shell.capabilities.has('notify') || !isWanted(notice, settings.notifications)) return
  try {
    shell.notify(noticeText(notice, texts))
  } catch (error) {
    log.warn('a notification could not be shown', { error: String(error) })
  }
}
