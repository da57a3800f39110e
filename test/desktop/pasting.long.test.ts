import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const PICTURE = join(ROOT, 'resources/samples/red-hangar.jpg')
const BITMAP = join(ROOT, 'resources/icons/icon.png')

describeWith(REAL_ELECTRON)('Ctrl+V in the window', () => {
  let world: DesktopWorld
  let app: DesktopApp

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
  })
  afterAll(() => world.close())

  const dialog = () => app.page<string>("document.querySelector('dialog')?.textContent ?? ''")
  /** Pastes until something comes of it: what is typed before the window listens is lost. */
  const paste = (what: string, comes: () => Promise<boolean>) =>
    until(what, async () => {
      await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.focus())
      await world.desktop.xdotool('key', 'ctrl+v')
      return until(what, comes, { patienceMs: 20_000 }).then(
        () => true,
        () => false,
      )
    })
  const nothingBegan = async () =>
    expect(await app.counts()).toMatchObject({ ready: 0, sending: 0, waiting: 0, held: 0, done: 0 })

  it('shows the preview of files and folders that were copied in a file manager', async () => {
    const folder = join(world.dir, 'of a friend')
    await mkdir(join(folder, 'more'), { recursive: true })
    const file = join(folder, `it's 100%.jpg`)
    await copyFile(PICTURE, file)
    await copyFile(join(ROOT, 'resources/samples/club-badge.png'), join(folder, 'more', 'a.png'))
    const list = [file, join(folder, 'more')].map((path) => `${pathToFileURL(path).href}\r\n`).join('')
    await world.desktop.copy('text/uri-list', Buffer.from(list))
    await paste('the preview is there', async () => (await dialog()).includes('Process 2 pictures'))
    await nothingBegan()
    await app.click('dialog .dialog-head button')
    await expect.poll(dialog).toBe('')
    expect(await readdir(folder)).toEqual([`it's 100%.jpg`, 'more'])
  })

  it('says that a picture which is no file has to be one first', async () => {
    await world.desktop.copy('image/png', await readFile(BITMAP))
    const said = () => app.page<boolean>("document.body.textContent.includes('What you copied is not a file yet.')")
    await paste('it is said', said)
    await nothingBegan()
  })

  it('in a text field pastes text, and nothing of a picture', async () => {
    await app.page(`void (() => {
      const field = Object.assign(document.createElement('input'), { id: 'typed' })
      document.body.append(field)
      field.focus()
      window.pasted = 0
      field.addEventListener('paste', () => (window.pasted += 1))
    })()`)
    await paste('the field gets it', () => app.page('window.pasted > 0'))
    await world.desktop.copy('UTF8_STRING', Buffer.from('harbour'))
    await paste('the field has it', () => app.page("document.querySelector('#typed').value === 'harbour'"))
    expect(await dialog()).toBe('')
  })
})
