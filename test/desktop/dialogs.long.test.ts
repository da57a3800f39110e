import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
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

  it('saves where it is told to', async () => {
    const first = await save('one.csv')
    // Three times: the first may come before the field has the focus.
    await world.desktop.xdotool('key', '--delay', '300', ...Array<string>(3).fill('ctrl+a'))
    await world.desktop.xdotool('type', join(folder, 'first.csv'))
    expect(await first.savedAs('Return')).toBe('first.csv')
    expect(await readFile(join(folder, 'first.csv'), 'utf8')).toBe('a,b\n')
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
