import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { FolderWatcher, type WatchDeps } from '../../src/main/watch/folder-watcher.ts'
import { Background } from '../../src/shared/runtime/background.ts'
import type { WatchFigures } from './watch-process.ts'

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

/** Folders watched from nothing known to quiet, in a process of their own. */
export function measureWatching(roots: readonly string[], files: number, idleSeconds: number): WatchFigures {
  const program = join(import.meta.dirname, 'watch-process.ts')
  const output = execFileSync(process.execPath, [program, String(files), String(idleSeconds), ...roots])
  return JSON.parse(output.toString()) as WatchFigures
}

/** Files made in 100 watched folders without giving the process a turn, so that the kernel's queue overflows. */
export async function measureEventLoss(rootDir: string, files: number): Promise<{ found: number; foundMs: number }> {
  const folders = 100
  for (let index = 0; index < folders; index++) mkdirSync(join(rootDir, `d${index}`), { recursive: true })
  let passes = 0
  const onState: WatchDeps['onState'] = (_id, { phase }) => {
    if (phase === 'reconciling') passes += 1
  }
  const watcher = new FolderWatcher({ id: 'loss', rootDir, filter: noFilter }, { ...deps, onState })
  await watcher.start()
  while (passes === 0) await sleep(5)
  await watcher.reconcile()
  for (let index = 0; index < files; index++) writeFileSync(join(rootDir, `d${index % folders}`, `${index}.jpg`), 'x')
  const resumedAt = performance.now()
  const found = (): number => watcher.state.lastScan?.files ?? 0
  while (found() < files && performance.now() - resumedAt < 30_000) await sleep(5)
  const foundMs = performance.now() - resumedAt
  await watcher.stop()
  return { found: found(), foundMs }
}
