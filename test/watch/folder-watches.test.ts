import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchFolders } from '../../src/main/watch/folder-watches.ts'
import { describeWith, LINUX } from '../needs.ts'
import { until } from '../until.ts'
import { folderForTest } from '../temp-folder.ts'

let base: string
let root: string
let told: string[]
let failed: unknown[]
let ready: number
let missed: number
let watches: { close(): Promise<void> } | null

beforeEach(() => {
  base = folderForTest()
  root = join(base, 'root')
  mkdirSync(root)
  ;[told, failed, ready, missed, watches] = [[], [], 0, 0, null]
})
afterEach(async () => {
  await watches?.close()
})

/** Says what it is told of as `+` for a file and `-` for what is gone, relative to the base. */
async function watch(rootDir = root): Promise<void> {
  const say = (sign: string) => (path: string) => told.push(sign + path.slice(base.length + 1))
  watches = watchFolders({
    rootDir,
    ignored: (path, isFolder) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      return name.startsWith('.') || (isFolder === false && !name.endsWith('.jpg'))
    },
    onTouched: say('+'),
    onRemoved: say('-'),
    onMissed: () => (missed += 1),
    onReady: () => (ready += 1),
    onError: (error) => failed.push(error),
  })
  await until('it is ready', () => ready > 0 || failed.length > 0)
}

const at = (name: string) => join(base, name)
const put = (name: string) => writeFileSync(at(name), 'x')
const hears = (what: string) =>
  until(`it tells ${what}`, () => told.includes(what), { describe: () => `: ${told.join(' ')}` })

/** What comes of a name after all that came before it. */
async function after(name: string): Promise<string[]> {
  put(name)
  await hears(`+${name}`)
  return told.splice(0).filter((one) => one !== `+${name}`)
}

/** The inotify watches of this process (proc_pid_fdinfo(5)). */
function watchesOfKernel(): number {
  let count = 0
  for (const fd of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/^inotify wd/gm)?.length ?? 0
    } catch {
      // The descriptor of the listing itself.
    }
  }
  return count
}

describeWith(LINUX)('watching a tree folder by folder', () => {
  it('takes one watch of the kernel for each folder, none for files, and gives them back', async () => {
    const before = watchesOfKernel()
    mkdirSync(at('root/a/b'), { recursive: true })
    mkdirSync(at('root/.hidden/c'), { recursive: true })
    for (let index = 0; index < 20; index++) put(`root/a/${index}.jpg`)
    await watch()
    expect(watchesOfKernel() - before).toBe(3)
    renameSync(at('root/a'), at('a'))
    await hears('-root/a')
    expect(watchesOfKernel() - before).toBe(1)
    await watches?.close()
    await until('they are given back', () => watchesOfKernel() === before)
  })

  it('misses nothing in folders that are made while it looks', async () => {
    await watch()
    for (let nth = 0; nth < 200; nth += 1) {
      mkdirSync(at(`root/${nth % 10}/${nth}`), { recursive: true })
      put(`root/${nth % 10}/${nth}/p.jpg`)
      if (nth % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    for (let nth = 0; nth < 200; nth += 1) await hears(`+root/${nth % 10}/${nth}/p.jpg`)
  })

  it('follows a folder that is renamed, and not one that is moved out', async () => {
    mkdirSync(at('root/a/b'), { recursive: true })
    await watch()
    renameSync(at('root/a'), at('root/z'))
    await hears('-root/a')
    expect((await after('root/z/b/1.jpg')).filter((one) => one.startsWith('+'))).toEqual([])
    renameSync(at('root/z'), at('out'))
    await hears('-root/z')
    put('out/b/2.jpg')
    expect((await after('root/3.jpg')).filter((one) => one.endsWith('2.jpg'))).toEqual([])
  })

  it('watches a folder that takes the place of another of the same name, and tells that the other is gone', async () => {
    mkdirSync(at('root/a'))
    mkdirSync(at('other'))
    put('other/1.jpg')
    await watch()
    renameSync(at('root/a'), at('a'))
    renameSync(at('other'), at('root/a'))
    await hears('+root/a/1.jpg')
    expect(told).toContain('-root/a')
    await after('root/a/2.jpg')
    rmSync(at('root/a'), { recursive: true })
    mkdirSync(at('root/a'))
    await after('root/a/3.jpg')
  })

  it('tells that a folder is gone when a file or a link takes its place, and follows no link', async () => {
    for (const name of ['a', 'b']) mkdirSync(at(`root/${name}`))
    await watch()
    for (const name of ['a', 'b']) renameSync(at(`root/${name}`), at(name))
    put('root/a')
    symlinkSync(at('b'), at('root/b'))
    await hears('-root/a')
    await hears('-root/b')
    put('b/1.jpg')
    expect((await after('root/2.jpg')).filter((one) => one.startsWith('+'))).toEqual([])
  })

  it.each(['root', '.hidden'])('says that the root may be another when it is moved or removed: %s', async (name) => {
    renameSync(root, at(name))
    await watch(at(name))
    renameSync(at(name), at('away'))
    await hears(`-${name}`)
  })

  it('does not list a folder again of which only the times changed, though one whose mode changed', async () => {
    mkdirSync(at('root/a'))
    put('root/a/p.jpg')
    await watch()
    // Not looked at before.
    utimesSync(at('root/a'), 1, 1)
    await hears('+root/a/p.jpg')
    await after('root/1.jpg')
    for (const name of ['root', 'root/a']) utimesSync(at(name), 2, 2)
    expect(await after('root/2.jpg')).toEqual([])
    chmodSync(at('root/a'), 0o700)
    await hears('+root/a/p.jpg')
    await after('root/a/3.jpg')
    expect(ready).toBe(1)
  })

  it('leaves out a folder that cannot be watched, asks for a scan that says so, and watches all others', async () => {
    await watch()
    mkdirSync(at('root/a'))
    // Longer than a path may be; each part on its own is not.
    const part = 'x'.repeat(250)
    for (let depth = 0; depth < 20; depth += 1) {
      mkdirSync(at(`deep/${part}`), { recursive: true })
      if (depth > 0) renameSync(at('deeper'), at(`deep/${part}/d`))
      renameSync(at('deep'), at('deeper'))
    }
    renameSync(at('deeper'), at('root/a/deep'))
    await until('a scan is asked for', () => missed > 0)
    await after('root/a/1.jpg')
    expect(failed).toEqual([])
    // Which goes down step by step.
    execFileSync('rm', ['-rf', at('root/a/deep')])
  })

  it('begins again after more events than the kernel keeps, also in folders that it was not told of', async () => {
    const kept = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
    for (const name of ['a', 'b']) put(`root/${name}.txt`)
    await watch()
    // One event each, without a turn of the event loop; the kernel merges those of the same file.
    for (let nth = 0; nth <= kept; nth += 1) utimesSync(at(`root/${'ab'[nth % 2]}.txt`), nth, nth)
    mkdirSync(at('root/late'))
    await until('it is ready again', () => ready > 1)
    expect(told).not.toContain('+root/late/1.jpg')
    await after('root/late/1.jpg')
    expect(failed).toEqual([])
  })
})
