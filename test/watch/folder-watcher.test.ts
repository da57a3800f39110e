import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileVersion } from '../../src/main/core/source-read.ts'
import { itWith, LINUX } from '../needs.ts'
import { until } from '../until.ts'
import { FolderHarness } from './folder-harness.ts'

let at: FolderHarness

beforeEach(() => {
  at = new FolderHarness()
})
afterEach(() => at.end())

const has = (name: string) => () => at.taken.includes(name)

function seen(name: string, version: Partial<FileVersion> = {}): void {
  const path = at.path(name)
  at.seen.set(path, { path, sizeBytes: 1, mtimeNs: '1', ctimeNs: '1', ino: '1', ...version })
}

describe('a watched folder at its start', () => {
  it('takes in what is there, except what was seen in an earlier run and has not changed', async () => {
    at.write('old.jpg')
    const { size, mtimeNs, ctimeNs, ino } = statSync(at.path('old.jpg'), { bigint: true })
    seen('old.jpg', { sizeBytes: Number(size), mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, ino: `${ino}` })
    at.write('changed.jpg')
    seen('changed.jpg', { mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, ino: `${ino}` })
    at.write('x/new.jpg')
    await at.startAndTakeIn()
    expect(at.taken).toEqual(['changed.jpg', 'x/new.jpg'])
    expect(at.states.at(0)?.phase).toBe('starting')
    expect(at.watcher.state).toMatchObject({ phase: 'watching', because: null, lastScan: { files: 3 } })
  })

  it('reports what was deleted while nobody watched, with whole folders', async () => {
    for (const name of ['a.jpg', 'x/y/b.jpg']) seen(name)
    at.write('here.jpg')
    await at.start()
    expect(at.gone.sort()).toEqual([at.path('a.jpg'), at.path('x/y/b.jpg')])
  })

  it('does not report as deleted what a glob or a link now hides', async () => {
    for (const name of ['x/a.jpg', 'y/b.jpg', 'z/c.jpg', 'd.png']) {
      at.write(name)
      seen(name)
    }
    renameSync(at.path('z'), join(at.base, 'z'))
    symlinkSync(join(at.base, 'z'), at.path('z'))
    await at.startAndTakeIn({}, { exclude: ['x', 'y', '*.png'] })
    expect(at.gone).toEqual([])
    expect(at.taken).toEqual([])
  })
})

describe('changes in a watched folder', () => {
  it('a new picture, a changed one, a renamed one and a deleted one are all noticed', async () => {
    await at.start()
    at.write('a.jpg')
    await until('a.jpg is taken in', has('a.jpg'))
    at.write('a.jpg', 'another picture')
    await until('the change is taken in', () => at.stable.length === 2)
    renameSync(at.path('a.jpg'), at.path('b.jpg'))
    await until('b.jpg is taken in', has('b.jpg'))
    await until('a.jpg is gone', () => at.gone.includes(at.path('a.jpg')))
    unlinkSync(at.path('b.jpg'))
    await until('b.jpg is gone', () => at.gone.includes(at.path('b.jpg')))
    expect(at.stable).toHaveLength(3)
  })

  it('a tree that is moved in is taken in whole, and reported gone when it is moved out', async () => {
    for (let index = 0; index < 30; index++) {
      mkdirSync(join(at.base, `tree/${index % 5}/deep`), { recursive: true })
      writeFileSync(join(at.base, `tree/${index % 5}/deep/${index}.png`), 'x')
    }
    await at.start()
    renameSync(join(at.base, 'tree'), at.path('tree'))
    await until('all 30 are taken in', () => at.taken.length === 30)
    renameSync(at.path('tree'), join(at.base, 'tree'))
    await until('all 30 are gone', () => at.gone.length === 30)
    expect(at.stable).toHaveLength(30)
  })

  itWith(LINUX)('a tree that is moved in leads to no scan of all the others', async () => {
    at.write('a/old.jpg')
    await at.startAndTakeIn()
    const before = at.passes
    const other = join(at.base, 'other')
    mkdirSync(join(other, 'b'), { recursive: true })
    for (const name of ['new.jpg', 'b/new.jpg', 'b/new.png']) writeFileSync(join(other, name), 'x')
    rmSync(at.path('a'), { recursive: true })
    renameSync(other, at.path('a'))
    await until('the tree is taken in', () => at.taken.length === 4)
    await until('what was there before is gone', () => at.gone.length === 1)
    expect(at.gone).toEqual([at.path('a/old.jpg')])
    expect(at.passes).toBe(before)
  })

  it('a save through a temporary file is taken in once, as the new content', async () => {
    await at.start()
    at.write('a.jpg', 'one')
    await until('a.jpg is taken in', has('a.jpg'))
    at.write('.a.jpg.tmp', 'the second')
    renameSync(at.path('.a.jpg.tmp'), at.path('a.jpg'))
    await until('the new one is taken in', () => at.stable.length === 2)
    await at.idle()
    expect(at.stable.map(({ sizeBytes }) => sizeBytes)).toEqual([3, 10])
    expect(at.gone).toEqual([])
  })
})

describe('what never comes out of a watched folder', () => {
  it('hidden files, sidecars, parts, backups, links and other names, early and late', async () => {
    const outside = join(at.base, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'o.jpg'), 'x')
    const put = (prefix: string): void => {
      const names = '.h.jpg s.jpg.alt.json .hangar-01.part .hangar-originals/b.jpg .git/c.jpg n.txt out/r.jpg'.split(
        ' ',
      )
      for (const name of names) at.write(prefix + name)
      symlinkSync(join(outside, 'o.jpg'), at.path(`${prefix}link.jpg`))
      symlinkSync(outside, at.path(`${prefix}folder`))
      symlinkSync(at.root, at.path(`${prefix}loop`))
    }
    put('')
    await at.start({}, { exclude: ['out'] })
    mkdirSync(at.path('late'))
    put('late/')
    writeFileSync(join(outside, 'later.jpg'), 'x')
    at.write('late/yes.jpg')
    await until('the one source is taken in', has('late/yes.jpg'))
    await at.idle()
    expect(at.taken).toEqual(['late/yes.jpg'])
  })

  it('names that are not valid UTF-8: said in the state, and nothing breaks', async () => {
    const bad = (tail: string): Buffer =>
      Buffer.concat([Buffer.from(`${at.root}/f`), Buffer.from([0xfc]), Buffer.from(tail)])
    writeFileSync(bad('.jpg'), 'x')
    await at.start()
    writeFileSync(bad('2.jpg'), 'x')
    mkdirSync(bad('dir'))
    at.write('good.jpg')
    await until('the good one is taken in', has('good.jpg'))
    await at.idle()
    expect(at.taken).toEqual(['good.jpg'])
    expect(at.watcher.state.lastScan?.problems.map(({ reason }) => reason.code)).toEqual(Array(3).fill('bad_name'))
  })
})
