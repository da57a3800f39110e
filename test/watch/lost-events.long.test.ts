import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watchFolders } from '../../src/main/watch/folder-watches.ts'
import { itWith, LINUX } from '../needs.ts'
import { until } from '../until.ts'
import { FolderHarness } from './folder-harness.ts'

let at: FolderHarness

beforeEach(() => {
  at = new FolderHarness()
})
afterEach(() => at.end())

describe('lost events', () => {
  it('30,000 files made while the process was suspended are all found within one pass', async () => {
    for (let dir = 0; dir < 100; dir++) mkdirSync(at.path(`d${dir}`))
    await at.start()
    for (let index = 0; index < 30_000; index++) writeFileSync(at.path(`d${index % 100}/${index}.jpg`), 'x')
    await at.watcher.reconcile()
    expect(at.watcher.state.lastScan?.files).toBe(30_000)
    // Every one is on its way or taken in; for a moment one may count as both, such as when a late event names it again.
    expect(at.watcher.pending + at.stable.length).toBeGreaterThanOrEqual(30_000)
    await until('all are taken in', () => new Set(at.taken).size === 30_000)
    await at.idle()
    expect(at.stable).toHaveLength(30_000)
  })

  itWith(LINUX)('do not come of giving back more watches at once than the kernel keeps events', async () => {
    const kept = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
    for (let nth = 0; nth <= kept + 100; nth += 1) mkdirSync(at.path(`large/${nth}`), { recursive: true })
    mkdirSync(at.path('small'))
    const told: string[] = []
    const watch = async (rootDir: string) => {
      let isReady = false
      const watches = watchFolders({
        rootDir,
        ignored: () => false,
        onTouched: () => undefined,
        onRemoved: () => undefined,
        onFolderAdded: (path) => told.push(path),
        onMissed: () => undefined,
        onReady: () => (isReady = true),
        onError: (error) => told.push(String(error)),
      })
      await until('it is ready', () => isReady)
      return watches
    }
    const large = await watch(at.path('large'))
    const small = await watch(at.path('small'))
    const closed = large.close()
    mkdirSync(at.path('small/late'))
    await closed
    await until('the folder is told of', () => told.length > 0)
    expect(told).toEqual([at.path('small/late')])
    await small.close()
  })
})
