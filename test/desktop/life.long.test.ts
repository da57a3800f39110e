import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGE_CALL_NAMES } from '../../src/shared/contract/calls.ts'
import { runCli } from '../cli/harness.ts'
import { describeWith } from '../needs.ts'
import { DesktopWorld, isAlive, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'

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

  it('executes no script of its page but its own', async () => {
    const inline = `new Promise((done) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => done(violatedDirective), { once: true })
      const script = document.createElement('script')
      try { script.text = 'window.ran = true' } catch { done('trusted types') }
      document.body.append(script)
    })`
    expect(await app.page(inline)).toMatch(/script-src|trusted.types/)
    expect(await app.page('window.ran')).toBe(undefined)
    await app.page("void document.querySelector('body > script')?.remove()")
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

  it('takes a second start for a wish to see its window', async () => {
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
    const second = world.start({ inspected: false })
    expect(await second.exited).toEqual({ code: 0, signal: null })
    await expect.poll(() => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())).toBe(true)
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

  it('ends with "stopped" in its log, no error, and no process of it left', async () => {
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
    try {
      const app = await world.start().ready()
      await app.letGo()
      app.process.kill(signal)
      expect(await app.exited).toEqual({ code: 0, signal: null })
      expect((await app.log()).trim().split('\n').at(-1)).toContain('stopped')
    } finally {
      await world.close()
    }
  })
})
