import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, need, programs } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const PICTURE = join(ROOT, 'resources/samples/red-hangar.jpg')
/** As people, and people who mean harm, name their files; the last two differ in how an umlaut is written. */
const NAMES = [
  'two\nlines.jpg',
  '--pause.jpg',
  `it's "so" $(touch pwned) 100%.jpg`,
  '*.jpg',
  '%F %u.jpg',
  ' a  b;c&d.jpg',
  'röter.jpg'.normalize('NFC'),
  'röter.jpg'.normalize('NFD'),
]
const ACTION = `<?xml version="1.0" encoding="UTF-8"?>
<actions><action><icon>utilities-terminal</icon><name>Mine</name><unique-id>1-1</unique-id><command>true %F</command>
<description>of another</description><patterns>*</patterns><image-files/></action></actions>
`
const ATSPI = need(
  'AT-SPI for Python',
  ['/usr/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].some((folder) =>
    existsSync(join(folder, 'girepository-1.0/Atspi-2.0.typelib')),
  ) && existsSync('/usr/libexec/at-spi-bus-launcher'),
)

describeWith(
  REAL_ELECTRON,
  programs('thunar'),
  ATSPI,
)('the entry in Thunar', () => {
  let world: DesktopWorld
  let app: DesktopApp
  let thunar: ReturnType<typeof spawn> | null = null
  const actions = () => join(world.dir, '.config/Thunar/uca.xml')
  const sendTo = () => join(world.dir, '.local/share/Thunar/sendto')

  beforeAll(async () => {
    world = await DesktopWorld.open()
    await mkdir(join(world.dir, '.config/Thunar'), { recursive: true })
    await writeFile(actions(), ACTION)
    app = await world.start().ready()
    await app.page("void (location.hash = '#/settings/notices')")
    await app.click('.settings-row button', 'Add to')
    const text = () => app.page<string>('document.body.textContent')
    await until('the entry is there', async () => /It is in .*Thunar\./.test(await text()))
  })
  afterAll(async () => {
    if (thunar !== null && thunar.kill('SIGKILL')) await once(thunar, 'exit')
    await world.close()
  })

  const dialog = () => app.page<string>("document.querySelector('dialog')?.textContent ?? ''")
  const menus = (...wanted: string[]) =>
    world.desktop.run('/usr/bin/python3', [join(import.meta.dirname, 'menus.py'), 'thunar', ...wanted])
  const items = async () => JSON.parse((await menus()) || '[]') as string[]

  /** Opens a folder in Thunar, selects all that is in it, and opens its "Send To" menu. */
  async function openSendTo(folder: string, name: string): Promise<string[]> {
    const env = {
      ...world.desktop.env,
      HOME: world.dir,
      HANGAR_DATA_DIR: world.dataDir,
      HANGAR_TEST_APP: ROOT,
      // Root has to say so, and the entry is that of a person.
      ...(process.getuid!() === 0 ? { ELECTRON_DISABLE_SANDBOX: '1' } : {}),
    }
    const started = spawn('thunar', [folder], { env, stdio: 'ignore' })
    thunar ??= started
    const windows = ['search', '--onlyvisible', '--name', `^${name} - Thunar$`]
    await until(
      'the menu is open',
      async () => {
        if ((await items()).includes('Send To')) return true
        if ((await world.desktop.xdotool(...windows)) === '') return false
        await world.desktop.xdotool(...windows, 'windowactivate', '--sync')
        // On their own: keys with modifiers do not reach a window that they are sent to.
        await world.desktop.xdotool('key', 'Escape', 'ctrl+a', 'shift+F10')
        return false
      },
      { pause: () => delay(1000) },
    )
    const before = await items()
    await menus('Send To')
    await until('"Send To" is open', async () => (await items()).length > before.length)
    return (await items()).filter((item) => !before.includes(item))
  }

  it('takes all that is selected into one preview with its price, whatever its names, and starts nothing', async () => {
    const folder = join(world.dir, 'pictures')
    await mkdir(folder)
    // Each another picture, or the preview would count them as one.
    for (const [n, name] of NAMES.entries()) {
      await copyFile(PICTURE, join(folder, name))
      await writeFile(join(folder, name), String(n), { flag: 'a' })
    }
    expect(await openSendTo(folder, 'pictures')).toContain('Hangar')
    await menus('Hangar')
    await expect.poll(dialog).toMatch(new RegExp(`Process ${NAMES.length} pictures · \\d+ credits`))
    expect(await app.counts()).toMatchObject({ ready: 0, sending: 0, waiting: 0, done: 0 })
    expect((await app.state()).settings.paused).toBe(false)
    expect((await readdir(folder)).toSorted()).toEqual(NAMES.toSorted())
    await app.click('dialog .dialog-head button')
    await expect.poll(dialog).toBe('')
  })

  it('is not offered for what Hangar does not take', async () => {
    const folder = join(world.dir, 'letters')
    await mkdir(folder)
    await writeFile(join(folder, 'letter.txt'), 'Dear Ada,\n')
    const offered = await openSendTo(folder, 'letters')
    expect(offered).toEqual(expect.arrayContaining([expect.stringMatching(/^Desktop/)]))
    expect(offered).not.toContain('Hangar')
  })

  it("is taken away, and a person's own actions were never touched", async () => {
    await app.click('.settings-row button', 'Remove')
    await expect.poll(() => readdir(sendTo())).toEqual([])
    expect(await readFile(actions(), 'utf8')).toBe(ACTION)
  })
})
