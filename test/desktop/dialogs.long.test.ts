import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/shared/contract/calls.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { ROOT } from './runtime/runtime-place.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'

describeWith(REAL_ELECTRON)('a box of the system', () => {
  let world: DesktopWorld
  let app: DesktopApp
  let folder: string

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
    folder = join(world.dir, 'Exports')
    await mkdir(folder)
  })
  afterAll(() => world.close())

  /** Has the page save a text, and resolves when the box asks where to; a key then answers it. */
  async function save(filename: string): Promise<{ savedAs(key: string): Promise<string | null> }> {
    const request = JSON.stringify({ filename, text: 'a,b\n' })
    await app.page(
      `void (window.saved = undefined, window.hangar.calls['places.saveText'](${request}).then(({ value }) => (window.saved = value)))`,
    )
    const box = ['search', '--onlyvisible', '--name', '^Save as$']
    await until('the box is there', () =>
      world.desktop.xdotool(...box).then(
        (found) => found.trim() !== '',
        () => false,
      ),
    )
    await world.desktop.xdotool(...box, 'windowfocus', '--sync')
    return {
      async savedAs(key) {
        // Once: a second Escape, pressed while the first box closes, would answer the next one.
        await world.desktop.xdotool('key', key)
        await until('the box is answered', () => app.page('window.saved !== undefined'))
        return app.page<string | null>('window.saved.savedAs')
      },
    }
  }

  it('that is cancelled saves nothing, and says so', async () => {
    const box = await save('cancelled.csv')
    expect(await box.savedAs('Escape')).toBe(null)
    expect(await readdir(folder)).toEqual([])
  })

  it('saves where it is told to, and begins there the next time', async () => {
    const first = await save('one.csv')
    // Three times: the first may come before the field has the focus.
    await world.desktop.xdotool('key', '--delay', '300', ...Array<string>(3).fill('ctrl+a'))
    await world.desktop.xdotool('type', join(folder, 'first.csv'))
    expect(await first.savedAs('Return')).toBe('first.csv')
    expect(await readFile(join(folder, 'first.csv'), 'utf8')).toBe('a,b\n')
    const second = await save('two.csv')
    expect(await second.savedAs('Return')).toBe('two.csv')
    expect((await readdir(folder)).toSorted()).toEqual(['first.csv', 'two.csv'])
  })

  it('for pictures or folders begins where one of its kind was last, unless that is gone', async () => {
    const shots = join(world.dir, 'Shots/Monday')
    await mkdir(shots, { recursive: true })
    await app.main(({ dialog }, path: string) => {
      const began: unknown[] = []
      Object.assign(globalThis, { began })
      const chosen: unknown[] = []
      Object.assign(globalThis, { chosen })
      dialog.showOpenDialog = ((_: unknown, { defaultPath, properties }: Electron.OpenDialogOptions) => {
        began.push(defaultPath ?? null)
        chosen.push(properties)
        // The second time a person changes their mind.
        const canceled = began.length === 2
        return Promise.resolve({ canceled, filePaths: canceled ? [] : [path] })
      }) as never
    }, shots)
    const counts: number[] = []
    for (const kind of ['folder', 'files', 'folder'])
      counts.push((await app.call<{ places: unknown[] }>('places.pick', { kind })).places.length)
    expect(counts).toEqual([1, 0, 1])
    expect(await app.main(() => (globalThis as never as { chosen: string[][] }).chosen[1])).toEqual([
      'openFile',
      'multiSelections',
    ])
    await rm(join(world.dir, 'Shots'), { recursive: true })
    await app.call('places.pick', { kind: 'folder' })
    expect(await app.main(() => (globalThis as never as { began: unknown[] }).began)).toEqual([
      null,
      null,
      join(world.dir, 'Shots'),
      null,
    ])
  })

  it('is not needed for a folder that was opened before, until that is gone', async () => {
    const shoot = join(world.dir, 'Tom & Jerry')
    await mkdir(shoot)
    await copyFile(join(ROOT, 'resources/samples/red-hangar.jpg'), join(shoot, 'a.jpg'))
    await app.main(({ dialog }, path: string) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
    }, shoot)
    /** Chooses one of the recent folders in the menu, as many as there are. */
    const menu = (choose: number | null) =>
      app.main(({ Menu }, n: number | null) => {
        const file = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&File')!
        const recent = file.submenu!.items.find(({ label }) => label === 'Recent folders')!
        const items = recent.submenu!.items.filter(({ type }) => type !== 'separator')
        if (n !== null) (items.at(n)!.click as () => void)()
        return { enabled: recent.enabled, labels: items.map(({ label }) => label) }
      }, choose)
    const shown = (text: string) =>
      until(`"${text}" is shown`, () => app.page(`document.body.innerText.includes(${JSON.stringify(text)})`))
    const offered = () => app.page<string | undefined>("document.querySelector('dialog h2')?.textContent")
    expect(await menu(null)).toEqual({ enabled: false, labels: ['Clear list'] })
    await app.main(({ Menu }) => {
      const file = Menu.getApplicationMenu()!.items.find(({ label }) => label === '&File')!
      ;(file.submenu!.items.find(({ label }) => label === 'Open folder…')!.click as () => void)()
    })
    await until('the folder is offered', async () => (await offered()) === 'Tom & Jerry')
    await until('the menu has it', async () => (await menu(null)).labels[0] === `${world.dir}/Tom && Jerry`)
    expect(JSON.parse(await readFile(join(app.dataDir, 'recent.json'), 'utf8'))).toEqual([shoot])
    const close = async () => {
      await app.click('dialog .dialog-head button')
      await until('the preview is closed', async () => (await offered()) === undefined)
    }
    await close()
    await menu(0)
    await until('the folder is offered again', async () => (await offered()) === 'Tom & Jerry')
    expect((await app.state()).counts.ready).toBe(0)
    await close()
    await app.click('button', 'Recent folders')
    await app.click('[role=menuitem]', 'Tom & Jerry')
    await until('the folder is offered by the window', async () => (await offered()) === 'Tom & Jerry')
    await close()
    await rm(shoot, { recursive: true })
    await menu(0)
    await shown('Tom & Jerry is not there.')
    await until('the menu has no more', async () => !(await menu(null)).enabled)
    expect(await readFile(join(app.dataDir, 'recent.json'), 'utf8')).toBe('[]\n')
    expect((await app.state()).app.recent).toEqual([])
  })

  it('for a file of texts takes one that is larger than a message', async () => {
    await app.call('intake.samples')
    await until('a sample is done', async () => (await app.counts()).done > 0)
    const { sections } = await app.call<PageResponse<'jobs.index'>>('jobs.index', { filter: { states: ['done'] } })
    const id = sections[0]!.ids[0]!
    const { row, texts } = await app.call<PageResponse<'jobs.detail'>>('jobs.detail', { id })
    const { languageCode } = texts[0]!
    const file = join(world.dir, 'texts.csv')
    const others = Array.from({ length: 600 }, (_, n) => `/elsewhere,${n}.jpg,${'x'.repeat(9900)}`)
    const header = `folder,file,alt_${languageCode}`
    await writeFile(file, [header, ...others, `${row.dir},${row.name},A red hangar`].join('\n'))
    // The box is Chromium's own; a person's choice in it is made here.
    await app.main(async ({ BrowserWindow }, path: string) => {
      const { debugger: chromium } = BrowserWindow.getAllWindows()[0]!.webContents
      chromium.attach()
      chromium.on('message', (_event, method, { backendNodeId }: { backendNodeId: number }) => {
        if (method !== 'Page.fileChooserOpened') return
        chromium.sendCommand('DOM.setFileInputFiles', { files: [path], backendNodeId }).catch(() => undefined)
      })
      await chromium.sendCommand('Page.enable')
      await chromium.sendCommand('DOM.enable')
      await chromium.sendCommand('Page.setInterceptFileChooserDialog', { enabled: true })
    }, file)
    await app.page("void (location.hash = '#/jobs')")
    await app.click('button', 'Add')
    await app.click('[role=menuitem]', 'Texts from a file…')
    await app.click('dialog button', 'Change 1 text')
    const alt = async () =>
      (await app.call<PageResponse<'jobs.detail'>>('jobs.detail', { id })).texts.find(
        (text) => text.languageCode === languageCode,
      )!.altText
    await until('the text is changed', async () => (await alt()) === 'A red hangar')
  })

  it('is not needed to read the licences: the menu opens them as one text', async () => {
    const path = await app.main(
      ({ Menu, shell }) =>
        new Promise<string>((opened) => {
          shell.openPath = (file) => {
            opened(file)
            return Promise.resolve('')
          }
          const help = Menu.getApplicationMenu()!.items.find(({ role }) => role === 'help')!
          const licences = help.submenu!.items.find(({ label }) => label === 'Licences')!
          ;(licences.click as () => void)()
        }),
    )
    const text = await readFile(path, 'utf8')
    for (const part of ['The Hangar authors', 'react', 'undici', 'fastify']) expect(text).toContain(part)
  })
})
