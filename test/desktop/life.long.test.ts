import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { callChannel } from '../../src/shared/contract/ipc-channels.ts'
import { PAGE_CALL_NAMES } from '../../src/shared/contract/calls.ts'
import { runCli } from '../cli/harness.ts'
import { describeWith } from '../needs.ts'
import { DesktopWorld, isAlive, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

/** What a worker of the page finds of Node. A policy of the page's own lets it start one. */
const KINDS_IN_WORKER = `new Promise((tell, fail) => {
  const code = 'postMessage([typeof require, typeof process, typeof global])'
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  const worker = new Worker(trustedTypes.createPolicy('test', { createScriptURL: (url) => url }).createScriptURL(address))
  worker.onmessage = ({ data }) => tell(data)
  worker.onerror = ({ message }) => fail(new Error(message))
})`

/** In the page: ways to come by more than the bridge gives. */
const REACH_BEHIND_BRIDGE = `(() => {
  const { calls, onMessage } = window.hangar
  const tried = {}
  const attempt = (what, act) => { try { tried[what] = act() } catch { tried[what] = 'threw' } }
  const seen = [calls, onMessage, calls['jobs.rows'], calls['jobs.rows']({}), window.hangar]
  attempt('globals of a function', () => seen.map((one) => typeof one.constructor.constructor('return typeof process + typeof require + typeof ipcRenderer')()).join())
  attempt('another call', () => { calls['hangar:listen'] = 1; return typeof calls['hangar:listen'] })
  attempt('a replaced call', () => { const before = calls['jobs.rows']; calls['jobs.rows'] = () => 1; return calls['jobs.rows'] === before })
  attempt('a replaced bridge', () => { const before = window.hangar; window.hangar = {}; return window.hangar === before })
  return tried
})()`

describeWith(REAL_ELECTRON)('the app in a real Electron', () => {
  let world: DesktopWorld
  let app: DesktopApp

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
  })
  afterAll(() => world.close())

  it('isolates its page', async () => {
    const preferences = await app.main(({ BrowserWindow }) =>
      // Electron has it, its types do not.
      (
        BrowserWindow.getAllWindows()[0]!.webContents as never as { getLastWebPreferences(): object }
      ).getLastWebPreferences(),
    )
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    })
    expect(await app.page('[typeof require, typeof process, typeof global]')).toEqual(Array(3).fill('undefined'))
    expect(await app.page(KINDS_IN_WORKER)).toEqual(Array(3).fill('undefined'))
    expect(await app.page('Object.keys(window.hangar).sort()')).toEqual([
      'acknowledge',
      'calls',
      'onMessage',
      'placesOf',
    ])
    expect(await app.page('Object.keys(window.hangar.calls)')).toEqual(PAGE_CALL_NAMES)
    expect(await app.page('Object.isFrozen(window.hangar) && Object.isFrozen(window.hangar.calls)')).toBe(true)
    // A file without a path, such as one made in a page, becomes no place.
    expect(await app.page("window.hangar.placesOf([new File([], 'one.jpg')])")).toEqual({
      ok: true,
      value: { places: [] },
    })
  })

  it('does at once what a command of a terminal asks', async () => {
    const paused = async () => (await app.state()).settings.paused
    for (const [command, isPaused] of [
      ['pause', true],
      ['resume', false],
    ] as const) {
      expect(await runCli([command, '--data-dir', world.dataDir])).toMatchObject({ code: 0, stderr: '' })
      await expect.poll(paused).toBe(isPaused)
    }
  })

  it('answers each call of the contract once, and no others', async () => {
    const answered = await app.main(({ ipcMain }) => [
      // Electron has it, its types do not.
      ...(ipcMain as never as { _invokeHandlers: Map<string, unknown> })._invokeHandlers.keys(),
      ...(ipcMain.eventNames() as string[]),
    ])
    const others = ['hangar:places', 'hangar:listen', 'hangar:acknowledge']
    expect(answered.filter((name) => name.startsWith('hangar:')).toSorted()).toEqual(
      [...PAGE_CALL_NAMES.map(callChannel), ...others].toSorted(),
    )
  })

  it.each(['../package.json', '..%2f..%2fpackage.json', '%2e%2e/main/index.js'])(
    'serves nothing for %s',
    async (path) => {
      expect(await app.page(`fetch('hangar://app/${path}').then(({ status }) => status)`)).toBe(404)
    },
  )

  it('executes no script of its page but its own', async () => {
    const inline = `new Promise((done) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => done(violatedDirective), { once: true })
      const script = document.createElement('script')
      try { script.text = 'window.ran = true' } catch { done('trusted types') }
      document.body.append(script)
    })`
    expect(await app.page(inline)).toMatch(/script-src|trusted.types/)
    expect(await app.page('window.ran')).toBe(undefined)
    const html =
      "(() => { try { document.createElement('p').innerHTML = '<b>x</b>' } catch ({ name }) { return name } })()"
    expect(await app.page(html)).toBe('TypeError')
    const framed = `new Promise((done) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => done(violatedDirective), { once: true })
      document.body.append(Object.assign(document.createElement('iframe'), { src: '/index.html' }))
    })`
    expect(await app.page(framed)).toMatch(/frame-src|default-src/)
    await app.page("void document.querySelectorAll('body > script, body > iframe').forEach((added) => added.remove())")
    expect(await app.page("fetch('https://example.com/').then(() => 'came', () => 'refused')")).toBe('refused')
  })

  it('lets the page go nowhere and open nothing', async () => {
    const before = await app.page('location.href')
    await app.page("void window.open('https://example.com/')")
    for (const address of ['https://example.com/', 'file:///etc/passwd', 'http://127.0.0.1:1/'])
      await app.page(`void location.assign('${address}')`)
    await app.page("void document.body.insertAdjacentElement('beforeend', document.createElement('webview'))")
    expect(await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
    expect(await app.page('location.href')).toBe(before)
    expect(await app.log()).toContain('refused what the page tried')
  })

  it('has no window of its ask the network for anything', async () => {
    let asked = 0
    const server = createServer(() => (asked += 1)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const outcome = await app.main(async ({ BrowserWindow }, url: string) => {
      const other = new BrowserWindow({ show: false, webPreferences: { sandbox: true } })
      const loaded = await other.loadURL(url).then(
        () => 'loaded',
        ({ code }: { code: string }) => code,
      )
      other.destroy()
      return loaded
    }, address)
    server.close()
    expect({ outcome, asked }).toEqual({ outcome: 'ERR_BLOCKED_BY_CLIENT', asked: 0 })
  })

  it('denies what a page may ask for, but copying', async () => {
    const asked = `Promise.all([
      ...['clipboard-write', 'clipboard-read', 'geolocation', 'notifications', 'camera', 'microphone'].map((name) => navigator.permissions.query({ name }).then(({ state }) => state)),
      navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'given', ({ name }) => name),
      typeof showOpenFilePicker === 'function' ? showOpenFilePicker().then(() => 'given', ({ name }) => name) : 'absent',
    ])`
    expect(await app.page(asked)).toEqual([
      'granted',
      ...Array.from({ length: 5 }, () => 'denied'),
      expect.stringMatching(/Not/),
      expect.stringMatching(/absent|NotAllowed|Security/),
    ])
  })

  it('answers no call of another window', async () => {
    const answers = await app.main(
      async ({ BrowserWindow }, preload: string) => {
        const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } })
        await other.loadURL('hangar://app/index.html')
        const each = (await other.webContents.executeJavaScript(
          'Promise.all(Object.values(window.hangar.calls).map((call) => call({}))).then((all) => all.map(({ ok, error }) => ok ? "answered" : error.sentence.code))',
        )) as string[]
        other.destroy()
        return each
      },
      join(ROOT, 'out/preload/index.cjs'),
    )
    expect(new Set(answers)).toEqual(new Set(['request_not_from_window']))
    expect(answers.length).toBeGreaterThan(50)
  })

  it('lets its page reach nothing behind the bridge', async () => {
    expect(await app.page(REACH_BEHIND_BRIDGE)).toEqual({
      'globals of a function': 'threw',
      'another call': 'undefined',
      'a replaced call': true,
      'a replaced bridge': true,
    })
  })

  it('has a tray with a menu, which shows its window and pauses', async () => {
    const labels = async () => (await world.desktop.ask('menu'))?.map(({ label }) => label)
    expect(await labels()).toEqual(['Nothing to do', 'Show Hangar', 'Pause sending', 'Quit Hangar'])
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
    const visible = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
    await expect.poll(visible).toBe(false)
    await world.desktop.ask('choose', { label: 'Show Hangar' })
    await expect.poll(visible).toBe(true)
    await world.desktop.ask('choose', { label: 'Pause sending' })
    await expect.poll(labels).toContain('Resume sending')
    await world.desktop.ask('choose', { label: 'Resume sending' })
    await expect.poll(labels).toContain('Pause sending')
  })

  it.each([
    'hangar://app/index.html#/settings',
    'hangar://app/?pause',
    'hangar://pause',
    'hangar://jobs/add?path=/etc/hostname',
    'hangar:--pause',
  ])('takes a second start with %s, as a link of a web page gives it, for a wish to see its window', async (link) => {
    const stateNow = async () => {
      const { settings, folders, counts } = await app.state()
      return { settings, folders, counts, hash: await app.page('location.hash') }
    }
    const before = await stateNow()
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
    expect(await world.start({ args: [link], inspected: false }).exited).toEqual({ code: 0, signal: null })
    await expect.poll(() => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())).toBe(true)
    // As macOS gives it.
    await app.main(({ app: electron }, url: string) => {
      electron.emit('open-url', { preventDefault: () => undefined }, url)
    }, link)
    expect(await stateNow()).toEqual(before)
    expect(await app.page("document.querySelector('dialog') === null")).toBe(true)
  })

  it('follows the zoom keys of every keyboard', async () => {
    const factor = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getZoomLevel())
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.focus())
    for (const key of ['ctrl+equal', 'ctrl+KP_Add', 'ctrl+plus']) {
      const before = await factor()
      await world.desktop.press(key, 'Hangar', async () => (await factor()) > before)
    }
    await world.desktop.press('ctrl+0', 'Hangar', async () => (await factor()) === 0)
  })

  it('denies copying to another origin', async () => {
    const states = await app.main(async ({ BrowserWindow, session }) => {
      // Else nothing of that origin would be there to ask. For good, so this comes after all tests of what is refused.
      session.defaultSession.webRequest.onBeforeRequest(null)
      session.defaultSession.protocol.unhandle('hangar')
      session.defaultSession.protocol.handle(
        'hangar',
        () => new Response('a page', { headers: { 'content-type': 'text/html' } }),
      )
      const other = new BrowserWindow({ show: false, webPreferences: { sandbox: true } })
      const asked = `navigator.permissions.query({ name: 'clipboard-write' }).then(({ state }) => [location.origin, isSecureContext, state])`
      const each: unknown[] = []
      for (const host of ['app', 'elsewhere']) {
        await other.loadURL(`hangar://${host}/`)
        each.push(await other.webContents.executeJavaScript(asked))
      }
      other.destroy()
      return each
    })
    expect(states).toEqual([
      ['hangar://app', true, 'granted'],
      ['hangar://elsewhere', true, 'denied'],
    ])
  })

  it('ends with "stopped" in its log, no error, and no process of it left', async () => {
    await app.call('credits.balance', {})
    const processes = app.processes()
    expect(processes.filter(({ kind }) => kind.startsWith('node ')).map(({ kind }) => kind)).toContain('node practice')
    expect(await app.quit()).toEqual({ code: 0, signal: null })
    const lines = (await app.log()).trim().split('\n')
    expect(
      lines.filter((line) => line.includes('"level":"error"') && !line.includes('the page ended unexpectedly')),
    ).toEqual([])
    expect(lines.at(-1)).toContain('stopped')
    await expect.poll(() => processes.filter(isAlive)).toEqual([])
    expect(app.stderr).not.toMatch(/GLib|Traceback|UnhandledPromise/)
  })
})

describeWith(REAL_ELECTRON)('a signal', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends it in order', async (signal) => {
    const world = await DesktopWorld.open()
    onTestFinished(() => world.close())
    const app = await world.start().ready()
    await app.letGo()
    app.process.kill(signal)
    expect(await app.exited).toEqual({ code: 0, signal: null })
    expect((await app.log()).trim().split('\n').at(-1)).toContain('stopped')
  })
})
