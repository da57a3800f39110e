import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'

/** Does something in the page, and notes there when these words stand in it, though it be for a moment. */
const afterDoing = (act: string, words: string) => `void (() => {
  window.told = false
  ;(${act})
  clearInterval(window.looking)
  window.looking = setInterval(() => {
    if (!document.body.textContent.includes(${JSON.stringify(words)})) return
    clearInterval(window.looking)
    window.told = true
  }, 20)
})()`
const press = (name: RegExp) =>
  `[...document.querySelectorAll('button')].find((one) => ${String(name)}.test(one.textContent)).click()`

describeWith(REAL_ELECTRON)('a window behind which nothing answers', () => {
  let world: DesktopWorld
  let app: DesktopApp
  const told = () => app.page<boolean>('window.told')

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
  })
  afterAll(() => world.close())

  it('says so where the network cannot be used, and the log has why', async () => {
    await app.main(() => {
      const net = process.getBuiltinModule('node:net')
      net.connect = () => {
        throw new TypeError('net.connect is not what it was')
      }
      process.getBuiltinModule('node:module').syncBuiltinESMExports()
    })
    await app.page(afterDoing(press(/^Try samples/), 'Not reachable'))
    await expect.poll(told).toBe(true)
    expect(await app.log()).toContain('net.connect is not what it was')
  })

  it('says so where its bridge is missing', async () => {
    const said = await app.main(async ({ BrowserWindow }) => {
      const bare = new BrowserWindow({ show: false, webPreferences: { sandbox: true } })
      await bare.loadURL('hangar://app/index.html')
      const words = (await bare.webContents.executeJavaScript(`new Promise((say) => {
        const looking = setInterval(() => {
          const shown = document.querySelector('.not-loaded.now')
          if (shown !== null) { clearInterval(looking); say(shown.textContent) }
        }, 20)
      })`)) as string
      bare.destroy()
      return words
    })
    expect(said).toMatch(/^Hangar could not be loaded\. .*start it again/)
  })

  it('has in its log what its preload and its page failed with', async () => {
    const preload = join(world.dir, 'broken.cjs')
    await writeFile(preload, "throw new Error('the bridge broke')")
    await app.main(({ BrowserWindow, session }, path: string) => {
      ;(session.defaultSession as never as { setPreloads(paths: string[]): void }).setPreloads([path])
      BrowserWindow.getAllWindows()[0]!.webContents.reload()
    }, preload)
    await expect.poll(() => app.log()).toContain('the bridge broke')
    await app.ready()
    await app.main(({ BrowserWindow }) => {
      // An Electron older than Hangar's own has these as arguments, not as members of the event.
      BrowserWindow.getAllWindows()[0]!.webContents.prependListener(
        'console-message',
        (details, level: number, message: string) => {
          if (!('level' in details)) Object.assign(details, { level: level === 3 ? 'error' : 'info', message })
        },
      )
    })
    await app.page("void console.error('a part of the page broke')")
    await expect.poll(() => app.log()).toContain('a part of the page broke')
  })
})
