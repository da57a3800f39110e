import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { describe, expect, it } from 'vitest'
import { collectHandedOver } from '../../src/main/electron/single-instance.ts'

/** What was asked of the app, in order. */
function handedOver(first: readonly string[]) {
  const app = new EventEmitter()
  const asked: unknown[] = []
  const collected = collectHandedOver(Object.assign(app, { isPackaged: true }) as unknown as App, {
    paths: [...first],
  })
  const start = () =>
    collected.start({
      take: (paths) => asked.push(['take', ...paths]),
      show: ({ place }) => asked.push(['show', place]),
      setPaused: (paused) => asked.push(['pause', paused]),
    })
  const again = (...args: string[]) => app.emit('second-instance', {}, ['hangar', ...args], '/p', undefined)
  const opened = (path: string) => app.emit('open-file', { preventDefault: () => undefined }, path)
  return { start, again, opened, asked }
}

describe('what later starts ask', () => {
  it('is done when it comes', () => {
    const { start, again, asked } = handedOver([])
    start()
    again()
    again('--hidden')
    again('--show', 'credits')
    again('--pause')
    again('a.jpg')
    const files = [
      ['take', '/p/a.jpg'],
      ['show', null],
    ]
    expect(asked).toEqual([['show', null], ['show', 'credits'], ['pause', true], ...files])
  })

  it('while the first has not started yet is done once it has, all files together', () => {
    const { start, again, opened, asked } = handedOver(['/first.jpg'])
    opened('/opened.jpg')
    again('--hidden')
    again('--pause', 'a.jpg')
    again()
    expect(asked).toEqual([])
    start()
    const shown = ['show', null]
    expect(asked).toEqual([['take', '/first.jpg', '/opened.jpg', '/p/a.jpg'], shown, ['pause', true], shown, shown])
  })

  it('is nothing when nothing was asked', () => {
    const { start, asked } = handedOver([])
    start()
    expect(asked).toEqual([])
  })
})
