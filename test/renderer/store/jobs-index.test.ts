import { describe, expect, it } from 'vitest'
import { JobsIndex, JobsLines, type GivenSection } from '../../../src/renderer/store/jobs-index.ts'

const section = (key: string, ids: string[]): GivenSection => ({ key, title: key, folderId: null, atMs: null, ids })

it('the list without groups gives the jobs of a range from the top down, whichever end was first', () => {
  const index = new JobsIndex([section('', ['d', 'c', 'b', 'a'])], false)
  expect(index.idsBetween(2, 1)).toEqual(['c', 'b'])
  expect(index.idsBetween(-1, 9)).toEqual(['d', 'c', 'b', 'a'])
})

describe('the list in groups', () => {
  const grouped = () => new JobsIndex([section('two', ['d', 'c']), section('one', ['b', 'a'])], true)

  it('has a header before the jobs of each group', () => {
    const index = grouped()
    expect(index.names).toEqual(['#two', 'd', 'c', '#one', 'b', 'a'])
    expect([0, 1, 3, 5].map((item) => index.sectionOf(item)?.key)).toEqual(['two', 'two', 'one', 'one'])
    expect(index.find('#one')).toBe(3)
    expect(index.find('a')).toBe(5)
  })

  it('keeps the jobs of a folded group, and gives them no lines', () => {
    const index = grouped().withFolded(new Set(['two']))
    expect(index.names).toEqual(['#two', '#one', 'b', 'a'])
    expect(index.jobCount).toBe(4)
    expect(index.find('c')).toBe(-1)
    expect(index.idsBetween(0, 2)).toEqual(['b'])
    expect(index.allIds()).toEqual(['d', 'c', 'b', 'a'])
    expect(index.withFolded(new Set()).names).toHaveLength(6)
  })

  it('loses a group with its last job', () => {
    expect(grouped().without(new Set(['d', 'c', 'b'])).names).toEqual(['#one', 'a'])
  })
})

describe('two lists', () => {
  it('are the same when the same jobs stand in the same places', () => {
    const one = new JobsIndex([section('', ['b', 'a'])], false)
    expect(one.isSameAs(new JobsIndex([section('', ['b', 'a'])], false))).toBe(true)
    expect(one.isSameAs(new JobsIndex([section('', ['a', 'b'])], false))).toBe(false)
    expect(one.isSameAs(new JobsIndex([section('', ['b'])], false))).toBe(false)
  })

  it('tell how many jobs the other has that are new, apart by who brought them', () => {
    const one = new JobsIndex([section('x', ['c', 'b', 'a'])], true)
    const watched = { ...section('f', ['e', 'd']), folderId: 'f' }
    expect(one.newIn(new JobsIndex([watched, section('x', ['a', 'g'])], true))).toEqual({ watched: 2, started: 1 })
    expect(one.newIn(new JobsIndex([], false))).toEqual({ watched: 0, started: 0 })
  })
})

describe('the lines of a list', () => {
  const index = new JobsIndex([section('two', ['g', 'f', 'e', 'd', 'c']), section('one', ['b', 'a'])], true)
  const lines = new JobsLines(index, 3)
  const namesOf = (line: number) => {
    const { item, count } = lines.itemsOf(line)
    return Array.from({ length: count }, (_, n) => index.names[item + n])
  }

  it('have a header alone, and as many jobs of its group beside each other as there are columns', () => {
    expect(lines.count).toBe(5)
    expect([0, 1, 2, 3, 4].map(namesOf)).toEqual([['#two'], ['g', 'f', 'e'], ['d', 'c'], ['#one'], ['b', 'a']])
    expect(['#two', 'e', 'd', '#one', 'a'].map((name) => lines.lineOf(index.find(name)))).toEqual([0, 1, 2, 3, 4])
    const { count } = new JobsLines(new JobsIndex([section('', ['b', 'a'])], false), 1)
    expect(count).toBe(2)
  })

  it('lead down and up in a column, to the last of a shorter line, and no further than the ends', () => {
    const below = (name: string, by: number) => index.names[lines.below(index.find(name), by)]
    expect([below('f', 1), below('e', 1), below('d', 1), below('#one', 1)]).toEqual(['c', 'c', '#one', 'b'])
    expect([below('c', -1), below('a', 9), below('e', -9)]).toEqual(['f', 'a', '#two'])
  })
})
