import { EventEmitter } from 'node:events'
import type { App, BrowserWindow, PowerMonitor, Session } from 'electron'
import { describe, expect, it } from 'vitest'
import { setupLockDown } from '../../src/main/electron/lock-down.ts'
import { setupPower, createWorkIndicator } from '../../src/main/electron/work-indicator.ts'
import { setupQuit } from '../../src/main/electron/quit.ts'
import type { HostStatus } from '../../src/main/page/ui-host.ts'
import { quiet } from '../simulation/world.ts'
import { ManualClock } from '../watch/manual-clock.ts'

class Cancellable {
  prevented = 0
  preventDefault(): void {
    this.prevented += 1
  }
}

function lockedDown() {
  const app = new EventEmitter()
  const nothing = (): void => undefined
  let decide = (_details: object, _answer: (answer: { cancel: boolean }) => void): void => undefined
  const session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: nothing,
    setPermissionCheckHandler: nothing,
    setDevicePermissionHandler: nothing,
    webRequest: { onBeforeRequest: (asked: typeof decide) => (decide = asked) },
  })
  setupLockDown({
    app: app as unknown as App,
    session: session as unknown as Session,
    log: quiet,
    development: false,
    saveDialogTitle: () => 'Save as',
  })
  const loads = (url: string) => {
    let loaded = false
    decide({ url }, ({ cancel }) => (loaded = !cancel))
    return loaded
  }
  return { app, session, loads }
}

describe('a download', () => {
  it.each([
    ['hangar://app/download/1/0', 0],
    ['https://example.com/a.exe', 1],
    ['blob:https://example.com/1', 1],
    ['data:text/plain,x', 1],
    ['hangar://other/x', 1],
  ])('of %s is refused %i times', (url, times) => {
    const event = new Cancellable()
    let title: string | undefined
    const item = {
      getURL: () => url,
      getFilename: () => 'a.webp',
      setSaveDialogOptions: (options: { title: string }) => (title = options.title),
    }
    lockedDown().session.emit('will-download', event, item)
    expect({ prevented: event.prevented, title }).toEqual({
      prevented: times,
      title: times === 0 ? 'Save as' : undefined,
    })
  })
})

it('a request of the page never goes elsewhere', () => {
  expect(lockedDown().loads('hangar://app/index.html')).toBe(true)
  expect(lockedDown().loads('https://pictures.example/1.png')).toBe(false)
})

it('every web contents there ever is follows no redirect and leaves the page for nothing', () => {
  const { app } = lockedDown()
  let answer: unknown = null
  const setWindowOpenHandler = (handler: () => unknown): void => {
    answer = handler()
  }
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler })
  app.emit('web-contents-created', {}, contents)
  const refused = (name: string, details: object): number => {
    const event = Object.assign(new Cancellable(), details)
    contents.emit(name, event)
    return event.prevented
  }
  expect(answer).toEqual({ action: 'deny' })
  expect(refused('will-redirect', { url: 'hangar://app/' })).toBe(1)
  expect(refused('will-attach-webview', {})).toBe(1)
  expect(refused('will-navigate', { url: 'https://example.com/' })).toBe(1)
  expect(refused('will-frame-navigate', { url: 'hangar://app/', isMainFrame: false })).toBe(1)
  // Reloading the page.
  expect(refused('will-navigate', { url: 'hangar://app/index.html' })).toBe(0)
  expect(refused('will-frame-navigate', { url: 'hangar://app/index.html', isMainFrame: true })).toBe(0)
})

it('the machine going down waits for Hangar, which quits', () => {
  const powerMonitor = new EventEmitter()
  let asked = 0
  setupPower({
    powerMonitor: powerMonitor as unknown as PowerMonitor,
    powerSaveBlocker: { start: () => 1, stop: () => true, isStarted: () => true },
    log: quiet,
    onResume: () => undefined,
    onShutdown: () => (asked += 1),
  })
  const event = new Cancellable()
  powerMonitor.emit('shutdown', event)
  expect([asked, event.prevented]).toEqual([1, 1])
})

describe('quitting', () => {
  function quitting(stop: () => Promise<void>) {
    const exits: (number | undefined)[] = []
    const files = { areUsed: false }
    let kills = 0
    const app = Object.assign(new EventEmitter(), {
      exit: (code?: number) => {
        exits.push(code)
      },
    })
    const clock = new ManualClock()
    setupQuit({
      app: app as unknown as App,
      log: quiet,
      clock,
      stop,
      graceMs: 8000,
      onQuit: () => undefined,
      isAtFiles: () => files.areUsed,
      kill: () => (kills += 1),
    })
    const ask = (): number => {
      const event = new Cancellable()
      app.emit('before-quit', event)
      return event.prevented
    }
    return { exits, ask, clock, files, kills: () => kills }
  }

  it('waits until all is in the journal', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { exits, ask } = quitting(() => promise)
    expect(ask()).toBe(1)
    expect(exits).toEqual([])
    resolve()
    await promise
    await Promise.resolve()
    expect(exits).toEqual([0])
    expect(ask()).toBe(0)
  })

  it('does not wait when it is asked for again', () => {
    const { exits, ask } = quitting(() => new Promise(() => undefined))
    ask()
    expect(ask()).toBe(1)
    expect(exits).toEqual([0])
  })

  it('is over after its deadline, with 1, whatever hangs', async () => {
    const { exits, ask, clock } = quitting(() => new Promise(() => undefined))
    ask()
    await clock.pass(13_000)
    expect(exits).toEqual([])
    await clock.pass(2000)
    expect(exits).toEqual([1])
    expect(ask()).toBe(0)
  })

  it('kills the process where a drive does not answer, whether or not it is asked for again', async () => {
    const { exits, ask, clock, files, kills } = quitting(() => new Promise(() => undefined))
    files.areUsed = true
    ask()
    await clock.pass(14_000)
    expect(kills()).toBe(0)
    await clock.pass(1000)
    expect(kills()).toBe(1)
    ask()
    await clock.pass(1000)
    expect([exits, kills()]).toEqual([[], 2])
  })

  it('waits a moment for files that are still being written', async () => {
    const { exits, ask, clock, files, kills } = quitting(() => Promise.resolve())
    files.areUsed = true
    ask()
    await clock.pass(500)
    files.areUsed = false
    await clock.pass(500)
    expect([exits, kills()]).toEqual([[0], 0])
  })

  it('ends with 1 when stopping fails', async () => {
    const failed = Promise.reject(new Error('disk full'))
    const { exits, ask } = quitting(() => failed)
    ask()
    await failed.catch(() => undefined)
    await Promise.resolve()
    expect(exits).toEqual([1])
  })
})

it('the badge counts what waits for a person, and is set only when that changes', () => {
  const badges: (number | undefined)[] = []
  const bars: [number, string | undefined][] = []
  const window = {
    setProgressBar: (share: number, options?: Electron.ProgressBarOptions) => {
      bars.push([share, options?.mode])
    },
  } as unknown as BrowserWindow
  const indicate = createWorkIndicator({
    app: { setBadgeCount: (count) => badges.push(count) > 0 },
    window: () => window,
  })
  const status = (needsPerson: number, paused = false) =>
    ({ needsPerson, paused, progress: { total: 4, ended: 1 } }) as HostStatus
  for (const needed of [0, 2, 2, 0]) indicate(status(needed))
  indicate(status(0, true))
  expect(badges).toEqual([2, 0])
  expect(bars.at(0)).toEqual([0.25, 'normal'])
  expect(bars.at(-1)).toEqual([0.25, 'paused'])
})
