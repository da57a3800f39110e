import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, LINUX_ROOT, need } from '../needs.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { isReadableByAll, ROOT } from './runtime/runtime-place.ts'

/** Nobody, who owns nothing here. */
const PERSON = { uid: 65_534, gid: 65_534 }
const SAMPLES = 8

// All other suites run as the user who runs the tests; in continuous integration that is root, whose Electron has no sandbox.
describeWith(
  REAL_ELECTRON,
  LINUX_ROOT,
  need('a checkout that others may read', isReadableByAll(ROOT)),
)('an ordinary user with the sandbox', () => {
  let world: DesktopWorld
  let app: DesktopApp

  beforeAll(async () => {
    world = await DesktopWorld.open({ user: PERSON })
    app = await world.start().ready()
  })
  afterAll(() => world.close())

  it('has a page that runs within it: seccomp, no new privileges, namespaces of its own', () => {
    const all = app.processes()
    expect(all.filter(({ command }) => command.includes('--no-sandbox'))).toEqual([])
    const renderers = all.filter(({ kind }) => kind === 'renderer')
    expect(renderers.length).toBeGreaterThan(0)
    const space = (pid: number, kind: string) => readlinkSync(`/proc/${pid}/ns/${kind}`)
    for (const { pid } of renderers) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      expect(status).toMatch(/^NoNewPrivs:\t1$/m)
      expect(status).toMatch(/^Seccomp:\t2$/m)
      expect(status).toMatch(new RegExp(`^Uid:\t${PERSON.uid}\t`, 'm'))
      for (const kind of ['pid', 'net']) expect(space(pid, kind), kind).not.toBe(space(app.process.pid!, kind))
    }
  })

  it('has its samples done, its files for itself alone, and an end in order', async () => {
    await app.click('button', 'Try samples')
    await expect.poll(async () => (await app.counts()).done).toBe(SAMPLES)
    expect(await app.page("document.querySelectorAll('.jobs-line').length")).toBe(SAMPLES)
    expect(statSync(app.dataDir).mode & 0o077).toBe(0)
    for (const name of readdirSync(app.dataDir)) expect(statSync(join(app.dataDir, name)).uid, name).toBe(PERSON.uid)
    expect(await app.quit()).toEqual({ code: 0, signal: null })
    expect((await app.log()).trim().split('\n').at(-1)).toContain('stopped')
    expect(app.stderr).not.toMatch(/GLib|g_object|assertion|sandbox/i)
  })
})
