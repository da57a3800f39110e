import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, it } from 'vitest'
import { collectHandedOver } from '../../src/main/electron/single-instance.ts'

it('what later starts ask while the first is not ready is done in order once it is, all files together', () => {
  const app = Object.assign(new EventEmitter(), { isPackaged: true })
  const asked: unknown[] = []
  const collected = collectHandedOver(app as unknown as App, { paths: ['/first.jpg'] })
  const again = (...args: string[]) => app.emit('second-instance', {}, ['hangar', ...args], '/p', undefined)
  app.emit('open-file', { preventDefault: () => undefined }, '/opened.jpg')
  again('--hidden')
  again('--pause', 'a.jpg')
  again('--show', 'credits')
  expect(asked).toEqual([])
  collected.start({
    take: (paths) => asked.push(['take', ...paths]),
    show: ({ place }) => asked.push(['show', place]),
    setPaused: (paused) => asked.push(['pause', paused]),
  })
  const files = ['take', '/first.jpg', '/opened.jpg', '/p/a.jpg']
  expect(asked).toEqual([files, ['show', null], ['pause', true], ['show', null], ['show', 'credits']])
  again('b.jpg')
  app.emit('open-file', { preventDefault: () => undefined }, '/later.jpg')
  expect(asked.slice(5)).toEqual([
    ['take', '/p/b.jpg'],
    ['show', null],
    ['take', '/later.jpg'],
    ['show', null],
  ])
})
