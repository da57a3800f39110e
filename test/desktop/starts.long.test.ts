import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { KeyStatus } from '../../src/shared/contract/keys.ts'
import { lockDataFolder } from '../../src/main/journal/data-folder.ts'
import { describeWith, itWith } from '../needs.ts'
import { OddService } from '../odd-service.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const SAMPLE = join(ROOT, 'resources/samples/red-hangar.jpg')

let world: DesktopWorld
const openWorld = async (...args: Parameters<typeof DesktopWorld.open>) => (world = await DesktopWorld.open(...args))
afterEach(() => world.close())

const previewed = (app: DesktopApp) => app.page<string>("document.querySelector('dialog')?.textContent ?? ''")

describeWith(REAL_ELECTRON)('files that the system hands over', () => {
  let picture: string
  beforeEach(async () => {
    await openWorld()
    await mkdir(join(world.dir, 'Bilder'))
    picture = join(world.dir, 'Bilder/röter Hangar 100%.jpg')
    await copyFile(SAMPLE, picture)
  })

  it('are previewed at the first start, as path or address', async () => {
    const app = await world.start({ args: [pathToFileURL(picture).href] }).ready()
    await expect.poll(() => previewed(app)).toContain('Process 1 picture')
  })

  it('are previewed in the window that is there, whatever their names', async () => {
    const app = await world.start().ready()
    const second = world.start({ args: ['--hidden', pathToFileURL(picture).href], inspected: false })
    expect(await second.exited).toEqual({ code: 0, signal: null })
    await expect.poll(() => previewed(app)).toContain('Process 1 picture')
    expect(await app.log()).not.toContain('"level":"error"')
  })

  it('are named when they are not there', async () => {
    const app = await world.start({ args: [join(world.dir, 'gone.jpg'), 'file:///nowhere/weg.jpg'] }).ready()
    await expect.poll(() => app.page('document.body.textContent')).toMatch(/gone\.jpg.*weg\.jpg.* are not there/)
  })
})

describeWith(REAL_ELECTRON)('a desktop without a place for a tray', () => {
  beforeEach(() => openWorld({ trayHost: false }))

  it('or even a bus has Hangar end when its window is closed, and say at once that no keychain is there', async () => {
    const app = await world.start({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } }).ready()
    await app.call('settings.set', { imageBaseUrl: 'https://images.hangar.invalid/api/v1' })
    const { because } = await app.call<KeyStatus>('keys.status', { name: 'image' })
    expect(because).not.toBe('silent')
    // It may end before it has answered.
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close()).catch(() => undefined)
    await app.letGo()
    expect(await app.exited).toEqual({ code: 0, signal: null })
  })

  it('has it minimized instead while pictures are under way', async () => {
    const service = await OddService.open()
    onTestFinished(() => service.close())
    const answered = Promise.withResolvers<boolean>()
    service.onDispatch = () => answered.promise
    const app = await world.start({ env: { HANGAR_SERVICE_URL: service.baseUrl, HANGAR_API_KEY: 'a-key' } }).ready()
    const folder = join(world.dir, 'pictures')
    await mkdir(folder)
    await copyFile(SAMPLE, join(folder, 'one.jpg'))
    const { recipe } = (await app.state()).settings
    await app.call('intake.add', { paths: [await app.pick(folder)], recipe, confirmed: true })
    await until('it is being sent', () => service.count('POST') > 0)
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
    await expect.poll(() => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isMinimized())).toBe(true)
    answered.resolve(false)
  })
})

describeWith(REAL_ELECTRON)('a start that fails', () => {
  beforeEach(() => openWorld())

  it('because another Hangar has its data folder says so, and ends with 1', async () => {
    await mkdir(world.dataDir, { mode: 0o700 })
    const lock = lockDataFolder(world.dataDir)
    const app = world.start({ inspected: false })
    const box = () => world.desktop.xdotool('search', '--onlyvisible', '--name', 'Hangar cannot start')
    await expect.poll(box).toMatch(/^\d+/)
    await world.desktop.press('Return', 'Hangar cannot start', () => app.hasEnded)
    expect(await app.exited).toEqual({ code: 1, signal: null })
    expect(app.stderr).toMatch(/Another Hangar|data_folder_in_use/)
    lock.release()
  })

  it('says why in a box, and ends by a signal while that is open', async () => {
    await writeFile(world.dataDir, 'a file in the place of the data folder')
    const app = world.start({ inspected: false })
    const title = () => world.desktop.run('xdotool', ['search', '--name', 'Hangar cannot start'])
    await expect.poll(title).toMatch(/^\d+/)
    app.process.kill('SIGTERM')
    await app.exited
  })
})

/** Hangar's main process, in an Electron that never tells of a first drawing. */
const UNTOLD = `
import { BrowserWindow } from 'electron'
const { once } = BrowserWindow.prototype
BrowserWindow.prototype.once = function (name, listener) {
  return name === 'ready-to-show' ? this : once.call(this, name, listener)
}
await import(${JSON.stringify(pathToFileURL(join(ROOT, 'out/main/index.js')).href)})
`

/** Hangar's main process, which reads what is behind its window from a slow disk. */
const SLOW = `
import { register } from 'node:module'
const pause = 'new Promise((done) => setTimeout(done, url.includes("start-desktop") ? 2000 : 0))'
const load = 'export const load = async (url, context, next) => (await ' + pause + ', next(url, context))'
register('data:text/javascript,' + encodeURIComponent(load))
await import(${JSON.stringify(pathToFileURL(join(ROOT, 'out/main/index.js')).href)})
`

describeWith(REAL_ELECTRON)('a window', () => {
  beforeEach(() => openWorld())

  it.each([
    ['of which no first drawing is told', UNTOLD],
    ['whose page asks before there is what answers it', SLOW],
  ])('%s is shown all the same', async (_, main) => {
    const folder = join(world.dir, 'wrapped')
    await mkdir(join(folder, 'out/main'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module", "main": "out/main/index.js" }')
    await writeFile(join(folder, 'out/main/index.js'), main)
    const app = await world.start({ app: folder }).ready()
    expect(await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())).toBe(true)
    await expect.poll(() => app.page("document.querySelector('nav') !== null")).toBe(true)
  })
})

itWith(REAL_ELECTRON)('a screen smaller than the window holds all of it', async () => {
  await openWorld({ size: [700, 450] })
  const app = await world.start().ready()
  const fits = () =>
    app.main(({ BrowserWindow, screen }) => {
      const { width, height } = BrowserWindow.getAllWindows()[0]!.getBounds()
      const { workArea } = screen.getPrimaryDisplay()
      return width <= workArea.width && height <= workArea.height
    })
  await expect.poll(fits).toBe(true)
})
