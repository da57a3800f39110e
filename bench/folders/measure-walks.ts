import { lstatSync, readdirSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { KnownFiles } from '../../src/main/watch/known-files.ts'
import { createPathFilter } from '../../src/main/watch/path-filter.ts'
import { reconcile } from '../../src/main/watch/reconcile.ts'

const ROUNDS = 5

interface Walks {
  folders: number
  bareSyncMs: number
  bareAsyncMs: number
  firstPassMs: number
  seenPassMs: number
  threadPoolPassMs: number
  firstPassRatioToSync: number
  firstPassRatioToAsync: number
  seenPassRatioToSync: number
  longestStandstillMs: number
}

/** Each kind of walk in turn, once to warm up and then five times, so that a busy moment hits all of them alike. */
export async function measureWalks(root: string, files: number): Promise<Walks> {
  const filter = createPathFilter({ include: [], exclude: [], leftOut: [] })
  const seen = new KnownFiles({ compareIno: true })
  const pass = async (known: KnownFiles, direct: boolean, expected: number): Promise<void> => {
    let changed = 0
    const signal = new AbortController().signal
    const onChanged = (_folder: string, found: readonly { name: string }[]): number => (changed += found.length)
    const result = await reconcile({
      realRoot: root,
      filter,
      known,
      direct,
      signal,
      onChanged,
    })
    if (result.files !== files || changed !== expected) throw new Error('a pass did not find what is there')
  }
  await reconcile({
    realRoot: root,
    filter,
    known: seen,
    direct: true,
    signal: new AbortController().signal,
    onChanged: (folder, found) => {
      for (const { name, sample } of found) seen.set(`${folder}/${name}`, sample)
    },
  })
  const none = new KnownFiles({ compareIno: true })
  const kinds = {
    bareSync: async () => {
      bareSync(root)
    },
    bareAsync: async () => {
      await bareAsync(root)
    },
    first: () => pass(none, true, files),
    seen: () => pass(seen, true, 0),
    pool: () => pass(seen, false, 0),
  }
  const times: Record<keyof typeof kinds, number[]> = { bareSync: [], bareAsync: [], first: [], seen: [], pool: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const startedAt = performance.now()
      await kinds[kind]()
      if (round > 0) times[kind].push(performance.now() - startedAt)
    }
  }
  const bareSyncMs = median(times.bareSync)
  const bareAsyncMs = median(times.bareAsync)
  const firstPassMs = median(times.first)
  const seenPassMs = median(times.seen)
  return {
    folders: countFolders(root),
    bareSyncMs,
    bareAsyncMs,
    firstPassMs,
    seenPassMs,
    threadPoolPassMs: median(times.pool),
    firstPassRatioToSync: firstPassMs / bareSyncMs,
    firstPassRatioToAsync: firstPassMs / bareAsyncMs,
    seenPassRatioToSync: seenPassMs / bareSyncMs,
    longestStandstillMs: await longestStandstill(() => pass(none, true, files)),
  }
}

/** The longest time between two turns of the event loop while `run` runs. */
async function longestStandstill(run: () => Promise<void>): Promise<number> {
  let longestMs = 0
  let last = performance.now()
  let isOver = false
  const turn = (): void => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  isOver = true
  return longestMs
}

/** The least that can be done: list and look, nothing kept, the event loop blocked throughout. */
function bareSync(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = `${dir}/${entry.name}`
    if (entry.isDirectory()) bareSync(path)
    else lstatSync(path)
  }
}

async function bareAsync(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = `${dir}/${entry.name}`
    if (entry.isDirectory()) await bareAsync(path)
    else await lstat(path)
  }
}

function countFolders(dir: string): number {
  let count = 1
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) count += countFolders(`${dir}/${entry.name}`)
  }
  return count
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
