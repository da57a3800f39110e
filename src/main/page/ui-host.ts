import { lstat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import type { Background } from '../../shared/runtime/background.ts'
import type { AppInfo } from '../../shared/contract/app.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import type { JobView, PictureKind } from '../../shared/contract/jobs.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { UiMessage } from '../../shared/contract/stream.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { SetAside } from '../files/set-aside.ts'
import { isReallyInside } from '../files/real-path.ts'
import { createPageCalls, type AnswerPage } from './calls/page-calls.ts'
import { shellThat, type UiHostDeps } from './calls/page-call-deps.ts'
import { keepBalance } from './balance-keeper.ts'
import { isWanted, worded, type WordedNotice } from './notice-text.ts'
import { Pictures } from './pictures.ts'
import { PlaceRegistry } from './place-registry.ts'
import { createTexts, type Texts } from './texts.ts'
import { ThumbCache } from './thumb-cache.ts'
import type { UiConnection } from './event-stream.ts'
import { UiFeed, type HostStatus } from './ui-feed.ts'

export type { HostStatus, UiConnection }

/** `name`: its path below `rootDir`, with `/` between names. */
export interface ResultFile {
  path: string
  name: string
  rootDir: string
}

/** The windowless part of a shell with a page. */
export interface UiHost {
  readonly call: AnswerPage
  /** Sends a snapshot at once, then deltas. */
  connect(send: (message: UiMessage) => void): UiConnection
  readonly places: PlaceRegistry
  /** For menus, tray and dialogs; follows the language setting, whose changes `onStatus` reports too. */
  readonly texts: Texts
  /** By job, or by token for a `file`. Never the unmodified file. */
  picture(jobId: string, kind: PictureKind): Promise<{ bytes: Uint8Array; type: string } | null>
  /** An existing file of a job: its original for null, else an output. May be served only while its real path is inside `rootDir`. */
  output(jobId: string, index: number | null): Promise<{ path: string; name: string; rootDir: string } | null>
  /** Every result on the disk, sidecars too; to be served as an `output` is. */
  results(jobId: string): Promise<ResultFile[]>
  /** As JSON; null until there are any. */
  chargerData(): Promise<Uint8Array | null>
  /** Every page, or the first to connect, asks what to do with these, and names those that are `missing`. */
  offer(places: readonly Place[], missing?: readonly string[]): void
  status(): HostStatus
  /** As last read: the journal may be unreadable now. */
  settings(): Settings
  /** Called at most ten times a second. Returns unsubscribe. */
  onStatus(listener: (status: HostStatus) => void): () => void
  /** For work that the shell starts and does not await. */
  readonly background: Background
  close(): Promise<void>
}

export function createUiHost(deps: UiHostDeps): UiHost {
  const { engine, child, clock, log, background, locale, dataDir } = deps
  const places = new PlaceRegistry()
  const texts = createTexts(locale, engine.snapshot().settings.appearance.language)
  const feed = new UiFeed({
    engine,
    clock,
    places,
    background,
    app: () => appFacts(deps),
    tell: (notice, settings) => {
      const told = worded(notice, texts, settings.chargers.routes)
      notifyOutside(deps, told, settings)
      return told
    },
    onSettings: (settings) => {
      texts.setLanguage(settings.appearance.language)
      deps.onSettings(settings)
    },
  })
  const balance = keepBalance({ engine, clock, log, background })
  const [cache, setAside] = [new ThumbCache(dataDir, log), new SetAside(dataDir)]
  const pictures = new Pictures({ child, clock, log, cache, setAside })
  const output: UiHost['output'] = async (jobId, index) => {
    const job = await findJob(engine, jobId)
    return job === null ? null : fileOf(job, index)
  }
  const recheck = () => {
    feed.recheck()
    balance.recheck()
  }
  return {
    call: createPageCalls({ ...deps, places, output }, recheck),
    connect: (send) => feed.connect(send),
    places,
    texts,
    picture: async (jobId, kind) => {
      if (kind === 'file') return places.isFile(jobId) ? pictures.ofFile(places.resolve(jobId)) : null
      const job = await findJob(engine, jobId)
      return job === null ? null : pictures.of(job, kind)
    },
    output,
    results: async (jobId) => resultsOf(await findJob(engine, jobId)),
    chargerData: () => orThrow(engine.perform('chargers.data', {})),
    offer: (offered, missing = []) => feed.offer(offered, missing),
    status: () => feed.status(),
    settings: () => feed.settings,
    onStatus: (listener) => feed.onStatus(listener),
    background,
    close: async () => {
      balance.close()
      feed.close()
      await pictures.close()
    },
  }
}

function appFacts({ shell, version, dataDir, locale }: UiHostDeps): AppInfo {
  return { version, dataDir, locale, platform: process.platform, capabilities: [...shell.capabilities] }
}

async function resultsOf(job: JobView | null): Promise<Awaited<ReturnType<UiHost['results']>>> {
  const files = await Promise.all((job?.outputs ?? []).map((_, index) => fileOf(job!, index)))
  return files.flatMap((file) =>
    file === null ? [] : { ...file, name: relative(file.rootDir, file.path).split(sep).join('/') },
  )
}

/** By the index of an output; the original for null. */
async function fileOf(job: JobView, index: number | null): Promise<ResultFile | null> {
  const output = index === null ? null : job.outputs[index]
  // A planned name may hold another program's file.
  const path = output === null ? job.source.path : output?.state === 'published' ? output.path : undefined
  if (path === undefined) return null
  const rootDir = index !== null && job.recipe.output.kind === 'folder' ? job.recipe.output.dir : job.rootDir
  if ((await lstat(path).catch(() => null))?.isFile() !== true || !(await isReallyInside(rootDir, path))) return null
  return { path, name: basename(path), rootDir }
}

/** Takes any id. */
async function findJob(engine: EnginePort, id: string): Promise<JobView | null> {
  if (id === '' || id.length > 40) return null
  const { jobs } = await orThrow(engine.perform('jobs.get', { ids: [id] }))
  return jobs[0] ?? null
}

function notifyOutside({ shell, log }: UiHostDeps, notice: WordedNotice, settings: Settings): void {
  if (!shell.capabilities.has('notify') || !isWanted(notice, settings.notifications)) return
  try {
    const { title, body, address } = notice
    shellThat(shell, 'notify').notify({ title, body, address })
  } catch (error) {
    log.warn('a notification could not be shown', { error: String(error) })
  }
}
