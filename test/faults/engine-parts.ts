import { startEngine, type Engine } from '../../src/main/engine/start-engine.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { openLog } from '../../src/main/log/log.ts'
import { createEnvironmentStore } from '../../src/main/secrets/stores.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { readLedgerAddress } from '../../src/main/team/ledger-address.ts'
import type { SecretStore } from '../../src/shared/runtime/ports.ts'
import type { Settings } from '../../src/shared/settings/settings.ts'
import { builtChildren } from '../built-children.ts'
import { scaledClock } from './scaled-clock.ts'

/** How a test runs the engine; crosses to a child process as JSON. */
export interface EngineConfig {
  dataDir: string
  serviceUrl: string
  watch: boolean
  speed: number
  epochMs: number
  overrides: Partial<Settings>
  /** PEM to trust in place of the system's. */
  certificates?: string[]
  /** How many times shorter the time-outs of its requests are. */
  impatience?: number
  /** Of the team ledger in `overrides`. */
  ledgerPassword?: string
}

export interface RunningEngine {
  engine: Engine
  close(graceMs: number): Promise<void>
}

function secretsOf({ serviceUrl, overrides, ledgerPassword }: EngineConfig, apiKey: string): SecretStore {
  const image = new URL(serviceUrl).origin
  const ledgerUrl = overrides.ledgerUrl ?? null
  if (ledgerUrl === null || ledgerPassword === undefined) return createEnvironmentStore({ image: apiKey }, { image })
  const origins = { image, ledger: readLedgerAddress(ledgerUrl).name }
  return createEnvironmentStore({ image: apiKey, ledger: ledgerPassword }, origins)
}

/** The engine with everything real. Only its clock may run faster, though not for answers and children, which are as slow as the machine. */
export async function runEngine(
  config: EngineConfig,
  apiKey: string,
  say: (line: string) => void,
): Promise<RunningEngine> {
  const clock = scaledClock(config.speed, config.epochMs)
  const log = openLog({ clock, level: 'debug', human: true, target: { kind: 'lines', write: say } })
  log.hideSecret(apiKey)
  const { certificates, impatience = 1 } = config
  const http = createHttp({
    clock: scaledClock(impatience, config.epochMs),
    version: 'test',
    ...(certificates && { certificates: () => certificates }),
  })
  const engine = await startEngine({
    dataDir: config.dataDir,
    clock,
    childClock: realClock,
    random: Math.random,
    log,
    secrets: secretsOf(config, apiKey),
    http,
    child: builtChildren,
    practice: null,
    overrides: { imageBaseUrl: config.serviceUrl, ...config.overrides },
    scope: 'all',
    watch: config.watch,
  })
  const close = async (graceMs: number) => {
    await engine.stop(graceMs)
    await http.close()
    log.close()
  }
  return { engine, close }
}
