import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, type Need } from '../needs.ts'
import { until } from '../until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'node_modules/electron')

/** The program that Electron's own installer put there. Nothing is downloaded to find out. */
function runtime(): string | null {
  const pathFile = join(PACKAGE, 'path.txt')
  if (!existsSync(pathFile)) return null
  const program = join(PACKAGE, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(program) ? program : null
}

function lacking(): Need {
  if (runtime() === null) return "Electron's runtime"
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const hasDisplay = process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  return hasDisplay ? null : 'a display'
}

describeWith(lacking())('Electron itself', () => {
  it('starts the built app, logs no error, and ends when it is asked to', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'hangar-electron-'))
    const dataDir = join(dir, 'data')
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const child = spawn(runtime()!, [...asRoot, ROOT, '--data-dir', dataDir], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const exited = new Promise<number | null>((done) => child.once('exit', done))
    const log = async (): Promise<string> => {
      const logs = join(dataDir, 'logs')
      const names = await readdir(logs).catch(() => [])
      return (await Promise.all(names.map((name) => readFile(join(logs, name), 'utf8')))).join('')
    }
    try {
      await until('the page loaded', async () => (await log()).includes('the window is ready'))
      child.kill('SIGTERM')
      expect(await exited).toBe(0)
      const lines = (await log()).trim().split('\n')
      expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
      expect(lines.at(-1)).toContain('stopped')
    } finally {
      child.kill('SIGKILL')
      await exited
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
