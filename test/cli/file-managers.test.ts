import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { describeWith, LINUX } from '../needs.ts'
import { jsonLines, runCli } from './harness.ts'
import { folderForTest } from '../temp-folder.ts'

describeWith(LINUX)('hangar file-managers', () => {
  let home: string
  beforeEach(() => {
    home = folderForTest()
    mkdirSync(join(home, 'bin'))
  })

  const program = (name: string) => {
    const path = join(home, 'bin', name)
    writeFileSync(path, '#!/bin/sh\n')
    chmodSync(path, 0o755)
    return path
  }
  const run = (...args: string[]) =>
    runCli(['file-managers', ...args], { cwd: home, env: { HOME: home, PATH: join(home, 'bin') } })
  const script = () => join(home, '.local/share/nautilus/scripts/Hangar')

  it('writes entries for the app on the path, says where they are, and takes them away', async () => {
    // As a package has it, and as the app in it knows itself.
    const app = program('the app itself')
    symlinkSync(app, join(home, 'bin', 'hangar-desktop'))
    program('nautilus')
    const { code, stdout } = await run('status')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^nautilus +there +no entry$/m)
    expect(existsSync(script())).toBe(false)
    expect(jsonLines((await run('install', '--json')).stdout)).toEqual([
      { event: 'file-manager', id: 'nautilus', isThere: true, entry: 'current' },
      ...['nemo', 'caja', 'dolphin', 'thunar'].map((id) => ({
        event: 'file-manager',
        id,
        isThere: false,
        entry: 'absent',
      })),
    ])
    expect(readFileSync(script(), 'utf8')).toContain(`exec '${app}' $`)
    // It is not asked for when entries are taken away: it may be gone already.
    rmSync(app)
    expect(await run('remove')).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(script())).toBe(false)
  })

  it('takes the program that is named, and leaves what a person changed, with a status that says so', async () => {
    program('nautilus')
    const own = program('my own app')
    expect(await run('install', '--program', 'bin/my own app')).toMatchObject({ code: 0 })
    expect(readFileSync(script(), 'utf8')).toContain(`exec '${own}' $`)
    writeFileSync(script(), 'mine')
    for (const command of ['install --program bin/nautilus', 'remove']) {
      const { code, stdout } = await run(...command.split(' '))
      expect(code).toBe(1)
      expect(stdout).toMatch(/^nautilus +there +something else/m)
    }
    expect(readFileSync(script(), 'utf8')).toBe('mine')
    expect(await run('status', '--program', 'bin/nautilus')).toMatchObject({ code: 0 })
  })

  it.each([[[]], [['--program', 'nowhere']], [['--program', '.']]])(
    'says what to do without the app: install %j',
    async (more) => {
      expect(await run('install', ...more)).toMatchObject({
        code: 2,
        stderr: 'The desktop app was not found. Install it, or name its program with --program.\n',
      })
    },
  )
})
