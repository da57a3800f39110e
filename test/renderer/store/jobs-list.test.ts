import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../src/shared/contract/call.ts'
import { NEWEST_FIRST } from '../../../src/shared/jobs/job-list.ts'
import { NO_FILTER, type ListFilter, type ListWish } from '../../../src/renderer/store/jobs-filter.ts'
import type { GivenSection } from '../../../src/renderer/store/jobs-index.ts'
import { ListKeeper, NO_LIST, type ListView } from '../../../src/renderer/store/jobs-list.ts'
import { jobRow } from '../harness/job-row.ts'

type Answer = Result<{ sections: GivenSection[] }>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A shell whose jobs the test changes, and whose answers come when the test says so. */
class Shell {
  view: ListView = NO_LIST
  readonly asked: (ListWish & { answer: (ids: string[] | Answer) => Promise<unknown> })[] = []
  readonly keeper = new ListKeeper({
    ask: (wish) => {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const answer = (given: string[] | Answer) => {
        resolve(Array.isArray(given) ? listOf(given) : given)
        return vi.advanceTimersByTimeAsync(0)
      }
      this.asked.push({ ...wish, answer })
      return promise
    },
    onView: (view) => (this.view = view),
  })

  get shown(): readonly string[] {
    return this.view.index?.names ?? []
  }

  last() {
    return this.asked.at(-1)!
  }
}

const pass = (ms: number) => vi.advanceTimersByTime(ms)
const listOf = (ids: string[]): Answer => ({
  ok: true,
  value: { sections: [{ key: '', title: null, folderId: null, atMs: null, ids }] },
})
const failure: Answer = { ok: false, error: { code: 'internal', sentence: { raw: 'no' } } }
const wish = (filter: ListFilter, order = NEWEST_FIRST): ListWish => ({ filter, groupBy: 'none', order })
const added = (...ids: string[]) => ({ added: ids, rows: [], stale: false })
const changed = { added: [], rows: [jobRow('a')], stale: false }
const stale = { added: [], rows: [], stale: true }
const FAILED: ListFilter = { ...NO_FILTER, chip: 'failed' }

async function shellWith(ids: string[], order = NEWEST_FIRST): Promise<Shell> {
  const shell = new Shell()
  shell.keeper.show(wish(NO_FILTER, order))
  await shell.last().answer(ids)
  return shell
}

describe('a list of everything', () => {
  it('shows the first picture at once', async () => {
    const shell = await shellWith([])
    shell.keeper.take(added('a'))
    pass(100)
    await shell.last().answer(['a'])
    expect(shell.shown).toEqual(['a'])
    shell.keeper.take(added('b'))
    pass(1999)
    expect(shell.asked).toHaveLength(2)
  })

  it('does not ask again for changes of jobs that it has', async () => {
    const shell = await shellWith(['b', 'a'])
    shell.keeper.take(changed)
    pass(60_000)
    expect(shell.asked).toHaveLength(1)
  })

  it('loses no job that was announced while the answer was on its way', async () => {
    const shell = new Shell()
    shell.keeper.show(wish(NO_FILTER))
    shell.keeper.take(added('b'))
    await shell.last().answer(['a'])
    pass(2000)
    await shell.last().answer(['b', 'a'])
    expect(shell.shown).toEqual(['b', 'a'])
  })

  it('is asked for again soon when jobs left it, and then rarely', async () => {
    const shell = await shellWith(['b', 'a'])
    pass(10_000)
    shell.keeper.take(stale)
    pass(0)
    expect(shell.asked).toHaveLength(2)
    await shell.last().answer(['a'])
    expect(shell.shown).toEqual(['a'])
    for (let n = 0; n < 15; n += 1) {
      shell.keeper.take(stale)
      pass(100)
    }
    expect(shell.asked).toHaveLength(2)
    pass(600)
    expect(shell.asked).toHaveLength(3)
  })
})

describe('a sorted list', () => {
  it('is asked for again when a change may move a job, and only then', async () => {
    const bySize = await shellWith(['a'], { by: 'size', descending: true })
    bySize.keeper.take(changed)
    pass(60_000)
    expect(bySize.asked).toHaveLength(1)
    const bySaving = await shellWith(['a'], { by: 'saving', descending: true })
    bySaving.keeper.take(changed)
    pass(2000)
    expect(bySaving.asked).toHaveLength(2)
  })

  it('counts what is new in it wherever that stands, while it is held', async () => {
    const shell = await shellWith(['c', 'a'], { by: 'name', descending: false })
    shell.keeper.hold(true)
    shell.keeper.take(added('b', 'd'))
    pass(2000)
    await shell.last().answer(['d', 'c', 'b', 'a'])
    expect(shell.shown).toEqual(['c', 'a'])
    expect(shell.view.pending).toBe(2)
  })
})

describe('a list of some jobs', () => {
  it('is asked for the more rarely the longer it takes', async () => {
    const shell = new Shell()
    shell.keeper.show(wish(FAILED))
    pass(700)
    await shell.last().answer(['a'])
    shell.keeper.take(changed)
    pass(6900)
    expect(shell.asked).toHaveLength(1)
    pass(100)
    expect(shell.asked).toHaveLength(2)
  })

  it('stays to be seen until the next one is there, and a late answer is left out', async () => {
    const shell = await shellWith(['b', 'a'])
    shell.keeper.show(wish(FAILED))
    const late = shell.last()
    expect(shell.view.phase).toBe('loading')
    expect(shell.shown).toEqual(['b', 'a'])
    shell.keeper.show(wish({ ...NO_FILTER, search: 'x' }))
    await late.answer(['a'])
    expect(shell.shown).toEqual(['b', 'a'])
    await shell.last().answer(['b'])
    expect(shell.shown).toEqual(['b'])
    expect(shell.view.phase).toBe('ready')
  })
})

describe('while a person is at the list', () => {
  const arrive = async (shell: Shell, answer: string[] | Answer) => {
    const { length } = shell.asked
    shell.keeper.take(added('new'))
    while (shell.asked.length === length) pass(100)
    await shell.last().answer(answer)
  }

  it('nothing moves, and new jobs are counted', async () => {
    const shell = await shellWith(['b', 'a'])
    shell.keeper.hold(true)
    await arrive(shell, ['c', 'b', 'a'])
    await arrive(shell, ['e', 'd', 'c', 'b', 'a'])
    expect(shell.shown).toEqual(['b', 'a'])
    expect(shell.view.pending).toBe(3)
    shell.keeper.showPending()
    expect(shell.shown).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(shell.view.pending).toBeNull()
  })

  it('what waited is shown once they leave', async () => {
    const shell = await shellWith(['a'])
    shell.keeper.hold(true)
    await arrive(shell, ['b', 'a'])
    expect(shell.shown).toEqual(['a'])
    shell.keeper.hold(false)
    expect(shell.shown).toEqual(['b', 'a'])
  })

  it('what they ordered is shown at once', async () => {
    const shell = await shellWith(['b', 'a'])
    shell.keeper.hold(true)
    shell.keeper.refresh()
    await shell.last().answer(['a'])
    expect(shell.shown).toEqual(['a'])
  })
})

describe('an answer that does not come', () => {
  it('is told where there is nothing to show yet, and asked for again', async () => {
    const shell = new Shell()
    shell.keeper.show(wish(NO_FILTER))
    await shell.last().answer(failure)
    expect(shell.view).toMatchObject({ phase: 'failed', error: { code: 'internal', sentence: { raw: 'no' } } })
    pass(5000)
    await shell.last().answer(['a'])
    expect(shell.view).toMatchObject({ phase: 'ready', error: null })
  })

  it('is of no interest once nobody looks', async () => {
    const shell = await shellWith(['a'])
    shell.keeper.refresh()
    shell.keeper.stop()
    await shell.last().answer(['b', 'a'])
    shell.keeper.take(stale)
    pass(60_000)
    expect(shell.shown).toEqual(['a'])
    expect(shell.asked).toHaveLength(2)
  })
})
