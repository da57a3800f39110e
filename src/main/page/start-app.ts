import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { orThrow } from '../../shared/contract/call.ts'
import { Background, guardTimers } from '../../shared/runtime/background.ts'
import type { PracticeOptions } from '../../practice/protocol.ts'
import type { ChildPort, ShellPort } from '../../shared/runtime/ports.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import { languageFor } from '../../shared/text/text-language.ts'
import { closeAll } from '../engine/end-process.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import { startEngine, type Engine } from '../engine/start-engine.ts'
import { HookFile } from '../engine/hook-file.ts'
import { addressesIn, originsOf } from '../engine/service-addresses.ts'
import type { OnHookEnd } from '../hooks/hook.ts'
import { checkDataFolder } from '../journal/check-data-folder.ts'
import { LOGS_FOLDER, openLog, type Log } from '../log/log.ts'
import { isKeychainUnlocked } from '../children/session-bus.ts'
import { realClock } from '../engine/real-clock.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { takeEnvironmentKeys, type EnvironmentKeys } from '../secrets/take-environment-keys.ts'
import { createHttp, type HttpOptions } from '../services/http.ts'
import { VERSION } from '../engine/version.ts'
import { isHangarsOwn, ownPlaces } from '../watch/own-places.ts'
import { shellThat } from './calls/page-call-deps.ts'
import { QUICK_JOBS } from '../children/practice-child.ts'
import { PracticeOnDemand } from './practice-on-demand.ts'
import { createUiHost, type UiHost } from './ui-host.ts'

export interface StartAppOptions {
  dataDir: string
  child: ChildPort
  shell: ShellPort
  /** Addresses of services are read from it. */
  env: NodeJS.ProcessEnv
  /** From the environment; without them they are taken out of `env`. */
  keys?: EnvironmentKeys
  /** The system's locale, as BCP 47. */
  locale: string
  /** The system's proxy, if the shell knows it; otherwise the environment's is used. */
  proxy?: HttpOptions['proxy']
  samplesDir: string
  practiceOptions?: PracticeOptions
  /** For this run only; override the environment and the stored settings. */
  overrides?: Partial<Settings>
  onHook?: OnHookEnd
  /** Where the shell shows its page to browsers, if it does. */
  origin?: () => string | null
  /** Pauses or resumes sending before any of it begins; by default it stays as it was. */
  paused?: boolean
}

export interface App {
  host: UiHost
  engine: Engine
  log: Log
  /** Warnings about this start for a person, such as a key file that others can read. */
  warnings: readonly string[]
  /** Stops intake, waits up to `graceMs` for answers to what was sent, and releases the data folder. Idempotent. */
  stop(graceMs: number): Promise<void>
}

/**
 * The composition root of both shells with a page. Watches the stored folders and starts work. A service without an
 * address is the practice service. Throws for a bad data folder, journal, or address or key of the environment.
 */
// oxlint-disable-next-line max-lines-per-function -- what is wired, in the order in which it has to start and to close
export async function startApp(options: StartAppOptions): Promise<App> {
  const { dataDir, child, shell, locale, samplesDir } = options
  const given = options.keys ?? (await takeEnvironmentKeys(options.env))
  const overrides = { ...addressesIn(options.env), ...options.overrides }
  const settings: Settings = { ...storedSettings(dataDir), ...overrides }
  // Before anything is written there, such as the log.
  checkDataFolder(dataDir)
  const log = openLog({
    clock: realClock,
    level: settings.verboseLog ? 'debug' : 'info',
    target: { kind: 'file', folder: join(dataDir, LOGS_FOLDER) },
  })
  const background = new Background({ log, nowMs: () => realClock.nowMs() })
  const clock = guardTimers(realClock, background)
  let graceMs = 0
  const undo: (() => unknown)[] = [() => log.close(), () => log.info('stopped')]
  const unexpected = (error: unknown) => background.unexpected(error)
  process.on('unhandledRejection', unexpected)
  undo.push(() => process.off('unhandledRejection', unexpected))
  try {
    for (const key of Object.values(given.keys)) log.hideSecret(key)
    const stopping = new AbortController()
    undo.push(() => stopping.abort())
    let engine: Engine | null = null
    const secrets = openSecrets({
      children: child,
      clock: realClock,
      keys: given.keys,
      origins: originsOf(settings),
      seen: (key) => log.hideSecret(key),
      unlocking: {
        clock,
        log,
        isUnlocked: isKeychainUnlocked,
        onUsable: () =>
          background.run('keychain', async () => engine !== null && orThrow(engine.call('keys.readAgain', {}))),
        signal: stopping.signal,
      },
    })
    const practice = new PracticeOnDemand({
      child,
      http: createHttp(withoutUndefined({ clock, version: VERSION, log, proxy: options.proxy })),
      log,
      options: { jobTime: QUICK_JOBS, ...options.practiceOptions },
    })
    undo.push(() => practice.close())
    let hooks: HookFile | null = null
    const started = await startEngine({
      dataDir,
      clock,
      random: Math.random,
      log,
      background,
      secrets,
      http: practice,
      child,
      overrides,
      firstLanguage: languageFor('system', locale),
      beforeSettings: async (next, now) => {
        if (next.inboxDir !== null && next.inboxDir !== now.inboxDir) await refuseInbox(next.inboxDir, dataDir)
        if (next.startAtLogin !== now.startAtLogin)
          await shellThat(shell, 'startAtLogin').setStartAtLogin(next.startAtLogin)
      },
      practice: practice.address,
      scope: 'all',
      ...withoutUndefined({ paused: options.paused, origin: options.origin }),
      hooks: async (parts) => {
        const { env, onHook } = options
        hooks = await HookFile.open({ ...parts, dataDir, clock, env, secret: given.keys.hooks ?? null, onEnd: onHook })
        return hooks
      },
      watch: true,
      samplesDir,
    })
    engine = started
    undo.push(() => started.stop(graceMs))
    const host = createUiHost({
      engine: started,
      shell,
      child,
      clock,
      log,
      background,
      version: VERSION,
      locale,
      dataDir,
      homeDir: homedir(),
      hooks,
      onSettings: (now) => log.setLevel(now.verboseLog ? 'debug' : 'info'),
    })
    undo.push(() => host.close())
    const of = (address: string | null) => (address === null ? 'practice' : 'account')
    const { imageBaseUrl, chargerBaseUrl } = settings
    log.info('started', { version: VERSION, pictures: of(imageBaseUrl), chargers: of(chargerBaseUrl) })
    return {
      host,
      engine: started,
      log,
      warnings: given.warnings,
      stop: async (wantedGraceMs) => {
        graceMs = wantedGraceMs
        const [closeLog, ...others] = undo.splice(0)
        if (closeLog === undefined) return
        try {
          await closeAll(others)
        } finally {
          await closeLog()
        }
      },
    }
  } catch (error) {
    await closeAll(undo)
    throw error
  }
}

/** The inbox must be an existing folder outside Hangar's own folders. */
async function refuseInbox(path: string, dataDir: string): Promise<void> {
  if ((await stat(path).catch(() => null))?.isDirectory() !== true)
    throw new AppError('not_found', say('folder_not_there'))
  if (isHangarsOwn(await realpath(path), ownPlaces(dataDir, null))) throw new AppError('bad_request', say('folder_own'))
}
