import { cpSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RootFolder } from '../../src/main/watch/root-folder.ts'
import { findRootFolder } from '../../src/main/watch/root-folder.ts'
import { watchFolders } from '../../src/main/watch/folder-watches.ts'
import type { TreeWatchOptions, WatchTree } from '../../src/main/watch/tree-watch.ts'
import { until } from '../until.ts'
import { FAST, FolderHarness, quietBackground } from './folder-harness.ts'

let at: FolderHarness

beforeEach(() => {
  at = new FolderHarness()
})
afterEach(() => at.end())

/** Only looking at the place finds anything. */
const QUIET = { ...FAST, pollEveryMs: 600_000, missingRetryMs: 600_000 }

const phase = (name: string) => () => at.watcher.state.phase === name

/** A watch that fails with each of the codes in turn, then works. */
function failing(codes: string[], starts: TreeWatchOptions[] = []): WatchTree {
  return (options) => {
    starts.push(options)
    const code = codes[starts.length - 1]
    if (code === undefined) return watchFolders(options)
    setImmediate(() => options.onError(Object.assign(new Error(code), { code })))
    return { close: () => Promise.resolve() }
  }
}

describe('a folder that goes away', () => {
  it('is missing, loses nothing, and is scanned when it is back', async () => {
    at.write('a.jpg')
    at.write('x/b.jpg')
    await at.startAndTakeIn()
    expect(at.taken).toEqual(['a.jpg', 'x/b.jpg'])
    const away = join(at.base, 'away')
    renameSync(at.root, away)
    await until('it is noticed', phase('missing'))
    expect(at.watcher.state.because?.code).toBe('not_there')
    writeFileSync(join(away, 'c.jpg'), 'x')
    renameSync(away, at.root)
    await until('it is watched again', phase('watching'))
    await until('the new one is taken in', () => at.taken.includes('c.jpg'))
    await at.idle()
    expect(at.gone).toEqual([])
    expect(at.stable).toHaveLength(3)
    at.write('d.jpg')
    await until('changes are noticed again', () => at.taken.includes('d.jpg'))
  })

  it('loses nothing when an empty folder is in its place, as a mount point is without its drive', async () => {
    at.write('a.jpg')
    await at.startAndTakeIn()
    renameSync(at.root, join(at.base, 'away'))
    mkdirSync(at.root)
    await at.watcher.reconcile()
    await until('the empty one is scanned', () => at.watcher.state.because !== null && phase('watching')())
    await at.watcher.reconcile()
    expect(at.watcher.state.because?.code).toBe('emptied')
    expect(at.gone).toEqual([])
  })

  it('loses nothing of a folder inside it that is empty now, as a mount point is without its drive', async () => {
    for (const name of ['drive/sub/a.jpg', 'drive/b.jpg', 'c.jpg']) at.write(name)
    await at.startAndTakeIn()
    for (const name of ['sub', 'b.jpg']) renameSync(at.path(`drive/${name}`), join(at.base, name))
    unlinkSync(at.path('c.jpg'))
    await until('what was deleted is gone', () => at.gone.length > 0)
    await at.watcher.reconcile()
    expect(at.gone).toEqual([at.path('c.jpg')])
  })

  it('is scanned again when another folder has taken its place', async () => {
    at.write('a.jpg')
    await at.startAndTakeIn()
    cpSync(at.root, join(at.base, 'copy'), { recursive: true })
    writeFileSync(join(at.base, 'copy/b.jpg'), 'x')
    renameSync(at.root, join(at.base, 'away'))
    renameSync(join(at.base, 'copy'), at.root)
    await until('the new one is found', () => at.taken.includes('b.jpg'))
    await until('it is watched', phase('watching'))
    at.write('c.jpg')
    await until('changes in the new one are noticed', () => at.taken.includes('c.jpg'))
  })

  it('says so and loses nothing when a folder with other pictures is in its place, and is found when it is back', async () => {
    at.write('a.jpg')
    await at.startAndTakeIn({ timing: QUIET })
    renameSync(at.root, join(at.base, 'away'))
    at.write('b.jpg')
    await until('the other one is found', () => at.watcher.state.because?.code === 'replaced')
    expect(at.gone).toEqual([])
    renameSync(at.root, join(at.base, 'other'))
    renameSync(join(at.base, 'away'), at.root)
    await until('it is watched as before', () => phase('watching')() && at.watcher.state.because === null)
  })
})

describe('a watch that cannot be had', () => {
  it.each([
    ['ENOSPC', 'no_watches'],
    ['EMFILE', 'no_handles'],
  ])('%s: the folder is polled, says so, and works', async (error, code) => {
    await at.start({ watchTree: failing([error]) })
    await until('it is polled', phase('polling'))
    expect(at.watcher.state.because).toMatchObject({ code })
    expect(Object.keys(at.watcher.state.because!.values)).toEqual(['from', 'to'])
    at.write('a.jpg')
    await until('it is taken in', () => at.taken.includes('a.jpg'))
    rmSync(at.path('a.jpg'))
    at.write('b.jpg')
    await until('it is gone', () => at.gone.includes(at.path('a.jpg')))
  })

  it('is tried again later, and then changes are noticed', async () => {
    await at.start({ watchTree: failing(['ENOSPC']), timing: { ...FAST, rewatchMs: 300, pollEveryMs: 60_000 } })
    await until('it is watched', phase('watching'))
    expect(at.states.map((state) => state.phase)).toContain('polling')
    at.write('a.jpg')
    await until('it is taken in', () => at.taken.includes('a.jpg'))
  })

  it('is given up for a while when it fails again and again', async () => {
    const starts: TreeWatchOptions[] = []
    const timing = { ...FAST, restartMs: 1, maxRestarts: 3, rewatchMs: 600_000 }
    await at.start({ watchTree: failing(Array<string>(20).fill('EIO'), starts), timing })
    await until('it was tried four times', () => starts.length === 4)
    at.write('a.jpg')
    await until('it is taken in by polling', () => at.taken.includes('a.jpg'))
    expect(starts).toHaveLength(4)
  })

  it('is not asked for on a network drive; the inode numbers there are not believed', async () => {
    const starts: TreeWatchOptions[] = []
    const findRoot = async (rootDir: string): Promise<RootFolder> => {
      const found = await findRootFolder(rootDir)
      return found.kind === 'there' ? { ...found, network: 'NFS' } : found
    }
    at.write('a.jpg')
    await at.start({ findRoot, watchTree: failing([], starts) })
    await until('it is taken in', () => at.taken.includes('a.jpg'))
    expect(at.watcher.state.phase === 'polling' || at.watcher.state.phase === 'reconciling').toBe(true)
    await until('it is polled', phase('polling'))
    expect(at.watcher.state.because).toMatchObject({ code: 'network_drive', values: { fileSystem: 'NFS' } })
    expect(starts).toEqual([])
    await at.watcher.stop()
    const file = at.seen.get(at.path('a.jpg'))
    at.seen.set(at.path('a.jpg'), { ...file!, ino: '7' })
    await at.startAndTakeIn({ findRoot })
    expect(at.stable).toHaveLength(1)
  })
})

describe('passes', () => {
  it('run one at a time, and any number of requests during one lead to one more', async () => {
    await at.start()
    const before = at.passes
    await Promise.all(Array.from({ length: 20 }, () => at.watcher.reconcile()))
    expect(at.passes - before).toBe(2)
  })

  it('come by themselves, and find what nothing told of', async () => {
    const deaf: WatchTree = (options) => {
      setImmediate(() => options.onReady())
      return { close: () => Promise.resolve() }
    }
    await at.start({ watchTree: deaf, timing: { ...FAST, scanEveryMs: 300 } })
    at.write('a.jpg')
    await until('it is taken in', () => at.taken.includes('a.jpg'))
    expect(at.watcher.state.phase === 'watching' || at.watcher.state.phase === 'reconciling').toBe(true)
  })

  it('lose no picture that is made again after they found it gone', async () => {
    const timing = { ...FAST, removalDelayMs: 600_000 }
    let atRoot: (() => Promise<void>)[] = []
    const findRoot = async (rootDir: string): Promise<RootFolder> => {
      await atRoot.shift()?.()
      return findRootFolder(rootDir)
    }
    for (const name of ['a.jpg', 'b.jpg']) at.write(name)
    await at.startAndTakeIn({ findRoot, timing })
    rmSync(at.path('a.jpg'))
    // The root is looked at before and after each.
    const again = async (): Promise<void> => {
      at.write('a.jpg', 'another picture')
      await until('it is noticed', () => at.watcher.arriving === 1)
    }
    atRoot = [async () => undefined, again]
    await at.watcher.reconcile()
    await until('it is taken in', () => at.taken.length === 3)
    expect(at.stable.at(-1)?.sizeBytes).toBe('another picture'.length)
  })
})

it('after stop, nothing is offered and no state is told; stop waits for what is out', async () => {
  let release: () => void = () => undefined
  let isOut = false
  const onStable = async (): Promise<'taken'> => {
    isOut = true
    await new Promise<void>((resolve) => (release = resolve))
    isOut = false
    return 'taken'
  }
  at.write('a.jpg')
  await at.start({ onStable })
  await until('it is offered', () => isOut)
  at.write('b.jpg')
  const stopped = at.watcher.stop().then(() => isOut)
  const told = at.states.length
  release()
  expect(await stopped).toBe(false)
  await at.watcher.reconcile()
  expect(at.states).toHaveLength(told)
  expect(at.watcher.arriving).toBe(0)
})

describe('an owner that fails for a while, as a journal does whose disk is full', () => {
  const full = (): Error => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  const stoppedTasks = (background: ReturnType<typeof quietBackground>) => background.stopped().map(({ task }) => task)

  it('cannot say what is known: the folder says what has stopped, and is watched by itself afterwards', async () => {
    at.write('a.jpg')
    let fails = true
    const background = quietBackground()
    const load = () => {
      if (fails) throw full()
      return at.seen.values()
    }
    await expect(at.start({ background, seen: { load } })).rejects.toThrow('full')
    background.run('folder_scan', () => at.watcher.reconcile(), 'f')
    await until('it says what has stopped', () => background.stopped().length > 0)
    expect(background.stopped()).toMatchObject([{ task: 'folder_scan', subject: 'f', code: 'disk_full' }])
    expect(at.watcher.state.phase).toBe('starting')
    fails = false
    await until('the picture is taken in', () => at.taken.includes('a.jpg'))
    expect(background.stopped()).toEqual([])
    expect(at.watcher.state.phase).toBe('watching')
  })

  it.each([
    ['deleted files', 'folder_removals'],
    ['what a scan finds deleted', 'folder_scan'],
  ] as const)('does not take note of %s: each of them is reported again', async (_what, task) => {
    let fails = true
    const background = quietBackground()
    const onGone = (path: string) => {
      if (fails) throw full()
      at.gone.push(path)
    }
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) at.write(name)
    await at.start({ background, onGone })
    await until('all is taken in', () => at.taken.length === 3)
    for (const name of ['a.jpg', 'b.jpg']) rmSync(at.path(name))
    if (task === 'folder_scan') {
      await at.watcher.reconcile().catch(() => undefined)
      background.run('folder_scan', () => at.watcher.reconcile(), 'f')
    }
    await until('it says what has stopped', () => stoppedTasks(background).includes(task))
    expect(at.gone).toEqual([])
    expect(at.watcher.state.phase).not.toBe('missing')
    fails = false
    await until('both are told of', () => at.gone.length === 2)
    expect(at.gone.sort()).toEqual([at.path('a.jpg'), at.path('b.jpg')])
    await until('it works again', () => background.stopped().length === 0)
  })

  it('leaves nothing behind that is said to have stopped once the folder is watched no more', async () => {
    const background = quietBackground()
    const load = (): never => {
      throw full()
    }
    await at.start({ background, seen: { load } }).catch(() => undefined)
    background.run('folder_scan', () => at.watcher.reconcile(), 'f')
    await until('it says what has stopped', () => background.stopped().length > 0)
    await at.watcher.stop()
    expect(background.stopped()).toEqual([])
  })
})
