import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import type { Result } from '../../src/shared/contract/call.ts'
import { PAGE_CALL_NAMES } from '../../src/shared/contract/calls.ts'
import type { JobRow } from '../../src/shared/contract/jobs.ts'
import type { Place } from '../../src/shared/contract/places.ts'
import type { UiMessage } from '../../src/shared/contract/stream.ts'
import { callChannel } from '../../src/shared/contract/ipc-channels.ts'
import { until } from '../until.ts'
import { DesktopWorld, BUILT_SHELL, type Desktop } from './desktop-harness.ts'

const SAMPLES = join(import.meta.dirname, '../../resources/samples')
const PAGE = 'hangar://app/index.html'

describeWith(BUILT_SHELL)('the built desktop app on the stand-in', () => {
  let world: DesktopWorld
  let desktop: Desktop
  let picture: string

  beforeAll(async () => {
    world = await DesktopWorld.open()
    picture = join(world.dir, 'pictures', 'one.jpg')
    await mkdir(join(world.dir, 'pictures'))
    await copyFile(join(SAMPLES, await jpegName()), picture)
    desktop = await world.start().ready()
    await listen(desktop)
  })
  afterAll(() => world.close())

  describe('its window', () => {
    it('shows the page with everything locked that can be', async () => {
      const [[options]] = (await desktop.calls('new BrowserWindow')) as [[Electron.BrowserWindowConstructorOptions]]
      expect(options.webPreferences).toMatchObject({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
      })
      expect(options.webPreferences?.preload).toMatch(/out\/preload\/index\.cjs$/)
      expect({ minWidth: options.minWidth, minHeight: options.minHeight }).toEqual({ minWidth: 760, minHeight: 520 })
      await until('the window shows', async () => (await desktop.do('window'))?.visible === true)
      expect(await desktop.inPage('document.title')).toMatch(/Hangar/)
    })

    it('says nothing of errors while it comes up', async () => {
      expect(await desktop.calls('pageerror')).toEqual([])
      expect((await desktop.calls('console')).filter(([type]) => type === 'error')).toEqual([])
    })

    it('gives the page the finite list of the contract and nothing else', async () => {
      const facts = await desktop.inPage<Record<string, unknown>>(`({
        bridge: Object.keys(window.hangar).sort(),
        calls: Object.keys(window.hangar.calls),
        frozen: Object.isFrozen(window.hangar) && Object.isFrozen(window.hangar.calls),
        node: ['require', 'process', 'Buffer', 'module', 'electron', 'ipcRenderer', 'standInToMain'].filter((name) => name in window),
      })`)
      expect(facts).toEqual({
        bridge: ['acknowledge', 'calls', 'onMessage', 'placesOf'],
        calls: PAGE_CALL_NAMES,
        frozen: true,
        node: [],
      })
    })

    it('has one handler for each call, and no others', async () => {
      const others = ['hangar:places', 'hangar:listen', 'hangar:acknowledge']
      expect((await desktop.do('channels')).sort()).toEqual([...PAGE_CALL_NAMES.map(callChannel), ...others].sort())
    })
  })

  describe('its page', () => {
    it('comes from its own scheme, with a policy under which text never becomes script', async () => {
      expect(await desktop.calls('loadURL')).toEqual([[PAGE]])
      const page = await desktop.do('fetch', PAGE)
      expect(page.headers['content-security-policy']).toContain("script-src 'self'")
      expect(page.headers['x-content-type-options']).toBe('nosniff')
      const tried = await desktop.inPage<Record<string, unknown>>(`(async () => {
        const tried = {}
        const attempt = async (name, run) => { try { tried[name] = await run() } catch (error) { tried[name] = error.name } }
        await attempt('innerHTML', () => { document.createElement('p').innerHTML = '<b>x</b>'; return 'done' })
        await attempt('inline', () => {
          const script = document.createElement('script')
          script.text = 'window.wasRun = true'
          document.body.append(script)
          return window.wasRun ?? 'not run'
        })
        await attempt('fetch', () => fetch('https://example.com/').then(() => 'done'))
        await attempt('frame', () => new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.onload = () => { try { resolve(frame.contentDocument === null ? 'blocked' : frame.contentDocument.body.innerText || 'empty') } catch (error) { resolve(error.name) } }
          frame.src = '/index.html'
          document.body.append(frame)
          setTimeout(() => resolve('blocked'), 1000)
        }))
        for (const added of document.querySelectorAll('body > script, body > iframe')) added.remove()
        return tried
      })()`)
      expect(tried['innerHTML']).toBe('TypeError')
      expect(tried['inline']).not.toBe(true)
      expect(tried['fetch']).toBe('TypeError')
      expect(['blocked', 'empty', 'SecurityError']).toContain(tried['frame'])
      expect(await desktop.inPage('window.wasRun ?? null')).toBeNull()
    })

    it.each([
      'hangar://app/../package.json',
      'hangar://app/..%2f..%2fpackage.json',
      'hangar://app/%2e%2e/main/index.js',
    ])('does not reach outside its folder by %s', async (url) => {
      expect(await desktop.do('fetch', url)).toMatchObject({ status: 404, base64: '' })
    })

    it('goes nowhere else, opens no window and holds no other page', async () => {
      const before = await desktop.inPage('location.href')
      for (const url of ['https://example.com/', 'file:///etc/passwd', 'http://127.0.0.1:1/'])
        await desktop.inPage(`void (location.href = ${JSON.stringify(url)})`).catch(() => undefined)
      await until('a refusal of the navigation', async () => (await desktop.calls('navigation refused')).length > 0)
      expect(await desktop.inPage('location.href')).toBe(before)
      await desktop.inPage("void window.open('https://example.com/')")
      await until('the window is asked about', async () => (await desktop.calls('window.open')).length > 0)
      expect(await desktop.calls('window.open')).toEqual([['deny']])
      expect(await desktop.do('webview')).toBe(true)
      expect(await desktop.isLoaded()).toBe(true)
    })

    it('may ask the network for nothing, even past its policy', async () => {
      expect(await desktop.do('mayRequest', 'https://example.com/')).toBe(false)
      expect(await desktop.do('mayRequest', 'http://127.0.0.1:80/')).toBe(false)
      expect(await desktop.do('mayRequest', 'file:///etc/passwd')).toBe(false)
      expect(await desktop.do('mayRequest', 'blob:https://example.com/x')).toBe(false)
      expect(await desktop.do('mayRequest', PAGE)).toBe(true)
      expect(await desktop.do('mayRequest', 'blob:hangar://app/x')).toBe(true)
    })

    it('is given no permission but to write plain text to the clipboard', async () => {
      const denied = { requested: false, checked: false, device: false }
      for (const name of [
        'media',
        'geolocation',
        'notifications',
        'clipboard-read',
        'openExternal',
        'hid',
        'fileSystem',
      ])
        expect(await desktop.do('permission', name, 'hangar://app/'), name).toEqual(denied)
      expect(await desktop.do('permission', 'clipboard-sanitized-write', 'https://example.com/')).toEqual(denied)
      expect(await desktop.do('permission', 'clipboard-sanitized-write', 'hangar://app/')).toEqual({
        requested: true,
        checked: true,
        device: false,
      })
    })
  })

  describe('a message', () => {
    const pausedNow = async () => (await desktop.calls('tray.setToolTip')).at(-1)?.[0] === 'Hangar · Paused'
    const changeAndHear = async (retentionDays: number) => {
      await desktop.call('settings.set', { retentionDays })
      await until('it is told', async () => (await snapshot(desktop)).settings.retentionDays === retentionDays)
    }

    it.each([
      ['a frame within the page', { url: PAGE, child: true }],
      ['the web', { url: 'https://example.com/' }],
      ['another page of the scheme', { url: 'hangar://app/picture/1/thumb' }],
    ])('from %s is refused and does nothing', async (_, frame) => {
      for (const name of PAGE_CALL_NAMES)
        expect(await desktop.do('invokeAs', frame, callChannel(name), {}), name).toMatchObject({
          ok: false,
          error: { code: 'bad_request' },
        })
      expect(await desktop.do('invokeAs', frame, 'hangar:places', ['/etc/passwd'])).toMatchObject({ ok: false })
      await desktop.do('sendAs', frame, 'hangar:listen', false)
      // The stream of the real page goes on; what any of these had changed would be told by then.
      await changeAndHear(100 + (await messageCount(desktop)))
      expect(await pausedNow()).toBe(false)
    })

    it('with arguments that are not in the contract is answered as a value and does nothing', async () => {
      const settings = (await snapshot(desktop)).settings
      const strange = fc.oneof(
        fc.constant(null),
        fc.string(),
        fc.double({ noNaN: true }),
        fc.boolean(),
        fc.array(fc.jsonValue()),
      )
      const deep = {
        recipe: { operation: 'rm -rf' },
        ids: [{}],
        tokens: ['short'],
        folder: '/etc',
        inboxDir: '/etc/passwd',
        paths: ['/etc/passwd'],
        id: [],
        name: 7,
      }
      for (const name of PAGE_CALL_NAMES) {
        for (const value of [...fc.sample(strange, 5), undefined]) {
          const result = await desktop.do('invokeAs', { url: PAGE }, callChannel(name), value)
          expect(result, `${name} ${JSON.stringify(value)}`).toMatchObject({
            ok: false,
            error: { code: 'bad_request' },
          })
        }
        if (name.startsWith('intake.add') || name.startsWith('folders.') || name.startsWith('keys.'))
          expect(await desktop.do('invokeAs', { url: PAGE }, callChannel(name), deep), name).toMatchObject({
            ok: false,
          })
      }
      for (const value of [null, 'x', { length: 1 }, [1], ['x'.repeat(40_000)]])
        expect(await desktop.do('invokeAs', { url: PAGE }, 'hangar:places', value)).toMatchObject({ ok: false })
      for (const value of [null, 'x', {}, -1, 1.5, 1e300])
        await desktop.do('sendAs', { url: PAGE }, 'hangar:acknowledge', value)
      await expect(desktop.do('invokeAs', { url: PAGE }, 'hangar:call:no.such', {})).rejects.toThrow(/No handler/)
      const retentionDays = settings.retentionDays + 1
      await changeAndHear(retentionDays)
      expect((await snapshot(desktop)).settings).toEqual({ ...settings, retentionDays })
      expect(await pausedNow()).toBe(false)
    })
  })

  describe('files', () => {
    it('that were dropped become places; what has no path becomes none, and a page cannot name a path', async () => {
      await desktop.do('paths', {
        'one.jpg': picture,
        pictures: join(world.dir, 'pictures'),
        gone: '/no/such',
        odd: 'relative',
      })
      const names = ['one.jpg', 'pictures', 'gone', 'odd', 'from-the-web.png']
      const dropped = await desktop.inPage<Result<{ places: Place[] }>>(
        `window.hangar.placesOf(${JSON.stringify(names)}.map((name) => new File([], name)))`,
      )
      expect(dropped.ok && dropped.value.places.map(({ path, kind }) => ({ path, kind }))).toEqual([
        { path: picture, kind: 'file' },
        { path: join(world.dir, 'pictures'), kind: 'folder' },
      ])
      const named = `window.hangar.placesOf(['/etc/passwd']).then(() => 'taken', (error) => String(error))`
      expect(
        await desktop.inPage(
          `(async () => { try { return await ${named} } catch (error) { return String(error) } })()`,
        ),
      ).toMatch(/not a File/)
    })

    it('that a second start names reach the page of the first, which comes to the front', async () => {
      const shown = (await desktop.calls('window.focus')).length
      const second = world.start({ args: ['one.jpg', 'no-such.jpg'], cwd: join(world.dir, 'pictures') })
      expect(await second.exited).toMatchObject({ code: 0 })
      await until('the page is asked', async () => (await offers(desktop)).some((paths) => paths.includes(picture)))
      expect((await offers(desktop)).at(-1)).toEqual([picture])
      expect((await desktop.calls('window.focus')).length).toBeGreaterThan(shown)
    })

    it('that the system opens with Hangar reach the page too', async () => {
      await desktop.do('emitApp', 'open-file', join(world.dir, 'pictures'))
      await until('the page is asked', async () => (await offers(desktop)).at(-1)?.[0] === join(world.dir, 'pictures'))
    })

    it("are chosen in the system's dialog, from the page and from the menu", async () => {
      await desktop.do('answer', { paths: [picture] })
      const { places } = await desktop.call<{ places: Place[] }>('places.pick', { kind: 'files' })
      expect(places.map(({ path }) => path)).toEqual([picture])
      const count = (await offers(desktop)).length
      await desktop.do('clickMenu', 'File', 'Open pictures…')
      await until('the page is asked', async () => (await offers(desktop)).length > count)
      const [options] = (await desktop.calls('dialog.showOpenDialog')).at(-1) as [Electron.OpenDialogOptions]
      expect(options.properties).toEqual(['openFile', 'multiSelections'])
      await desktop.do('answer', { paths: [] })
      expect(await desktop.call('places.pick', { kind: 'folder' })).toEqual({ places: [] })
    })
  })

  describe('around the window', () => {
    it('the tray pauses and goes on, and says so', async () => {
      await desktop.do('clickTray', 'Pause sending')
      await until(
        'it is paused',
        async () => (await desktop.calls('tray.setToolTip')).at(-1)?.[0] === 'Hangar · Paused',
      )
      await desktop.do('clickMenu', 'File', 'Resume sending')
      await until(
        'it goes on',
        async () => (await desktop.calls('tray.setToolTip')).at(-1)?.[0] === 'Hangar · Nothing to do',
      )
    })

    it('closing leaves it at work in the tray, says so once, and a click brings it back', async () => {
      for (let n = 0; n < 2; n += 1) {
        await desktop.do('close')
        expect(await desktop.do('window')).toMatchObject({ visible: false })
        await desktop.do('clickTrayIcon')
        expect(await desktop.do('window')).toMatchObject({ visible: true })
      }
      const told = (await desktop.calls('notification')).filter(([options]) =>
        /still at work/.test(JSON.stringify(options)),
      )
      expect(told).toHaveLength(1)
      await desktop.do('close')
      await desktop.do('clickNotification')
      expect(await desktop.do('window')).toMatchObject({ visible: true })
    })

    it('theme and language follow the settings', async () => {
      await desktop.call('settings.set', { appearance: { theme: 'dark', language: 'de' } })
      await until('dark', async () => (await desktop.do('theme')).source === 'dark')
      expect((await desktop.calls('window.setBackgroundColor')).at(-1)).toEqual(['#161616'])
      await until(
        'German',
        async () => (await desktop.calls('tray.setToolTip')).at(-1)?.[0] === 'Hangar · Nichts zu tun',
      )
      await desktop.do('clickTray', 'Hangar zeigen')
      await desktop.call('settings.set', { appearance: { theme: 'system', language: 'en' } })
      await until(
        'English',
        async () => (await desktop.calls('tray.setToolTip')).at(-1)?.[0] === 'Hangar · Nothing to do',
      )
    })

    it('the menu presses the shortcuts of the page', async () => {
      await desktop.inPage(
        `void window.addEventListener('keydown', (event) => { window.pressed = event.ctrlKey ? event.key : null }, { capture: true })`,
      )
      await desktop.do('clickMenu', 'File', 'Settings…')
      await until('the page gets the key', async () => (await desktop.inPage('window.pressed ?? null')) === ',')
    })

    it('the menu and the buttons of a mouse go back and forward in the page, and the menu loads it again', async () => {
      await withoutDialog(desktop)
      const at = () => desktop.inPage<string>('location.hash')
      for (const hash of ['#/credits', '#/settings']) {
        await desktop.inPage(`void (location.hash = '${hash}')`)
        await until(`it is at ${hash}`, async () => (await at()) === hash)
      }
      const steps: [string, () => Promise<unknown>, string][] = [
        ['back', () => desktop.do('clickMenu', 'View', 'Back'), '#/credits'],
        ['forward', () => desktop.do('clickMenu', 'View', 'Forward'), '#/settings'],
        ['back by mouse', () => desktop.do('emitWindow', 'app-command', 'browser-backward'), '#/credits'],
        ['forward by mouse', () => desktop.do('emitWindow', 'app-command', 'browser-forward'), '#/settings'],
      ]
      for (const [what, go, hash] of steps) {
        await go()
        await until(what, async () => (await at()) === hash)
      }
      await desktop.inPage('void (window.isOld = true)')
      await desktop.do('clickMenu', 'View', 'Reload')
      await until(
        'it is loaded again',
        async () => (await desktop.inPage('window.isOld ?? null').catch(() => true)) === null,
      )
      await until('the page is there', () => desktop.isLoaded())
      expect(await at()).toBe('#/settings')
      await listen(desktop)
    })

    it('a right click offers to cut, copy and paste where text is typed, and nothing where there is none', async () => {
      const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true } as Electron.EditFlags
      const common = { editFlags, dictionarySuggestions: [], selectionText: '' }
      await desktop.do('contextMenu', { ...common, isEditable: false })
      expect(await desktop.calls('menu.popup')).toEqual([])
      await desktop.do('contextMenu', { ...common, isEditable: true })
      await desktop.do('contextMenu', { ...common, isEditable: false, selectionText: 'words' })
      const roles = (await desktop.calls('menu.popup')).map(([items]) =>
        (items as Electron.MenuItemConstructorOptions[]).map((item) => item.role).filter((role) => role !== undefined),
      )
      expect(roles).toEqual([['cut', 'copy', 'paste', 'selectAll'], ['copy']])
    })

    it('start at login is written for the session and taken away again', async () => {
      const entry = join(world.dir, '.config', 'autostart', 'hangar.desktop')
      await desktop.call('settings.set', { startAtLogin: true })
      expect(await readFile(entry, 'utf8')).toMatch(/^Exec=.*"--hidden"$/m)
      await desktop.call('settings.set', { startAtLogin: false })
      expect(existsSync(entry)).toBe(false)
    })

    it('sleep and waking are noticed', async () => {
      await desktop.do('emitPower', 'suspend')
      await desktop.do('emitPower', 'resume')
      const { lines } = await desktop.call<{ lines: { text: string }[] }>('log.read', { afterSeq: 0 })
      expect(lines.some(({ text }) => text.includes('woke up'))).toBe(true)
    })

    it('children know nothing of the environment that they need not', async () => {
      const forks = (await desktop.calls('utilityProcess.fork')) as [{ serviceName: string; env: string[] }][]
      expect(forks.map(([{ serviceName }]) => serviceName)).toEqual(
        expect.arrayContaining(['Hangar keychain-probe', 'Hangar practice']),
      )
      for (const [{ env }] of forks) expect(env.filter((name) => /HANGAR|STAND_IN|PROXY|NODE/.test(name))).toEqual([])
    })
  })

  it('processes the sample pictures from the first call to files beside the originals', async () => {
    const { batchId, place } = await desktop.call<{ batchId: string; place: Place }>('intake.samples', {})
    const names = (await readdir(SAMPLES)).filter((name) => /\.(jpe?g|png|gif|webp)$/.test(name))
    let rows: JobRow[] = []
    await until('every sample ends', async () => {
      rows = await rowsOf(desktop, batchId)
      return rows.length === names.length && rows.every(({ state }) => ['done', 'skipped', 'failed'].includes(state))
    })
    expect(rows.map(({ name, state, reason: why }) => `${name} ${state} ${why?.code ?? ''}`.trim()).sort()).toEqual(
      names.map((name) => `${name} done`).sort(),
    )
    const files = await readdir(place.path)
    for (const name of names) expect(files).toContain(`${name}.alt.json`)

    const [row] = rows as [JobRow]
    const size = await desktop.inPage(`new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = () => resolve(image.naturalWidth)
      image.onerror = () => reject(new Error('not shown'))
      image.src = '/picture/${row.id}/thumb?v=${row.updatedAtMs}'
    })`)
    expect(size).toBeGreaterThan(0)
    const original = await desktop.do('fetch', `hangar://app/download/${row.id}/original`)
    expect(Buffer.from(original.base64, 'base64')).toEqual(await readFile(join(place.path, row.name)))

    await desktop.call('outputs.reveal', { id: row.id, index: 0 })
    await desktop.call('outputs.drag', { items: [{ id: row.id, index: null }] })
    expect(await desktop.calls('shell.showItemInFolder')).toHaveLength(1)
    expect(await desktop.calls('webContents.startDrag')).toEqual([
      [{ file: join(place.path, row.name), files: [join(place.path, row.name)] }],
    ])
    const progress = (await desktop.calls('window.setProgressBar')).map(([share]) => share as number)
    expect(progress.some((share) => share > 0 && share < 1)).toBe(true)
    await until('the progress is over', async () => (await desktop.calls('window.setProgressBar')).at(-1)?.[0] === -1)
    expect(await desktop.calls('powerSaveBlocker.start')).not.toHaveLength(0)
    await until(
      'sleep is allowed again',
      async () =>
        (await desktop.calls('powerSaveBlocker.stop')).length ===
        (await desktop.calls('powerSaveBlocker.start')).length,
    )
    await until('a notification', async () => JSON.stringify(await desktop.calls('notification')).includes('done'))

    await withoutDialog(desktop)
    await desktop.inPage(`void Object.assign(window, { isOld: true }, { location: '#/settings' })`)
    await until('it is elsewhere', async () => (await desktop.inPage('location.hash')) === '#/settings')
    await desktop.do('close')
    await desktop.do('clickNotification')
    await until('its list is there', async () => (await desktop.inPage('location.hash')) === '#/jobs?states=done')
    expect(await desktop.do('window')).toMatchObject({ visible: true })
    // The page is the same, with what is typed in it.
    expect(await desktop.inPage('window.isOld ?? null')).toBe(true)
  })

  it('loads a page that crashed again with a fresh snapshot, and asks when it goes on crashing', async () => {
    const reloads = async () => (await desktop.calls('webContents.reload')).length
    const before = await reloads()
    const questions = async () => (await desktop.calls('dialog.showMessageBox')).length
    await desktop.do('answer', { button: 0 })
    let crashes = 0
    // More than three in a minute; on a busy machine it takes more of them until three are within one.
    while ((await questions()) === 0) {
      crashes += 1
      await desktop.do('crash')
      await until('it is loaded again', async () => (await reloads()) === before + crashes)
      await until('the page is there', () => desktop.isLoaded())
      await listen(desktop)
      await until('a snapshot', async () => (await messages(desktop))[0]?.type === 'snapshot')
    }
    expect(crashes).toBeGreaterThan(3)
    expect(await questions()).toBe(1)
  })

  it('remembers where its window was, quits when asked, and comes back there', async () => {
    await desktop.do('move', { x: 140, y: 120, width: 900, height: 640 })
    const { code, calls } = await desktop.quit()
    expect(code).toBe(0)
    expect(calls.filter(({ what }) => what === 'app.exit')).toEqual([{ what: 'app.exit', args: [0] }])
    desktop = await world.start().ready()
    expect((await desktop.do('window'))?.bounds).toEqual({ x: 140, y: 120, width: 900, height: 640 })
    // As the system asks a program to end.
    desktop.process.kill('SIGTERM')
    expect(await desktop.exited).toMatchObject({ code: 0 })
  })
})

/** Leaves the first choice for later, if the page asks for it. */
async function withoutDialog(desktop: Desktop): Promise<void> {
  await desktop.call('settings.set', { firstRunDone: true })
  await until('no dialog is open', () =>
    desktop.inPage<boolean>(
      `!document.querySelector('dialog')?.querySelector('.dialog-foot button')?.click() && document.querySelector('dialog') === null`,
    ),
  )
}

async function jpegName(): Promise<string> {
  const name = (await readdir(SAMPLES)).find((candidate) => candidate.endsWith('.jpg'))
  if (name === undefined) throw new Error('no sample is a JPEG')
  return name
}

/** Listens in the page as the page itself does. */
async function listen(desktop: Desktop): Promise<void> {
  await desktop.inPage(`void (() => {
    window.heard = []
    window.hangar.onMessage((message) => {
      window.heard.push(message)
      window.hangar.acknowledge(message.seq)
    })
  })()`)
  await until('a first message', async () => (await messageCount(desktop)) > 0)
}

const messages = (desktop: Desktop) => desktop.inPage<UiMessage[]>('window.heard')
const messageCount = (desktop: Desktop) => desktop.inPage<number>('window.heard.length')

async function offers(desktop: Desktop): Promise<string[][]> {
  const notices = (await messages(desktop)).flatMap((message) => (message.type === 'delta' ? message.notices : []))
  return notices.flatMap((notice) => (notice.kind === 'offer' ? [notice.places.map(({ path }) => path)] : []))
}

/** The state as the page has it by now. */
async function snapshot(desktop: Desktop) {
  const heard = await messages(desktop)
  const first = heard.findLastIndex((message) => message.type === 'snapshot')
  let state = (heard[first] as Extract<UiMessage, { type: 'snapshot' }>).state
  for (const message of heard.slice(first + 1)) state = { ...state, ...(message.state as typeof state) }
  return state
}

async function rowsOf(desktop: Desktop, batchId: string): Promise<JobRow[]> {
  const { sections } = await desktop.call<{ sections: { ids: string[] }[] }>('jobs.index', { filter: { batchId } })
  const ids = sections.flatMap((section) => section.ids)
  return (await desktop.call<{ rows: JobRow[] }>('jobs.rows', { ids })).rows
}
