import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setStartAtLogin, autostartFolder, setAutostart } from '../../src/main/electron/login-item.ts'
import { defaultDataDir } from '../../src/main/engine/data-dir.ts'
import { execArgument } from '../../src/main/core/exec-argument.ts'
import { folderForTest } from '../temp-folder.ts'

const asked: Electron.Settings[] = []
const app = {
  isPackaged: true,
  getAppPath: () => '/opt/hangar',
  setLoginItemSettings: (settings: Electron.Settings) => {
    asked.push(settings)
  },
}

const usual = defaultDataDir(process.platform, {})

describe('start at login', () => {
  it('is an entry in the autostart folder on Linux, written and taken away', async () => {
    const config = folderForTest()
    const deps = { app, platform: 'linux' as const, env: { XDG_CONFIG_HOME: config }, dataDir: usual }
    const entry = join(config, 'autostart', 'hangar.desktop')
    await setStartAtLogin(deps, true)
    expect(readFileSync(entry, 'utf8')).toContain(`Exec="${process.execPath}" "--hidden"\n`)
    writeFileSync(join(config, 'autostart', 'other.desktop'), '')
    await setStartAtLogin(deps, false)
    expect(existsSync(entry)).toBe(false)
    expect(existsSync(join(config, 'autostart', 'other.desktop'))).toBe(true)
    await setStartAtLogin(deps, false)
  })

  it('starts with the same data folder', async () => {
    const env = { XDG_CONFIG_HOME: folderForTest(), HANGAR_DATA_DIR: '/media/photos' }
    await setStartAtLogin({ app, platform: 'linux', env, dataDir: '/media/photos' }, true)
    expect(readFileSync(join(env.XDG_CONFIG_HOME, 'autostart', 'hangar.desktop'), 'utf8')).toContain(
      '"--data-dir" "/media/photos" "--hidden"',
    )
  })

  it('renews the entry when the program is at another place', async () => {
    const folder = folderForTest()
    await setAutostart(folder, ['/old'])
    await setAutostart(folder, ['/new'])
    expect(readFileSync(join(folder, 'hangar.desktop'), 'utf8')).toContain('Exec="/new"\n')
    expect(readdirSync(folder)).toEqual(['hangar.desktop'])
    await setAutostart(folder, null)
    expect(readdirSync(folder)).toEqual([])
  })

  it('starts the AppImage itself rather than where it is mounted, and a checkout with its folder', async () => {
    const config = folderForTest()
    const exec = async (env: NodeJS.ProcessEnv, isPackaged: boolean): Promise<string | undefined> => {
      await setStartAtLogin(
        { app: { ...app, isPackaged }, platform: 'linux', env: { ...env, XDG_CONFIG_HOME: config }, dataDir: usual },
        true,
      )
      return /^Exec=(.*)$/m.exec(readFileSync(join(config, 'autostart', 'hangar.desktop'), 'utf8'))?.[1]
    }
    expect(await exec({ APPIMAGE: '/home/jo/Hangar 1.AppImage' }, true)).toBe('"/home/jo/Hangar 1.AppImage" "--hidden"')
    expect(await exec({}, false)).toBe(`"${process.execPath}" "/opt/hangar" "--hidden"`)
  })

  it("is the system's own matter elsewhere, with arguments where it takes some", async () => {
    await setStartAtLogin({ app, platform: 'win32', env: {}, dataDir: '/media/photos' }, true)
    await setStartAtLogin({ app, platform: 'darwin', env: {}, dataDir: usual }, false)
    expect(asked).toEqual([
      { openAtLogin: true, args: ['--data-dir', '/media/photos', '--hidden'] },
      { openAtLogin: false },
    ])
  })

  it('follows XDG_CONFIG_HOME only where it is absolute', () => {
    expect(autostartFolder({ XDG_CONFIG_HOME: '/c' })).toBe('/c/autostart')
    expect(autostartFolder({ XDG_CONFIG_HOME: 'c' }, '/home/jo')).toBe('/home/jo/.config/autostart')
    expect(autostartFolder({}, '/home/jo')).toBe('/home/jo/.config/autostart')
  })

  it('quotes what a path may hold so that it is read back as it is', () => {
    // A desktop entry undoes the escapes of a value, then those of an argument, then the field codes.
    const value = (text: string) => text.replaceAll('\\\\', '\\')
    const argument = (text: string) =>
      text
        .slice(1, -1)
        .replace(/\\(["`$\\])/g, '$1')
        .replaceAll('%%', '%')
    for (const path of ['/a b', '/a"b', '/a$b`c', '/a\\b', '/100%u', "/it's"]) {
      expect(argument(value(execArgument(path)))).toBe(path)
    }
  })

  it('says that it cannot be written', async () => {
    const file = join(folderForTest(), 'file')
    writeFileSync(file, '')
    await expect(setAutostart(join(file, 'autostart'), ['/x'])).rejects.toMatchObject({ code: 'not_writable' })
  })
})
