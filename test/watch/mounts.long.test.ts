import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeWith, LINUX_ROOT, programs } from '../needs.ts'
import { until } from '../until.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { createPathFilter } from '../../src/main/watch/path-filter.ts'
import { findRootFolder } from '../../src/main/watch/root-folder.ts'
import { WatchedTree } from '../../src/main/watch/watched-tree.ts'
import { FAST, FolderHarness, quietLogger } from './folder-harness.ts'

/* Drives that come and go, as FUSE and as a plain mount. Scans are far away: only looking at the place finds anything. */

const timing = { ...FAST, pollEveryMs: 600_000, missingRetryMs: 600_000 }

let at: FolderHarness
let source: string
const mounted: string[] = []

beforeEach(() => {
  at = new FolderHarness()
  source = join(at.base, 'source')
  mkdirSync(source)
})
afterEach(async () => {
  for (const path of mounted.splice(0)) execFileSync('umount', ['-l', path])
  await at.end()
})

function mount(command: string[], path: string): void {
  execFileSync(command[0]!, [...command.slice(1), source, path])
  mounted.push(path)
}

function unmount(path: string): void {
  execFileSync('umount', ['-l', path])
  mounted.splice(mounted.indexOf(path), 1)
}

const put = (name: string) => writeFileSync(join(source, name), 'picture')
const because = (code: string | null) => () => (at.watcher.state.because?.code ?? null) === code

describeWith(LINUX_ROOT, programs('bindfs'))('drives that come and go', () => {
  describe.each([
    ['FUSE', ['bindfs'], 'network_drive', 'network_inside'],
    ['a plain mount', ['mount', '--bind'], null, null],
  ] as const)('a drive as %s', (_name, command, asRoot, inside) => {
    it('that is a watched folder is said to be away, and what it has when it is back is found', async () => {
      put('a.jpg')
      mount([...command], at.root)
      await at.start({ timing })
      await until('it is taken in', () => at.taken.includes('a.jpg'))
      await until('it is known', because(asRoot))
      unmount(at.root)
      await until('it is said to be empty', because('emptied'))
      put('b.jpg')
      mount([...command], at.root)
      await until('the new one is taken in', () => at.taken.includes('b.jpg'))
      await until('it is as before', because(asRoot))
      expect(at.gone).toEqual([])
      expect(at.stable).toHaveLength(2)
    })

    it('inside a watched folder is found when it comes, and its files are not gone when it goes', async () => {
      at.write('a.jpg')
      mkdirSync(at.path('drive'))
      await at.start({ timing })
      await at.idle()
      put('b.jpg')
      mount([...command], at.path('drive'))
      await until('its picture is taken in', () => at.taken.includes('drive/b.jpg'))
      await until('that it reports no changes is said', because(inside))
      if (inside === null) {
        put('later.jpg')
        await until('what comes into it is noticed', () => at.taken.includes('drive/later.jpg'))
      }
      unmount(at.path('drive'))
      await until('that is over', because(null))
      await at.watcher.reconcile()
      put('c.jpg')
      mount([...command], at.path('drive'))
      await until('the new one is taken in', () => at.taken.includes('drive/c.jpg'))
      expect(at.gone).toEqual([])
      expect(at.stable).toHaveLength(inside === null ? 4 : 3)
    })
  })

  it('one that goes while the folder around it is scanned takes no files with it', async () => {
    mkdirSync(at.path('drive'))
    put('a.jpg')
    mount(['mount', '--bind'], at.path('drive'))
    const root = await findRootFolder(at.root)
    if (root.kind === 'missing') throw new Error('no root')
    const names = createPathFilter({ include: [], exclude: [], leftOut: [] })
    let goes = false
    const folder = (path: string, name: string): boolean => {
      if (goes && name === 'drive') unmount(at.path('drive'))
      return names.folder(path, name)
    }
    const path = at.path('drive/a.jpg')
    let scans = 0
    const tree = new WatchedTree(
      root,
      { ...names, folder },
      {
        ...at.deps,
        folderId: 'f',
        rootDir: at.root,
        clock: realClock,
        logger: quietLogger,
        timing,
        seen: { load: () => [{ path, sizeBytes: 1, mtimeNs: '1', ctimeNs: '1', ino: '1' }] },
        offer: async () => 'taken',
        onGone: () => undefined,
        findRoot: async () => root,
        onEvent: () => undefined,
        rescanSoon: () => undefined,
        rescan: () => (scans += 1),
      },
    )
    const { signal } = new AbortController()
    expect((await tree.scan(signal)).gone).toEqual([])
    goes = true
    expect((await tree.scan(signal)).gone).toEqual([])
    expect(scans).toBe(1)
    tree.end()
  })
})
