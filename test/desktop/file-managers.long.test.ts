import { execFile } from 'node:child_process'
import { copyFile, mkdir, writeFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { itWith } from '../needs.ts'
import { DesktopWorld, REAL_ELECTRON } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const PICTURE = join(ROOT, 'resources/samples/red-hangar.jpg')
const NAMES = ['two\nlines.jpg', '--pause.jpg', `it's "so" $(touch pwned) 100%.jpg`, '*.jpg']

itWith(REAL_ELECTRON)(
  'a file manager gets its entry from the settings, and all that is selected in it comes into one preview',
  async () => {
    const world = await DesktopWorld.open()
    onTestFinished(() => world.close())
    const bin = join(world.dir, 'bin')
    await mkdir(bin)
    await writeFile(join(bin, 'nautilus'), '#!/bin/sh\n', { mode: 0o755 })
    const app = await world.start({ env: { PATH: bin } }).ready()
    await expect.poll(() => app.page("document.querySelector('dialog') === null")).toBe(true)
    await app.page("void (location.hash = '#/settings/notices')")
    await app.click('.settings-row button', 'Add to Nautilus')
    const row = () => app.page<string>("document.querySelector('#settings-notices').textContent")
    await expect.poll(row).toContain('It is in Nautilus.')

    const folder = join(world.dir, 'pictures')
    await mkdir(folder)
    const paths = NAMES.map((name) => join(folder, name))
    // Each another picture, or the preview would count them as one.
    for (const [n, path] of paths.entries()) {
      await copyFile(PICTURE, path)
      await writeFile(path, String(n), { flag: 'a' })
    }
    await promisify(execFile)(join(world.dir, '.local/share/nautilus/scripts/Hangar'), [], {
      cwd: folder,
      env: {
        ...world.desktop.env,
        HOME: world.dir,
        HANGAR_DATA_DIR: world.dataDir,
        HANGAR_TEST_APP: ROOT,
        // Root has to say so, and the script is that of a person.
        ...(process.getuid!() === 0 ? { ELECTRON_DISABLE_SANDBOX: '1' } : {}),
        NAUTILUS_SCRIPT_SELECTED_FILE_PATHS: paths.map((path) => `${path}\n`).join(''),
        NAUTILUS_SCRIPT_SELECTED_URIS: paths.map((path) => `${pathToFileURL(path).href}\n`).join(''),
      },
    })
    const dialog = () => app.page<string>("document.querySelector('dialog')?.textContent ?? ''")
    await expect.poll(dialog).toContain(`Process ${NAMES.length} pictures`)
    expect(await app.counts()).toMatchObject({ ready: 0, sending: 0, waiting: 0, done: 0 })
    expect((await app.state()).settings.paused).toBe(false)
    expect((await readdir(folder)).toSorted()).toEqual(NAMES.toSorted())
    await app.click('dialog .dialog-head button')

    await app.click('.settings-row button', 'Remove')
    await expect.poll(row).not.toContain('It is in Nautilus.')
    expect(await readdir(join(world.dir, '.local/share/nautilus/scripts'))).toEqual([])
  },
)
