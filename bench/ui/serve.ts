/**
 * The real web shell on a seeded journal, for the measurements in this folder. The engine is started to be looked at only; jobs
 * are changed here, in the journal, and the page is told of it as the engine would. A child of main.ts with the arguments
 * DATA_DIR PAGE_DIR: sends `{ link }` when it serves, takes `ServeRequest`.
 */
import { join } from 'node:path'
import process from 'node:process'
import sharp from 'sharp'
import type { EngineEvent, EnginePort } from '../../src/shared/contract/engine-port.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'
import { ProgressMeter } from '../../src/main/engine/progress-meter.ts'
import { startEngine } from '../../src/main/engine/start-engine.ts'
import { forkChild } from '../../src/main/children/fork-child.ts'
import { Background } from '../../src/shared/runtime/background.ts'
import { openLog } from '../../src/main/log/log.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal, openJournalForReading } from '../../src/main/journal/journal.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createMemoryStore } from '../../src/main/secrets/stores.ts'
import { createHttp } from '../../src/main/services/http.ts'
import { createUiHost } from '../../src/main/page/ui-host.ts'
import { startWeb, WEB_SHELL } from '../../src/main/web/start-web.ts'
import { JobMover } from './job-mover.ts'

/** `changes` and `added`: how many a second from now on. `link`: answered with a fresh one. */
export interface ServeRequest {
  changes?: number
  added?: number
  link?: true
}

const TICK_MS = 50
const [dataDir, pageDir] = process.argv.slice(2) as [string, string]
const clock = realClock
const overrides = {
  ...DEFAULT_SETTINGS,
  imageBaseUrl: 'https://images.example/api/v1',
  paused: true,
}
const log = openLog({ clock, target: { kind: 'file', folder: join(dataDir, 'logs') } })
const background = new Background({ log, nowMs: () => clock.nowMs() })
const engine = await startEngine({
  dataDir,
  clock,
  random: Math.random,
  log,
  background,
  overrides,
  child: forkChild,
  practice: null,
  secrets: createMemoryStore('no_service'),
  http: createHttp({ clock, version: 'bench' }),
  scope: 'none',
  watch: false,
})

const listeners = new Set<(event: EngineEvent) => void>()
const emit = (event: EngineEvent) => {
  if (event.type === 'job') meter.changed(event.job, event.from, clock.monotonicMs())
  for (const listener of listeners) listener(event)
}
/** What the mover writes is unknown to the engine, whose own counts would take the page back to the start each minute. */
const written = new JobStore(openJournalForReading(dataDir), () => clock.nowMs())
const meter = new ProgressMeter(written.count(), clock.monotonicMs())
/** The engine, with the events of the mover among its own, and its jobs among those counted. */
const observedEngine: EnginePort = {
  call: (name, request) => engine.call(name, request),
  perform: (name, request) => engine.perform(name, request),
  progress: () => meter.read(clock.monotonicMs(), null),
  snapshot: () => ({ ...engine.snapshot(), counts: written.count() }),
  subscribe: (listener) => {
    listeners.add(listener)
    const unsubscribe = engine.subscribe(listener)
    return () => {
      listeners.delete(listener)
      unsubscribe()
    }
  },
}
const host = createUiHost({
  engine: observedEngine,
  shell: WEB_SHELL,
  child: forkChild,
  clock,
  log,
  background,
  version: 'bench',
  locale: 'en',
  dataDir,
  homeDir: dataDir,
  onSettings: () => undefined,
})

/** The pictures do not exist; small ones of every colour stand for them, so that the page has as much to show as ever. */
const thumbs = await Promise.all(
  Array.from({ length: 24 }, (_, n) => {
    const background = { r: (n * 89) % 256, g: (n * 53) % 256, b: (n * 151) % 256 }
    return sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .webp()
      .toBuffer()
  }),
)
const picture = async (jobId: string) => ({
  type: 'image/webp',
  bytes: thumbs[Number(jobId.slice(-4)) % thumbs.length]!,
})
const web = await startWeb({
  host: { ...host, picture },
  dataDir,
  clock,
  log,
  port: 0,
  pageDir,
  inboxDir: async () => null,
  works: async () => true,
})

const mover = new JobMover(openJournal(dataDir), emit)
let pace = { changes: 0, added: 0 }
let owed = { changes: 0, added: 0 }
setInterval(() => {
  owed = { changes: owed.changes + (pace.changes * TICK_MS) / 1000, added: owed.added + (pace.added * TICK_MS) / 1000 }
  const now = { changes: Math.floor(owed.changes), added: Math.floor(owed.added) }
  owed = { changes: owed.changes - now.changes, added: owed.added - now.added }
  mover.move(now.changes, now.added)
}, TICK_MS)

process.on('message', ({ link, ...asked }: ServeRequest) => {
  pace = { ...pace, ...asked }
  if (link === true) process.send?.({ link: web.newLink() })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ link: web.newLink() })
