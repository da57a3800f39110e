import { expect, it } from 'vitest'
import type { FileSample } from '../../src/main/watch/file-sample.ts'
import { KnownFiles } from '../../src/main/watch/known-files.ts'

const sample = (nth: number, change: Partial<FileSample> = {}): FileSample => ({
  sizeBytes: nth,
  mtimeNs: BigInt(nth) * 1_000_000_007n,
  ctimeNs: BigInt(nth) * 1_000_000_009n,
  ino: BigInt(nth),
  ...change,
})

it('tells each of many files from every other state of it, also after some were forgotten', () => {
  const known = new KnownFiles({ compareIno: true })
  const path = (nth: number) => `${nth % 7}/a-long-name-of-a-picture-${nth}.jpg`
  for (let nth = 0; nth < 500; nth += 1) known.set(path(nth), sample(nth))
  for (let nth = 0; nth < 500; nth += 3) expect(known.delete(path(nth))).toBe(true)
  for (let nth = 500; nth < 800; nth += 1) known.set(path(nth), sample(nth))
  known.set(path(1), sample(1001))
  expect(known.matches(path(1), sample(1001))).toBe(true)
  for (let nth = 2; nth < 800; nth += 1) {
    const isThere = nth >= 500 || nth % 3 !== 0
    expect([known.has(path(nth)), known.matches(path(nth), sample(nth))]).toEqual([isThere, isThere])
  }
  expect(known.comparison().gone()).toHaveLength(500 - 167 + 300)
})

it('compares all of a state, and no inode and ctime where they are not believed', () => {
  // Before 1970, and an inode number that needs all 64 bits.
  const odd = sample(5, { mtimeNs: -1_000_000_000n, ino: 0xffff_ffff_ffff_fff0n })
  for (const compareIno of [true, false]) {
    const known = new KnownFiles({ compareIno })
    known.set('ü/a.jpg', odd)
    expect(known.matches('ü/a.jpg', { ...odd })).toBe(true)
    expect(known.matches('ü/a.jpg', { ...odd, sizeBytes: 6 })).toBe(false)
    expect(known.matches('ü/a.jpg', { ...odd, mtimeNs: 1n })).toBe(false)
    expect(known.matches('ü/a.jpg', { ...odd, ctimeNs: 1n })).toBe(!compareIno)
    expect(known.matches('ü/a.jpg', { ...odd, ino: 1n })).toBe(!compareIno)
  }
})

it('knows files of a journal, with those below a folder', () => {
  const known = new KnownFiles({ compareIno: true })
  const files = ['/r/a.jpg', '/r/x/b.jpg', '/r/x/y/c.jpg', '/r/xz/d.jpg', '/elsewhere/e.jpg'].map((path) => ({
    path,
    sizeBytes: 1,
    mtimeNs: '-2',
    ctimeNs: '',
    ino: '',
  }))
  known.load(files, (path) => (path.startsWith('/r/') ? path.slice(3) : null))
  expect(known.comparison().gone()).toHaveLength(4)
  expect(known.below(new Set(['x'])).sort()).toEqual(['x/b.jpg', 'x/y/c.jpg'])
  expect(known.below(new Set(['x/y', 'xz', 'nowhere'])).sort()).toEqual(['x/y/c.jpg', 'xz/d.jpg'])
  expect(known.matches('a.jpg', { sizeBytes: 1, mtimeNs: -2n, ctimeNs: 0n, ino: 0n })).toBe(true)
})
