import { Background } from '../../src/shared/runtime/background.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { FolderPhase } from '../../src/shared/contract/folders.ts'
import { FolderWatcher, type WatchDeps } from '../../src/main/watch/folder-watcher.ts'
import { KnownFiles, type KnownFile } from '../../src/main/watch/known-files.ts'
import { watchTreeWithChokidar } from '../../src/main/watch/tree-watch.ts'
import { WATCH_TIMING } from '../../src/main/watch/watch-timing.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function quiet(): void {
  return undefined
}

const deps: WatchDeps = {
  clock: realClock,
  random: Math.random,
  logger: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
  background: new Background({ log: { info: quiet, error: console.error }, nowMs: () => Date.now() }),
  seen: { load: () => [] },
  onStable: () => 'taken',
  onGone: quiet,
  onState: quiet,
}

const noFilter = { include: [], exclude: [], leftOut: [] }

/** One folder watched from nothing seen to quiet. */
export async function measureWatching(
  rootDir: string,
  files: number,
  idleSeconds: number,
): Promise<{
  knownHeapMb: number
  allOfferedMs: number
  liveMs: number
  heapMb: number
  rssMb: number
  idleCpuMs: number
}> {
  const seen: KnownFile[] = []
  let allOfferedMs = NaN
  let passes = 0
  const startedAt = performance.now()
  const watcher = new FolderWatcher(
    { id: 'bench', rootDir, filter: noFilter },
    {
      ...deps,
      onStable: ({ path, sizeBytes, mtimeNs, ctimeNs, ino }) => {
        seen.push({ path, sizeBytes, mtimeNs, ctimeNs, ino })
        if (seen.length === files) allOfferedMs = performance.now() - startedAt
        return 'taken'
      },
      onState: (_id, { phase }: { phase: FolderPhase }) => {
        if (phase === 'reconciling') passes += 1
      },
    },
  )
  await watcher.start()
  while (passes === 0) await sleep(5)
  const liveMs = performance.now() - startedAt
  await watcher.reconcile()
  while (watcher.pending > 0) await sleep(5)
  // V8 clears up twice within half a minute after so much work; that is not what watching costs.
  await sleep(30_000)
  const before = process.cpuUsage()
  await sleep(idleSeconds * 1_000)
  const used = process.cpuUsage(before)
  const rssMb = process.memoryUsage().rss / 1e6
  collectGarbage()
  const heapMb = process.memoryUsage().heapUsed / 1e6
  await watcher.stop()
  return {
    knownHeapMb: heapOfKnown(rootDir, seen),
    allOfferedMs,
    liveMs,
    heapMb,
    rssMb,
    idleCpuMs: (used.user + used.system) / 1_000,
  }
}

function heapOfKnown(rootDir: string, seen: KnownFile[]): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const known = new KnownFiles({ compareIno: true })
  known.load(seen, (path) => path.slice(rootDir.length + 1))
  collectGarbage()
  const bytes = process.memoryUsage().heapUsed - before
  if (known.count !== seen.length) throw new Error('what is known is not what was seen')
  return bytes / 1e6
}

/** Files made in 100 watched folders without giving the process a turn, so that the kernel's queue overflows. */
export async function measureEventLoss(
  rootDir: string,
  files: number,
): Promise<{ byEvents: number; byOnePass: number; passMs: number }> {
  const folders = 100
  for (let index = 0; index < folders; index++) mkdirSync(join(rootDir, `d${index}`), { recursive: true })
  const touched = new Set<string>()
  let isLive = false
  // No pass may help the events: their own figure is taken before one is asked for.
  const timing = { ...WATCH_TIMING, overflowEvents: Infinity }
  const watcher = new FolderWatcher(
    { id: 'loss', rootDir, filter: noFilter },
    {
      ...deps,
      timing,
      watchTree: (options) =>
        watchTreeWithChokidar({
          ...options,
          onTouched: (path) => {
            touched.add(path)
            options.onTouched(path)
          },
          onReady: () => {
            isLive = true
            options.onReady()
          },
        }),
    },
  )
  await watcher.start()
  while (!isLive) await sleep(5)
  await watcher.reconcile()
  for (let index = 0; index < files; index++) writeFileSync(join(rootDir, `d${index % folders}`, `${index}.jpg`), 'x')
  for (let before = -1; before !== touched.size;) {
    before = touched.size
    await sleep(2_000)
  }
  const byEvents = touched.size
  const startedAt = performance.now()
  await watcher.reconcile()
  const passMs = performance.now() - startedAt
  const byOnePass = watcher.state.lastScan?.files ?? 0
  await watcher.stop()
  return { byEvents, byOnePass, passMs }
}
