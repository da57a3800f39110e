import { describe, expect, it } from 'vitest'
import { JobsIndex, type GivenSection } from '../../../src/renderer/store/jobs-index.ts'

const section = (key: string, ids: string[]): GivenSection => ({ key, title: key, atMs: null, ids })
const names = (index: JobsIndex) => Array.from({ length: index.itemCount }, (_, item) => index.nameAt(item))

describe('the list without groups', () => {
  it('has the newest job on top and no headers', () => {
    const index = new JobsIndex([section('', ['c', 'b', 'a'])], false)
    expect(names(index)).toEqual(['c', 'b', 'a'])
    expect(index.isHead(0)).toBe(false)
    expect(index.nameAt(3)).toBeNull()
    expect(index.nameAt(-1)).toBeNull()
  })

  it('takes new jobs on top in the order they came, each once', () => {
    const index = new JobsIndex([section('', ['c', 'b', 'a'])], false)
    index.add(['c', 'd', 'e'])
    expect(names(index)).toEqual(['e', 'd', 'c', 'b', 'a'])
  })

  it('takes new jobs where there was none', () => {
    const index = new JobsIndex([], false)
    index.add(['a', 'b'])
    expect(names(index)).toEqual(['b', 'a'])
    expect(index.jobCount).toBe(2)
  })

  it('finds a job by where it was, and by searching when it has moved', () => {
    const index = new JobsIndex([section('', ['c', 'b', 'a'])], false)
    expect(index.find('b', 1)).toBe(1)
    index.add(['d'])
    expect(index.find('b', 1)).toBe(2)
    expect(index.find('gone', 1)).toBe(-1)
  })

  it('gives the jobs of a range from the top down, whichever end was first', () => {
    const index = new JobsIndex([section('', ['d', 'c', 'b', 'a'])], false)
    expect(index.idsBetween(2, 1)).toEqual(['c', 'b'])
    expect(index.idsBetween(-1, 9)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('adds to a hundred thousand jobs without going through them', () => {
    const ids = Array.from({ length: 100_000 }, (_, n) => `j${String(n).padStart(6, '0')}`)
    const index = new JobsIndex([section('', ids.toReversed())], false)
    const newer = Array.from({ length: 20 }, (_, n) => `k${n}`)
    for (const id of newer) index.add([id])
    expect(index.jobCount).toBe(100_020)
    expect(index.nameAt(0)).toBe('k19')
    expect(index.nameAt(20)).toBe('j099999')
    expect(index.nameAt(100_019)).toBe('j000000')
  })
})

describe('the list in groups', () => {
  const grouped = () => new JobsIndex([section('two', ['d', 'c']), section('one', ['b', 'a'])], true)

  it('has a header before the jobs of each group', () => {
    const index = grouped()
    expect(names(index)).toEqual(['#two', 'd', 'c', '#one', 'b', 'a'])
    expect([0, 3].map((item) => index.isHead(item))).toEqual([true, true])
    expect(index.isHead(1)).toBe(false)
    expect(index.find('#one')).toBe(3)
    expect(index.find('a')).toBe(5)
  })

  it('keeps the jobs of a folded group, and gives them no lines', () => {
    const index = grouped()
    index.fold('two', true)
    expect(names(index)).toEqual(['#two', '#one', 'b', 'a'])
    expect(index.jobCount).toBe(4)
    expect(index.find('c')).toBe(-1)
    expect(index.idsBetween(0, 2)).toEqual(['b'])
    expect(index.allIds()).toEqual(['d', 'c', 'b', 'a'])
    index.fold('two', false)
    expect(index.itemCount).toBe(6)
  })

  it('comes folded where that is asked for', () => {
    const index = new JobsIndex([section('two', ['d']), section('one', ['a'])], true, new Set(['one']))
    expect(names(index)).toEqual(['#two', 'd', '#one'])
    expect(index.isFolded('one')).toBe(true)
  })

  it('loses a group with its last job', () => {
    const index = grouped()
    index.remove(new Set(['d', 'c', 'b']))
    expect(names(index)).toEqual(['#one', 'a'])
  })
})

describe('two lists', () => {
  it('are the same when the same jobs stand in the same places', () => {
    const one = new JobsIndex([section('', ['b', 'a'])], false)
    expect(one.isSameAs(new JobsIndex([section('', ['b', 'a'])], false))).toBe(true)
    expect(one.isSameAs(new JobsIndex([section('', ['a', 'b'])], false))).toBe(false)
    expect(one.isSameAs(new JobsIndex([section('', ['b'])], false))).toBe(false)
  })

  it('tell how many jobs the other has on top', () => {
    const one = new JobsIndex([section('', ['c', 'b', 'a'])], false)
    expect(one.newIn(new JobsIndex([section('', ['e', 'd', 'c', 'a'])], false))).toBe(2)
    expect(one.newIn(new JobsIndex([section('', ['e', 'd', 'b', 'a'])], false))).toBe(2)
    expect(one.newIn(new JobsIndex([section('', ['b'])], false))).toBe(0)
    expect(one.newIn(new JobsIndex([], false))).toBe(0)
  })

  it('tell it for every group, and count all of a new one', () => {
    const one = new JobsIndex([section('x', ['b', 'a'])], true)
    expect(one.newIn(new JobsIndex([section('y', ['e', 'd']), section('x', ['c', 'b', 'a'])], true))).toBe(3)
  })
})
