import { beforeEach, describe, expect, it } from 'vitest'
import type { FileSample } from '../../src/main/watch/file-sample.ts'
import { Settle, SETTLE_TIMING, type OfferResult } from '../../src/main/watch/settle.ts'
import { ManualClock } from './manual-clock.ts'
import { quietBackground } from './folder-harness.ts'

interface Offer {
  path: string
  sizeBytes: number
  atMs: number
  finalTry: boolean
}

let clock: ManualClock
let disk: Map<string, FileSample>
let offers: Offer[]
let gone: string[]
let known: Map<string, FileSample>
let answer: (path: string) => OfferResult | Promise<OfferResult>
let settle: Settle
/** What happens while a path is looked at, after its state was read. */
let whileLooking: (path: string) => void

/** Writes a file on the pretended disk: `mtime` and `ctime` are now unless told otherwise. */
function write(path: string, sizeBytes: number, { mtimeAgoMs = 0, ctimeAgoMs = 0 } = {}): void {
  const ns = (agoMs: number): bigint => BigInt(Math.round(clock.nowMs() - agoMs)) * 1_000_000n
  disk.set(path, { sizeBytes, mtimeNs: ns(mtimeAgoMs), ctimeNs: ns(ctimeAgoMs), ino: 1n })
}

function make(compareIno = true): Settle {
  return new Settle({
    clock,
    background: quietBackground(),
    folderId: 'f',
    timing: SETTLE_TIMING,
    compareIno,
    sample: async (path) => {
      const found = disk.get(path) ?? 'gone'
      whileLooking(path)
      return found
    },
    isKnown: (path, sample) => known.get(path) === sample,
    offer: async (path, sample, finalTry) => {
      offers.push({ path, sizeBytes: sample.sizeBytes, atMs: clock.monotonicMs(), finalTry })
      return answer(path)
    },
    onGone: (path) => gone.push(path),
  })
}

beforeEach(() => {
  clock = new ManualClock()
  disk = new Map()
  known = new Map()
  ;[offers, gone] = [[], []]
  whileLooking = () => undefined
  answer = () => 'taken'
  settle = make()
})

describe('what a scan found in a folder', () => {
  const found = (...names: string[]) => names.map((name) => ({ name, sample: disk.get(`x/${name}`)! }))
  const offered = () => offers.map(({ path }) => path)

  it('is offered once it is the same two seconds later; a file that changed is waited for', async () => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) write(`x/${name}`, 1)
    settle.touchAll('x', found('a.jpg', 'b.jpg', 'c.jpg'))
    expect([settle.pending, settle.arriving]).toEqual([3, 3])
    await clock.pass(1_900)
    expect(offers).toEqual([])
    write('x/b.jpg', 2)
    await clock.pass(600)
    expect(offered()).toEqual(['x/a.jpg', 'x/c.jpg'])
    expect(settle.pending).toBe(1)
    await clock.pass(2_500)
    expect(offered()).toEqual(['x/a.jpg', 'x/c.jpg', 'x/b.jpg'])
    expect([settle.pending, settle.arriving]).toEqual([0, 0])
  })

  it('is offered once, though a second scan and events tell of it again; what the second has more comes too', async () => {
    for (const name of ['a.jpg', 'b.jpg']) write(`x/${name}`, 1)
    settle.touchAll('x', found('a.jpg'))
    settle.touch('x/a.jpg')
    await clock.pass(1_000)
    settle.touchAll('x', found('a.jpg', 'b.jpg'))
    expect(new Set(offered())).toEqual(new Set())
    await clock.pass(10_000)
    expect(offered().sort()).toEqual(['x/a.jpg', 'x/b.jpg'])
    expect(settle.pending).toBe(0)
  })

  it('is asked of the owner a few at a time, found by later scans while that lasts, and offered again when incomplete', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `${nth}.jpg`)
    for (const name of names) write(`x/${name}`, 1)
    const release: (() => void)[] = []
    const takes = (path: string): OfferResult => {
      known.set(path, disk.get(path)!)
      return 'taken'
    }
    answer = (path) => new Promise((resolve) => release.push(() => resolve(takes(path))))
    settle.touchAll('x', found(...names))
    await clock.pass(2_500)
    expect(offers).toHaveLength(SETTLE_TIMING.workers)
    settle.touchAll('x', found(...names))
    expect(settle.pending).toBe(40)
    let refuses = true
    answer = (path) => {
      if (path !== 'x/39.jpg' || !refuses) return takes(path)
      refuses = false
      return 'again'
    }
    for (const free of release) free()
    await clock.pass(1)
    expect([settle.pending, settle.arriving]).toEqual([1, 0])
    await clock.pass(3_000)
    expect(offers).toHaveLength(41)
    expect(settle.pending).toBe(0)
  })

  it('is not offered once it is gone, or after everything was dropped', async () => {
    for (const name of ['a.jpg', 'b.jpg']) write(`x/${name}`, 1)
    settle.touchAll('x', found('a.jpg', 'b.jpg'))
    disk.delete('x/a.jpg')
    await clock.pass(2_500)
    expect([offered(), gone]).toEqual([['x/b.jpg'], ['x/a.jpg']])
    write('x/c.jpg', 1)
    settle.touchAll('x', found('c.jpg'))
    settle.clear()
    expect(settle.pending).toBe(0)
    await clock.pass(5_000)
    expect(offered()).toEqual(['x/b.jpg'])
    settle.touchAll('x', found('c.jpg'))
    await clock.pass(2_500)
    expect(offered()).toEqual(['x/b.jpg', 'x/c.jpg'])
  })
})

describe('a file that is being written', () => {
  it('is not offered while it grows, however long that takes', async () => {
    write('a.jpg', 1)
    settle.touch('a.jpg')
    for (let second = 1; second <= 60; second++) {
      await clock.pass(1_000)
      write('a.jpg', 1 + second)
      settle.touch('a.jpg')
    }
    expect(offers).toEqual([])
    await clock.pass(5_000)
    expect(offers.map(({ sizeBytes }) => sizeBytes)).toEqual([61])
  })

  it.each([
    ['mtime', 'a writer that sets the final size first', 0],
    ['ctime', 'a copy that keeps the mtime of its source', 1e9],
  ])('is not offered while only its %s moves, as with %s', async (time, _who, mtimeAgoMs) => {
    write('a.jpg', 1_000, { mtimeAgoMs })
    settle.touch('a.jpg')
    const { mtimeNs } = disk.get('a.jpg')!
    for (let second = 1; second <= 20; second++) {
      await clock.pass(1_000)
      write('a.jpg', 1_000)
      if (time === 'ctime') disk.set('a.jpg', { ...disk.get('a.jpg')!, mtimeNs })
    }
    expect(offers).toEqual([])
    await clock.pass(5_000)
    expect(offers).toHaveLength(1)
  })

  it.each([true, false])('changed when another file has its name, where inodes count: %s', async (compareIno) => {
    settle = make(compareIno)
    write('a.jpg', 1_000, { mtimeAgoMs: 60_000, ctimeAgoMs: 60_000 })
    settle.touch('a.jpg', disk.get('a.jpg'))
    disk.set('a.jpg', { ...disk.get('a.jpg')!, ino: 2n })
    await clock.pass(2_300)
    expect(offers).toHaveLength(compareIno ? 0 : 1)
    await clock.pass(3_000)
    expect(offers).toHaveLength(1)
  })
})

it.each([
  ['of now, as with a file that is being written', 0],
  ['of years ago, as a copy keeps them', 3 * 365 * 24],
  ["of a server's clock that is five hours behind", 5],
  ["of a server's clock that is five hours ahead", -5],
])('a file is offered once two samples two seconds apart agree, whatever its times: %s', async (_, agoHours) => {
  const agoMs = agoHours * 3_600_000
  write('a.jpg', 100, { mtimeAgoMs: agoMs, ctimeAgoMs: agoMs })
  settle.touch('a.jpg', disk.get('a.jpg'))
  await clock.pass(1_900)
  expect(offers).toEqual([])
  await clock.pass(600)
  expect(offers.map(({ path }) => path)).toEqual(['a.jpg'])
  expect(settle.pending).toBe(0)
})

describe('a file the owner finds incomplete', () => {
  beforeEach(() => {
    answer = () => 'again'
    write('a.jpg', 100, { mtimeAgoMs: 60_000, ctimeAgoMs: 60_000 })
    settle.touch('a.jpg', disk.get('a.jpg'))
  })

  it('is offered again at growing distances, and the last time says so', async () => {
    await clock.pass(10 * 60_000)
    const firstNine = offers.slice(0, 9)
    expect(firstNine.map(({ finalTry }) => finalTry)).toEqual([...Array<boolean>(8).fill(false), true])
    const gaps = firstNine.slice(1).map(({ atMs }, index) => Math.round((atMs - firstNine[index]!.atMs) / 1_000))
    expect(gaps).toEqual([2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('starts over when it changes', async () => {
    await clock.pass(20_000)
    write('a.jpg', 200)
    answer = () => 'taken'
    await clock.pass(40_000)
    expect(offers.at(-1)).toMatchObject({ sizeBytes: 200, finalTry: false })
    expect(settle.pending).toBe(0)
  })

  it('is offered again when the owner fails', async () => {
    answer = () => Promise.reject(new Error('disk trouble'))
    await clock.pass(2_300)
    answer = () => 'taken'
    await clock.pass(5_000)
    expect(offers).toHaveLength(2)
    expect(settle.pending).toBe(0)
  })
})

describe('what happens to a file while it is on its way', () => {
  it('is offered once more when it changes while the owner reads it', async () => {
    let release: (result: OfferResult) => void = () => undefined
    answer = () => new Promise((resolve) => (release = resolve))
    write('a.jpg', 1)
    settle.touch('a.jpg')
    await clock.pass(3_000)
    write('a.jpg', 2)
    settle.touch('a.jpg')
    answer = () => 'taken'
    release('taken')
    await clock.pass(5_000)
    expect(offers.map(({ sizeBytes }) => sizeBytes)).toEqual([1, 2])
  })

  it.each(['in a known state', 'before it is there'])(
    'is offered when told of while it is looked at %s',
    async (how) => {
      if (how.includes('known')) {
        write('a.jpg', 1)
        known.set('a.jpg', disk.get('a.jpg')!)
      }
      whileLooking = () => {
        whileLooking = () => undefined
        write('a.jpg', 2)
        settle.touch('a.jpg')
      }
      settle.touch('a.jpg')
      await clock.pass(5_000)
      expect(offers.map(({ sizeBytes }) => sizeBytes)).toEqual([2])
    },
  )

  it('is not offered before it was the same for two seconds, though it seemed to be gone meanwhile', async () => {
    write('a.jpg', 1)
    settle.touch('a.jpg')
    await clock.pass(1_500)
    settle.lookAgain('a.jpg')
    await clock.pass(1_900)
    expect(offers).toEqual([])
    await clock.pass(1_000)
    expect(offers).toHaveLength(1)
    settle.touch('b.jpg')
    await clock.pass(0)
    expect(gone).toEqual(['b.jpg'])
  })
})
