import { mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FolderPhase } from '../../src/shared/contract/folders.ts'
import type { StableFile } from '../../src/main/watch/watched-tree.ts'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { WatcherSet, type WatchedFolder } from '../../src/main/watch/watcher-set.ts'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { until } from '../until.ts'
import { FolderHarness } from './folder-harness.ts'

let at: FolderHarness
let set: WatcherSet
let taken: StableFile[]
let phases: Map<string, FolderPhase[]>
/** A file is taken in once this has ended. */
let hold: () => Promise<unknown>

beforeEach(() => {
  at = new FolderHarness()
  taken = []
  phases = new Map()
  hold = () => Promise.resolve()
  set = makeSet()
})
afterEach(async () => {
  await set.stop()
  await at.end()
})

function makeSet(): WatcherSet {
  return new WatcherSet({
    ...at.deps,
    own: () => NO_OWN_PLACES,
    seen: { load: (rootDir) => [...at.seen.values()].filter(({ path }) => path.startsWith(`${rootDir}/`)) },
    onStable: async (file) => {
      taken.push(file)
      await hold()
      return at.deps.onStable(file)
    },
    onState: (id, { phase }) => phases.set(id, [...(phases.get(id) ?? []), phase]),
  })
}

function folder(id: string, change: Partial<WatchedFolder> = {}): WatchedFolder {
  return { id, rootDir: at.root, include: [], exclude: [], alsoTakes: [], paused: false, outputDir: null, ...change }
}

/** Which folder each file was taken in for. */
const owners = (): Record<string, string> =>
  Object.fromEntries(taken.map(({ path, folderId }) => [path.slice(at.root.length + 1), folderId]))

/** In all folders. */
const arriving = (): number => [...phases.keys()].reduce((sum, id) => sum + set.arrivals(id).files, 0)

const watching = (id: string) => () => set.state(id).phase === 'watching'

async function settled(...ids: string[]): Promise<void> {
  for (const id of ids) await set.reconcile(id)
  await until('nothing is on its way', () => arriving() === 0)
}

async function refusal(change: Promise<unknown>): Promise<AppError> {
  const error: unknown = await change.then(() => null).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  return error as AppError
}

describe('several watched folders', () => {
  it('give each file to the innermost folder, and take it over when that one is removed', async () => {
    at.write('a.jpg')
    at.write('shop/b.jpg')
    await set.add(folder('outer'))
    await set.add(folder('inner', { rootDir: at.path('shop') }))
    await until('both are watched', () => watching('outer')() && watching('inner')())
    await settled('outer', 'inner')
    at.write('shop/deep/c.jpg')
    at.write('d.jpg')
    await until('both are taken in', () => taken.length === 4)
    expect(owners()).toEqual({ 'a.jpg': 'outer', 'd.jpg': 'outer', 'shop/b.jpg': 'inner', 'shop/deep/c.jpg': 'inner' })
    await set.remove('inner')
    at.write('shop/e.jpg')
    await until('it is taken in', () => 'shop/e.jpg' in owners())
    expect(owners()['shop/e.jpg']).toBe('outer')
  })

  it('leave a paused inner folder to itself', async () => {
    await set.add(folder('inner', { rootDir: at.path('shop'), paused: true }))
    await set.add(folder('outer'))
    at.write('shop/a.jpg')
    at.write('b.jpg')
    await until('b.jpg is taken in', () => 'b.jpg' in owners())
    await settled('outer')
    expect(owners()).toEqual({ 'b.jpg': 'outer' })
    expect(set.state('inner').phase).toBe('paused')
  })

  it('leave out the output folders of all of them, also ones that come later', async () => {
    await set.add(folder('a', { outputDir: at.path('out') }))
    await until('it is watched', watching('a'))
    at.write('out/r.jpg')
    at.write('one.jpg')
    await until('one.jpg is taken in', () => 'one.jpg' in owners())
    const other = join(at.base, 'other')
    mkdirSync(other)
    await set.add(folder('b', { rootDir: other, outputDir: at.path('out2') }))
    at.write('out2/r.jpg')
    at.write('two.jpg')
    await until('two.jpg is taken in', () => 'two.jpg' in owners())
    await settled('a', 'b')
    expect(Object.keys(owners()).sort()).toEqual(['one.jpg', 'two.jpg'])
  })
})

describe('what is refused, with nothing changed', () => {
  it('a folder that is watched already, under any name of it', async () => {
    await set.add(folder('a'))
    const link = join(at.base, 'link')
    symlinkSync(at.root, link)
    for (const rootDir of [at.root, `${at.root}/`, link]) {
      const error = await refusal(set.add(folder('b', { rootDir })))
      expect(error.code).toBe('bad_request')
      expect(error.message).toContain('watched already')
    }
    expect((await refusal(set.reconcile('b'))).sentence).toEqual({ code: 'folder_not_watched' })
  })

  it('an output folder that holds a watched folder, whichever of the two comes later', async () => {
    await set.add(folder('a', { outputDir: join(at.base, 'out') }))
    const refusals = [
      ...[join(at.base, 'out'), join(at.base, 'out/x')].map((rootDir) => () => set.add(folder('b', { rootDir }))),
      ...[at.root, at.base].map((outputDir) => () => set.update(folder('a', { outputDir }))),
    ]
    for (const change of refusals)
      expect((await refusal(change())).message).toContain('An output folder is never watched')
    at.write('a.jpg')
    await until('the folder goes on', () => 'a.jpg' in owners())
  })

  it.each([
    ['folder_path_relative', { rootDir: 'pictures' }],
    ['folder_own', { rootDir: '/pictures/.hangar-originals' }],
    ['pattern_empty', { include: [''] }],
    ['pattern_empty', { include: ['  '] }],
    ['pattern_leads_out', { include: ['/x'] }],
    ['pattern_leads_out', { include: ['C:\\x\\*.jpg'] }],
    ['pattern_leads_out', { exclude: ['../x'] }],
    ['pattern_grouped', { include: ['@(a|b).jpg'] }],
    ['pattern_negated', { include: ['!x.jpg'] }],
    ['pattern_too_many', { include: ['{a,b'] }],
  ])('in words that every language has: %s', async (name, changes) => {
    expect((await refusal(set.add(folder('a', changes)))).sentence).toMatchObject({ code: name })
  })
})

it('what may still come of a folder counts a file from its first mention until it is taken in, and for that folder alone', async () => {
  let takeOn = () => {}
  const isTaken = new Promise<void>((resolve) => (takeOn = resolve))
  hold = () => isTaken
  mkdirSync(at.path('shop'))
  await set.add(folder('outer'))
  await set.add(folder('inner', { rootDir: at.path('shop') }))
  expect(set.arrivals('inner').phase).toBe('starting')
  await until('both are watched', () => watching('outer')() && watching('inner')())
  // No scan is still to come that would count it as well.
  await set.reconcile('inner')
  at.write('shop/a.jpg')
  await until('it is being taken in', () => taken.length === 1)
  expect(set.arrivals('inner').files).toBe(1)
  expect(set.arrivals('outer').files).toBe(0)
  takeOn()
  await until('it is taken in', () => set.arrivals('inner').files === 0)
  await set.remove('inner')
  expect(set.arrivals('inner')).toEqual({ files: 0, phase: 'paused' })
})

it('The state of a folder is paused once it is removed or the set has stopped, while others still ask for it', async () => {
  await set.add(folder('a'))
  await until('it is watched', watching('a'))
  await set.remove('a')
  expect(set.state('a').phase).toBe('paused')
  await set.add(folder('b'))
  await set.stop()
  expect(set.state('b').phase).toBe('paused')
  expect((await refusal(set.add(folder('x')))).code).toBe('aborted')
  set = makeSet()
})

it('pausing takes nothing in until resumed, then everything that came meanwhile', async () => {
  await set.add(folder('a'))
  await until('it is watched', watching('a'))
  await set.update(folder('a', { paused: true }))
  expect(set.state('a').phase).toBe('paused')
  at.write('a.jpg')
  await set.reconcile('a')
  expect(arriving()).toBe(0)
  await set.update(folder('a'))
  await until('it is taken in', () => 'a.jpg' in owners())
  expect(phases.get('a')?.filter((phase) => phase === 'paused')).toHaveLength(1)
})

describe('updating', () => {
  it('applies other globs at once, to what is there as to what comes', async () => {
    at.write('a.png')
    at.write('b.jpg')
    await set.add(folder('a', { include: ['*.jpg'] }))
    await until('b.jpg is taken in', () => 'b.jpg' in owners())
    await set.update(folder('a', { include: ['*.png'] }))
    await until('a.png is taken in', () => 'a.png' in owners())
    await until('it is watched', watching('a'))
    at.write('c.jpg')
    at.write('d.png')
    await until('d.png is taken in', () => 'd.png' in owners())
    await settled('a')
    expect(Object.keys(owners()).sort()).toEqual(['a.png', 'b.jpg', 'd.png'])
  })

  it('moves to another folder and leaves the old one', async () => {
    await set.add(folder('a'))
    const rootDir = join(at.base, 'other')
    renameSync(at.root, rootDir)
    mkdirSync(at.root)
    await set.update(folder('a', { rootDir }))
    await until('it is watched', watching('a'))
    at.write('old.jpg')
    at.write('../other/new.jpg')
    await until('the new one is taken in', () => taken.length === 1)
    await settled('a')
    expect(taken.map(({ path }) => path)).toEqual([join(rootDir, 'new.jpg')])
  })
})
