import { describe, expect, it } from 'vitest'
import { Background } from '../../../src/shared/runtime/background.ts'
import { AppError } from '../../../src/shared/sentences/errors.ts'
import { raw } from '../../../src/shared/sentences/sentence.ts'

function open() {
  const said: { message: string; facts: Record<string, unknown> }[] = []
  const say = (message: string, facts: Record<string, unknown> = {}) => said.push({ message, facts })
  let nowMs = 1000
  const background = new Background({ log: { error: say, info: say }, nowMs: () => (nowMs += 1000) })
  let changes = 0
  background.onChange(() => (changes += 1))
  return { background, said, changes: () => changes }
}

const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('work that nobody awaits', () => {
  it('neither throws nor rejects when it fails, is logged by its name, and stands as stopped with a code', async () => {
    const { background, said, changes } = open()
    background.run('folder_scan', () => {
      throw full()
    })
    background.run('chargers_refresh', () => Promise.reject(new AppError('not_writable', raw('no'))))
    await turn()
    expect(background.stopped()).toEqual([
      { task: 'folder_scan', subject: null, code: 'disk_full', sinceMs: 2000 },
      { task: 'chargers_refresh', subject: null, code: 'not_writable', sinceMs: 3000 },
    ])
    expect(said.map(({ facts }) => facts['task'])).toEqual(['folder_scan', 'chargers_refresh'])
    expect(changes()).toBe(2)
  })

  it('is no longer stopped once the same task works, for that subject alone', async () => {
    const { background, changes } = open()
    for (const folder of ['a', 'b']) background.run('folder_scan', () => Promise.reject(full()), folder)
    await turn()
    background.run('folder_scan', () => Promise.resolve(), 'a')
    await turn()
    expect(background.stopped()).toMatchObject([{ task: 'folder_scan', subject: 'b' }])
    background.run('folder_scan', () => undefined, 'b')
    expect(background.stopped()).toEqual([])
    expect(changes()).toBe(4)
  })

  it('that keeps failing the same way is reported once, with the time of the first failure', async () => {
    const { background, changes } = open()
    for (let nth = 0; nth < 3; nth += 1) {
      background.run('folder_scan', () => Promise.reject(full()))
      await turn()
    }
    expect(background.stopped()).toMatchObject([{ sinceMs: 2000 }])
    expect(changes()).toBe(1)
  })

  it('continues although a listener fails', () => {
    const { background } = open()
    const fails = () => {
      throw full()
    }
    background.onChange(fails)
    expect(() => background.run('folder_scan', fails)).not.toThrow()
    expect(background.stopped()).toHaveLength(1)
  })

  it.each([
    ['SQLITE_FULL', 'disk_full'],
    ['ENOSPC', 'disk_full'],
    ['SQLITE_IOERR_WRITE', 'not_writable'],
    ['EROFS', 'not_writable'],
    ['ECONNRESET', 'internal'],
  ])('names %s as %s', (code, expected) => {
    const { background } = open()
    background.run('folder_scan', () => {
      throw Object.assign(new Error('x'), { code })
    })
    expect(background.stopped()).toMatchObject([{ code: expected }])
  })
})
