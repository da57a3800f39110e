import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'

// One app, in this order: its last test ends it.
describeWith(REAL_ELECTRON)('what the shell puts around its page', () => {
  let world: DesktopWorld
  let app: DesktopApp

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
  })
  afterAll(() => world.close())

  const visible = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
  const windows = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  const trayLabels = async () => (await world.desktop.ask('menu'))?.map(({ label }) => label)
  const hash = () => app.page<string>('location.hash')
  const goTo = async (place: string) => {
    await app.page(`void (location.hash = ${JSON.stringify(place)})`)
    await expect.poll(hash).toBe(place)
  }
  const choose = (menu: string, item: string) =>
    app.main(
      ({ Menu }, top: string, label: string) => {
        const { submenu } = Menu.getApplicationMenu()!.items.find((one) => one.label.replace('&', '') === top)!
        ;(submenu!.items.find((one) => one.label === label)!.click as () => void)()
      },
      menu,
      item,
    )

  it('follows the theme and the language of the settings', async () => {
    const look = () =>
      app.main(({ nativeTheme, BrowserWindow }) => [
        nativeTheme.themeSource,
        BrowserWindow.getAllWindows()[0]!.getBackgroundColor(),
      ])
    await app.call('settings.set', { appearance: { theme: 'dark', language: 'de' } })
    await expect.poll(look).toEqual(['dark', '#161616'])
    await expect.poll(trayLabels).toContain('Hangar zeigen')
    await app.call('settings.set', { appearance: { theme: 'light', language: 'en' } })
    await expect.poll(look).toEqual(['light', '#FBFBFA'])
    await expect.poll(trayLabels).toContain('Show Hangar')
  })

  it('has a menu that goes to places, back, forward, and loads the page again; so do the buttons of a mouse', async () => {
    await goTo('#/credits')
    await choose('File', 'Settings…')
    await expect.poll(hash).toMatch(/^#\/settings/)
    const settings = await hash()
    // Windows alone tells of such buttons; the event is the same.
    const button = (command: string) =>
      app.main(({ BrowserWindow }, pressed: string) => {
        BrowserWindow.getAllWindows()[0]!.emit('app-command', {}, pressed)
      }, command)
    for (const [go, place] of [
      [() => choose('View', 'Back'), '#/credits'],
      [() => choose('View', 'Forward'), settings],
      [() => button('browser-backward'), '#/credits'],
      [() => button('browser-forward'), settings],
    ] as const) {
      await go()
      await expect.poll(hash).toBe(place)
    }
    await app.page('void (window.isOld = true)')
    await choose('View', 'Reload')
    await expect.poll(() => app.page('window.isOld ?? null').catch(() => true)).toBe(null)
    await app.ready()
    expect(await hash()).toBe(settings)
  })

  it('offers on a right click what can be done there, and nothing where that is nothing', async () => {
    await app.main(({ Menu }) => {
      const popped: unknown[] = []
      Object.assign(globalThis, { popped })
      Menu.prototype.popup = function (this: Electron.Menu) {
        popped.push(this.items.map(({ role }) => role?.toLowerCase()).filter((role) => role !== undefined))
      }
    })
    const popped = () => app.main(() => (globalThis as never as { popped: string[][] }).popped)
    // Chromium drops what is entered before a page's first drawing.
    const rightClick = (find: string) => until(`${find} is clicked`, () => tryRightClick(find))
    const tryRightClick = async (find: string) => {
      const at = await app.page(`(() => {
        const { x, y, width, height } = (${find}).getBoundingClientRect()
        window.asked = new Promise((got) => {
          addEventListener('contextmenu', () => got(true), { once: true })
          setTimeout(() => got(false), 5000)
        })
        return { x: Math.round(x + Math.min(width, 40) / 2), y: Math.round(y + height / 2) }
      })()`)
      await app.main(({ BrowserWindow }, { x, y }: { x: number; y: number }) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!
        for (const type of ['mouseDown', 'mouseUp'] as const)
          webContents.sendInputEvent({ type, x, y, button: 'right', clickCount: 1 })
      }, at)
      return app.page<boolean>('window.asked')
    }
    await goTo('#/settings/service')
    await expect.poll(() => app.page("document.querySelector('main h2, .place-scroll h2') !== null")).toBe(true)
    await app.page(`void (() => {
      const field = Object.assign(document.createElement('input'), { id: 'typed', value: 'words' })
      field.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 200px; height: 30px; z-index: 1000'
      document.body.append(field)
    })()`)
    await rightClick("document.querySelector('.rail-name')")
    await rightClick("document.querySelector('#typed')")
    await expect.poll(async () => (await popped())[0]).toEqual(['cut', 'copy', 'paste', 'selectall'])
    await app.page("void document.querySelector('#typed').remove()")
    await app.page("void getSelection().selectAllChildren(document.querySelector('.place-scroll h2'))")
    await rightClick("document.querySelector('.place-scroll h2')")
    await expect.poll(async () => (await popped()).at(-1)).toEqual(['copy'])
  })

  it('stays in the tray when its window is closed, says so once, and comes back by a click, with what is typed', async () => {
    const told = async () =>
      (await world.desktop.ask('notifications')).flatMap(({ title }, n) => (/still/.test(title) ? [n + 1] : []))
    await app.page('void (window.isOld = true)')
    const close = async () => {
      await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
      await expect.poll(visible).toBe(false)
    }
    for (let n = 0; n < 2; n += 1) {
      await close()
      await world.desktop.ask('activate')
      await expect.poll(visible).toBe(true)
    }
    await close()
    await expect.poll(told).toHaveLength(1)
    await world.desktop.ask('click notification', { number: (await told())[0]! })
    await expect.poll(visible).toBe(true)
    expect(await app.page('window.isOld ?? null')).toBe(true)
  })

  it("goes the system's way to a service", async () => {
    const asked: string[] = []
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (head) => {
        asked.push(String(head).split('\r\n')[0]!)
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => {
      proxy.close()
    })
    const proxyRules = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    await app.main(({ session }, rules: string) => session.defaultSession.setProxy({ proxyRules: rules }), proxyRules)
    await app.call('settings.set', { imageBaseUrl: 'https://images.hangar.invalid/api/v1' })
    await app.call('keys.set', { name: 'image', key: 'a-key-for-the-proxy' }).catch(() => undefined)
    await expect.poll(() => asked[0]).toBe('CONNECT images.hangar.invalid:443 HTTP/1.1')
  })

  it('loads a page that was killed again without an error, and asks when that goes on', async () => {
    await app.main(({ BrowserWindow, dialog }) => {
      const complaints: string[] = []
      const asked: string[] = []
      Object.assign(globalThis, { complaints, asked })
      // Older than Hangar's own, this Electron has the level as an argument.
      BrowserWindow.getAllWindows()[0]!.webContents.on('console-message', (_details, level: number, text: string) => {
        if (level === 3) complaints.push(text)
      })
      dialog.showMessageBox = ((_: unknown, { message }: { message: string }) => {
        asked.push(message)
        return Promise.resolve({ response: 0, checkboxChecked: false })
      }) as never
    })
    const noted = (what: 'asked' | 'complaints') =>
      app.main((_, name: string) => (globalThis as never as Record<string, string[]>)[name]!, what)
    const pagePid = () =>
      app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId())
    let kills = 0
    // More than three in a minute; on a busy machine it takes more of them until three are within one.
    while ((await noted('asked')).length === 0) {
      const pid = await pagePid()
      process.kill(pid, 'SIGKILL')
      kills += 1
      await expect.poll(pagePid).toSatisfy((now) => now !== pid && now !== 0)
      await app.ready()
    }
    expect(kills).toBeGreaterThan(3)
    expect(await noted('asked')).toEqual(['The window keeps failing.'])
    expect(await noted('complaints')).toEqual([])
  })

  it('starts without a window when told to, until it is started again, and that is where it was', async () => {
    const bounds = { x: 140, y: 120, width: 900, height: 640 }
    const where = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds())
    await app.main(
      ({ BrowserWindow }, to: Electron.Rectangle) => BrowserWindow.getAllWindows()[0]!.setBounds(to),
      bounds,
    )
    await expect.poll(where).toMatchObject({ width: 900, height: 640 })
    const left = await where()
    expect(await app.quit()).toEqual({ code: 0, signal: null })
    app = await world.start({ args: ['--hidden'] }).running()
    const again = async (...args: string[]) =>
      expect(await world.start({ args, inspected: false }).exited).toEqual({ code: 0, signal: null })
    await again('--hidden')
    expect(await windows()).toBe(0)
    await again()
    await app.ready()
    await expect.poll(where).toEqual(left)
    expect(await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getMinimumSize())).toEqual([
      760, 520,
    ])
  })

  it('is ended by a mistake of its own, said and logged', async () => {
    await app.main(() => {
      setTimeout(() => {
        throw new TypeError('a mistake of ours')
      }, 300)
    })
    await app.letGo()
    const box = () => world.desktop.xdotool('search', '--onlyvisible', '--name', '^Error$')
    // GTK's own title: Hangar's words are in the box.
    await expect.poll(box).toMatch(/^\d+/)
    await world.desktop.press('Return', '^Error$', () => app.hasEnded)
    expect(await app.exited).toEqual({ code: 70, signal: null })
    expect(await app.log()).toContain('a mistake of ours')
  })
})
