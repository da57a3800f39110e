/**
 * Watches folders from nothing known to quiet, in a process of its own: `node watch-process.ts FILES IDLE_SECONDS FOLDER…`.
 * Prints what it took as JSON (`WatchFigures`).
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { WatcherSet } from '../../src/main/watch/watcher-set.ts'
import { Background } from '../../src/shared/runtime/background.ts'

export interface WatchFigures {
  /** Resident memory before anything is watched. */
  startRssMb: number
  allOfferedMs: number
  /** From the start until all folders are watched live and scanned again. */
  liveMs: number
  /** Processor time until then. */
  cpuMs: number
  heapMb: number
  rssMb: number
  peakRssMb: number
  idleCpuMs: number
}

const [filesText, idleSecondsText, ...roots] = process.argv.slice(2)
const files = Number(filesText)
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function quiet(): void {
  return undefined
}

/** Of the lines in `/proc/self/status` (proc_pid_status(5)). */
function statusMb(line: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return (Number(kib) * 1024) / 1e6
}

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

const startRssMb = statusMb('VmRSS')
const cpuAtStart = process.cpuUsage()
const startedAt = performance.now()
const live = new Set<string>()
const scannedLive = new Set<string>()
let offered = 0
let allOfferedMs = NaN
const set = new WatcherSet({
  clock: realClock,
  random: Math.random,
  logger: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
  background: new Background({ log: { info: quiet, error: console.error }, nowMs: () => Date.now() }),
  seen: { load: () => [] },
  onStable: () => {
    offered += 1
    if (offered === files) allOfferedMs = performance.now() - startedAt
    return 'taken'
  },
  onGone: quiet,
  onState: (id, { phase }) => {
    if (phase === 'reconciling') live.add(id)
    if (phase === 'watching' && live.has(id)) scannedLive.add(id)
  },
  own: () => NO_OWN_PLACES,
})
await set.addStored(
  roots.map((rootDir) => ({
    id: rootDir,
    rootDir,
    include: [],
    exclude: [],
    alsoTakes: [],
    outputDir: null,
    paused: false,
  })),
)
while (offered < files || scannedLive.size < roots.length) await sleep(5)
const liveMs = performance.now() - startedAt
const cpu = cpuMs(cpuAtStart)
// V8 clears up twice within half a minute after so much work; that is not what watching costs.
await sleep(30_000)
const before = process.cpuUsage()
await sleep(Number(idleSecondsText) * 1_000)
const idleCpuMs = cpuMs(before)
const [rssMb, peakRssMb] = [statusMb('VmRSS'), statusMb('VmHWM')]
collectGarbage()
const heapMb = process.memoryUsage().heapUsed / 1e6
await set.stop()
const figures: WatchFigures = { startRssMb, allOfferedMs, liveMs, cpuMs: cpu, heapMb, rssMb, peakRssMb, idleCpuMs }
console.log(JSON.stringify(figures))
