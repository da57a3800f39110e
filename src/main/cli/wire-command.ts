import { availableParallelism } from 'node:os'
import type { ChildPort, HttpPort, SecretStore } from '../../shared/runtime/ports.ts'
import { NO_SERVICE, PRACTICE_SERVICE } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { originsOf } from '../engine/service-addresses.ts'
import { closeAll } from '../engine/end-process.ts'
import { startEngine, type Engine } from '../engine/start-engine.ts'
import { openStandalonePreview, type StandalonePreview } from '../engine/standalone-preview.ts'
import { forkChild } from '../children/fork-child.ts'
import type { PracticeAddress } from '../../practice/protocol.ts'
import type { EngineDeps } from '../engine/engine-run.ts'
import { openLog, type Log } from '../log/log.ts'
import { realClock } from '../engine/real-clock.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { createHttp } from '../services/http.ts'
import { VERSION } from '../engine/version.ts'
import type { Cli } from './command.ts'
import type { Terminal } from './terminal.ts'
import { settingsOverrides, chooseServices, type ServiceChoice } from './services.ts'
import { startPracticeChild } from '../children/practice-child.ts'
import { storedSettings } from '../engine/stored-settings.ts'

/** Wired from flags, environment and stored settings. */
export interface Wired {
  dataDir: string
  /** Stored settings with the overrides. */
  settings: Settings
  overrides: Partial<Settings>
  services: ServiceChoice
  practice: PracticeAddress | null
  secrets: SecretStore
  http: HttpPort
  child: ChildPort
  log: Log
  startEngine(
    options: Pick<EngineDeps, 'scope' | 'watch' | 'askAbove' | 'hooks'>,
    more?: Partial<Settings>,
  ): Promise<Engine>
  openPreview(): StandalonePreview
}

/**
 * The composition root of the command line; closes what it opened. Keys from the environment go into the secret store and nowhere
 * else. Throws `bad_request` and `address_insecure` for flags and variables.
 */
export async function withWired<Value>(cli: Cli, work: (wired: Wired) => Promise<Value>): Promise<Value> {
  const { dataDir, options } = cli
  const given = await cli.keys()
  const overrides = settingsOverrides(options, cli.env)
  const settings = { ...storedSettings(dataDir), ...overrides }
  const services = chooseServices(settings, overrides, cli.terminal)
  // As addresses are stored, so that one that was given can be compared with it.
  if (overrides.imageBaseUrl != null) overrides.imageBaseUrl = services.image!.baseUrl
  if (overrides.chargerBaseUrl != null) overrides.chargerBaseUrl = services.chargers!.baseUrl
  const log = logTo(cli.terminal, options.verbose === true)
  for (const warning of given.warnings) cli.terminal.err(warning)
  for (const key of Object.values(given.keys)) log.hideSecret(key)
  const secrets = openSecrets({
    children: forkChild,
    clock: realClock,
    keys: given.keys,
    origins: originsOf(settings),
    seen: (key) => log.hideSecret(key),
  })
  const http = createHttp({ clock: realClock, version: VERSION })
  const practice = options.practice === true ? await startPracticeChild(forkChild) : null
  if (practice !== null) for (const key of [practice.apiKey, practice.partnerToken]) log.hideSecret(key)

  const common = { dataDir, clock: realClock, random: Math.random, log, secrets, http, child: forkChild }
  const wired: Wired = {
    ...common,
    settings,
    overrides,
    services,
    practice,
    startEngine: (options, more) =>
      startEngine({ ...common, ...options, practice, overrides: { ...overrides, ...more } }),
    openPreview: () => {
      const imageWorkers = Math.max(2, availableParallelism())
      const serviceId = practice !== null ? PRACTICE_SERVICE : (services.image?.origin ?? NO_SERVICE)
      return openStandalonePreview({ ...common, overrides, imageWorkers, serviceId })
    },
  }
  try {
    return await work(wired)
  } finally {
    await closeAll([() => log.close(), () => http.close()])
  }
}

function logTo(terminal: Terminal, isVerbose: boolean) {
  return openLog({
    clock: realClock,
    level: isVerbose ? 'debug' : 'warn',
    human: true,
    target: { kind: 'lines', write: (line) => terminal.err(line.trimEnd()) },
  })
}
