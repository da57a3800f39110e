import { mkdirSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
})
