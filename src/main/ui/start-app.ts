import { homedir } from 'node:os'
import { join } from 'node:path'
import { Background, guardTimers } from '../../shared/background.ts'
import type { PracticeOptions } from '../../practice/protocol.ts'
import type { ChildPort, SecretName, ShellPort } from '../../shared/ports.ts'
import type { Settings } from '../../shared/settings.ts'
import { closeAll } from '../close-all.ts'
import { storedSettings } from '../stored-settings.ts'
import { startEngine, type Engine } from '../engine.ts'
import { openLog, type Log } from '../log.ts'
import { realClock } from '../real-clock.ts'
import { createEnvironmentStore } from '../secrets/environment-store.ts'
import { lazySecrets } from '../secrets/lazy-secrets.ts'
import { openSecretStore } from '../secrets/open-secret-store.ts'
import { takeEnvironmentKeys, type EnvironmentKeys } from '../secrets/take-environment-keys.ts'
import { chargerBaseUrl, imageBaseUrl } from '../services/base-url.ts'
import { createHttp, type HttpOptions } from '../services/http.ts'
import { VERSION } from '../version.ts'
import { LogTail } from './log-tail.ts'
import { PracticeKeeper } from './practice-keeper.ts'
import { createUiHost, type UiHost } from './ui-host.ts'

export const LOGS_FOLDER = 'logs'

export interface StartAppOptions {
  dataDir: string
  child: ChildPort
  shell: ShellPort
  /** Keys and addresses of services are taken from it; the keys are gone from it then. */
  env: NodeJS.ProcessEnv
  /** BCP 47, as the system says. */
  locale: string
  version?: string
  /** A shell that knows the system's proxy gives it; otherwise the environment's is used. */
  proxy?: HttpOptions['proxy']
  samplesDir: string
  practiceOptions?: PracticeOptions
  /** Given for this start only; wins over the environment and over what is stored. */
  overrides?: Partial<Settings>
}

export interface App {
  host: UiHost
  engine: Engine
  log: Log
  /** What a person should know of how this start went, such as a key file that others can read. */
  warnings: readonly string[]
  /** Stops taking in, waits up to `graceMs` for answers to what was sent, and lets the data folder go. Once is enough. */
  stop(graceMs: number): Promise<void>
}

/**
 * The composition root of both shells with a page. Watches the remembered folders and works; a service without an address
 * is the practice service; without that, too, the rest works. Throws what is wrong with the data folder, the journal, an
 * address or a key of the environment.
 */
export async function startApp(options: StartAppOptions): Promise<App> {
  const { dataDir, child, shell, locale, samplesDir, version = VERSION } = options
  const given = await takeEnvironmentKeys(options.env)
  const overrides = { ...addressesIn(options.env), ...options.overrides }
  const settings = { ...storedSettings(dataDir), ...overrides }
  const logTail = new LogTail()
  const log = openLog({
    clock: realClock,
    level: settings.verboseLog ? 'debug' : 'info',
    target: { kind: 'file', folder: join(dataDir, LOGS_FOLDER) },
    also: (line) => logTail.write(line),
  })
  const background = new Background({ log, nowMs: () => realClock.nowMs() })
  const clock = guardTimers(realClock, background)
  let graceMs = 0
  const undo: (() => unknown)[] = [() => log.close()]
  const unexpected = (error: unknown) => background.unexpected(error)
  process.on('unhandledRejection', unexpected)
  undo.push(() => process.off('unhandledRejection', unexpected))
  try {
    for (const key of Object.values(given.keys)) log.hideSecret(key)
    const secrets = openSecrets(child, given, settings, log)
    const http = createHttp({ clock, version, ...(options.proxy && { proxy: options.proxy }) })
    undo.push(() => http.close())
    let inUse: Settings = settings
    let engine: Engine | null = null
    const practice = new PracticeKeeper({
      ...{ child, clock, log, options: options.practiceOptions ?? {} },
      isNeeded: () => PracticeKeeper.isNeeded(inUse) || engine?.needsPractice() === true,
    })
    undo.push(() => practice.stop())
    const problem = PracticeKeeper.isNeeded(settings) ? await practice.begin() : null
    if (problem !== null) log.error('the practice service did not start', { error: problem.message })
    const started = await startEngine({
      ...{ dataDir, clock, random: Math.random, log, background, secrets, http, child, overrides },
      ...{ practice: () => practice.current(), scope: 'all', watch: true },
      samples: { dir: samplesDir, startPractice: () => practice.begin() },
    })
    engine = started
    undo.push(() => started.stop(graceMs))
    // Settings that are stored again unchanged: the engine reads addresses and keys again.
    practice.onRestart = () => background.run('practice_restart', () => started.call('settings.set', {}))
    // It may have come up at its second try while the engine started.
    if (problem !== null && practice.current() !== null) practice.onRestart()
    const host = createUiHost({
      ...{
        engine: started,
        shell,
        child,
        clock,
        log,
        background,
        logTail,
        version,
        locale,
        dataDir,
        overrides,
      },
      homeDir: homedir(),
      beforeSettings: async (next) => {
        // While it does not run although it is needed, it is tried again anyway: nothing else has to wait for that.
        if (PracticeKeeper.isNeeded(next) && !PracticeKeeper.isNeeded(inUse)) await practice.ensure()
      },
      onSettings: (now) => {
        inUse = now
        log.setLevel(now.verboseLog ? 'debug' : 'info')
      },
    })
    undo.push(() => host.close())
    const of = (address: string | null) => (address === null ? 'practice' : 'account')
    const { imageBaseUrl, chargerBaseUrl } = settings
    log.info('started', { version, pictures: of(imageBaseUrl), chargers: of(chargerBaseUrl) })
    return {
      ...{ host, engine: started, log },
      warnings: [
        ...given.warnings,
        ...(problem === null ? [] : [`${problem.message} Hangar goes on without it and tries again.`]),
      ],
      stop: async (wantedGraceMs) => {
        graceMs = wantedGraceMs
        await closeAll(undo.splice(0))
      },
    }
  } catch (error) {
    await closeAll(undo)
    throw error
  }
}

/** The keychain is looked at right away but not waited for: a locked one may take its time to say so. */
function openSecrets(child: ChildPort, { keys }: EnvironmentKeys, settings: Settings, log: Log) {
  const origins = originsOf(settings)
  const opening = openSecretStore({ children: child, clock: realClock, environmentKeys: keys, origins })
  opening.catch((error: unknown) => log.error('the keychain could not be looked at', { error: String(error) }))
  return lazySecrets(
    createEnvironmentStore(keys, origins),
    () => opening,
    (key) => log.hideSecret(key),
  )
}

function originsOf({ imageBaseUrl: image, chargerBaseUrl: chargers }: Settings): Partial<Record<SecretName, string>> {
  return {
    ...(image === null ? {} : { image: imageBaseUrl(image).origin }),
    ...(chargers === null ? {} : { chargers: chargerBaseUrl(chargers).origin }),
  }
}

function addressesIn(env: NodeJS.ProcessEnv): Partial<Settings> {
  const image = env['HANGAR_SERVICE_URL']?.trim() ?? ''
  const chargers = env['HANGAR_CHARGER_URL']?.trim() ?? ''
  return { ...(image === '' ? {} : { imageBaseUrl: image }), ...(chargers === '' ? {} : { chargerBaseUrl: chargers }) }
}
