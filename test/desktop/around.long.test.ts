import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPractice, type PracticeServer } from '../practice/faulty-practice.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
import { DesktopWorld, isAlive, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const SAMPLES = join(ROOT, 'resources/samples')
const CLI = join(ROOT, 'out/main/cli.js')
const KEY = 'the-key-of-this-account-0123456789'
const CANARY = 'hangar-canary-key-7f3a91'

// One app, in the order of a day: it is set up, gets pictures, is killed, goes on, and goes down with the computer.
describeWith(REAL_ELECTRON)('the desktop around the app', () => {
  let world: DesktopWorld
  let practice: PracticeServer
  let app: DesktopApp
  let folder: string
  let names: string[]

  const start = (args: string[] = [], env: Record<string, string> = {}) =>
    world.start({ args, env: { HANGAR_SERVICE_URL: practice.imageBaseUrl, ...env } })
  const add = async (path: string) => {
    const { recipe } = (await app.state()).settings
    await app.call('intake.add', { paths: [await app.pick(path)], recipe, confirmed: true })
  }

  beforeAll(async () => {
    practice = await startPractice({
      apiKey: KEY,
      jobTime: { kind: 'fixed', ms: 3000 },
      requestsPerMinute: 10_000,
      credits: 1000,
      seed: 1,
    })
    world = await DesktopWorld.open()
    folder = join(world.dir, 'Ägypten 2026')
    await mkdir(folder)
    names = (await readdir(SAMPLES)).filter((name) => name.endsWith('.jpg'))
    for (const name of names) await copyFile(join(SAMPLES, name), join(folder, name))
    app = await start().ready()
  })
  afterAll(async () => {
    await world.close()
    await practice.close()
  })

  const visible = () => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
  const inhibitors = async () => (await world.desktop.ask('inhibitors')).map(({ what }) => what)

  it('keeps a key in the keyring, and a refused one nowhere', async () => {
    const ofHangar = async () => (await world.desktop.ask('secrets')).filter(({ service }) => service === 'Hangar')
    await expect(app.call('keys.set', { name: 'image', key: 'wrong-key' })).rejects.toThrow('key_refused')
    expect(await ofHangar()).toEqual([])
    expect(await app.call('keys.set', { name: 'image', key: KEY })).toMatchObject({ present: true, check: 'accepted' })
    expect(await ofHangar()).toHaveLength(1)
  })

  it('takes files and folders that are dragged onto its window', async () => {
    await app.main(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.setBounds({ x: 0, y: 0, width: 1100, height: 850 }),
    )
    const offered = async () =>
      (await app.page<string>('document.body.textContent')).includes(`Process ${names.length + 1} pictures`)
    await until('they are offered', async () => {
      await world.desktop.drag([folder, join(SAMPLES, names[0]!)], [1150, 300], [500, 400])
      return until('the preview is there', offered, { patienceMs: 20_000 }).then(
        () => true,
        () => false,
      )
    })
  })

  it('notices that the computer sleeps and wakes', async () => {
    await expect.poll(inhibitors).toContain('sleep')
    await world.desktop.ask('sleep', { begins: true })
    await expect.poll(() => app.log()).toContain('the computer goes to sleep')
    await world.desktop.ask('sleep', { begins: false })
    await expect.poll(() => app.log()).toContain('the computer woke up')
  })

  it('killed in mid-work, goes on after the next start with its key from the keyring; each is paid once', async () => {
    await practice.control({ type: 'set-job-time', jobTime: { kind: 'fixed', ms: 10_000 } })
    await add(folder)
    // One that is being sent would be unknown afterwards.
    const unsent = async () => {
      const { ready, sending, waiting, done } = await app.counts()
      return { unsent: ready + sending, sent: waiting + done }
    }
    await expect.poll(unsent).toEqual({ unsent: 0, sent: names.length })
    await app.letGo()
    app.process.kill('SIGKILL')
    await app.exited
    app = await start().ready()
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
    await expect.poll(async () => (await app.counts()).done, { message: app.stderr }).toBe(names.length)
    const counts = Object.entries(await app.counts()).filter(([, count]) => count > 0)
    expect(counts).toEqual([['done', names.length]])
    expect(practice.ledger().charges).toHaveLength(names.length)
  })

  it('says when all is done, and a click on that opens the list', async () => {
    await expect.poll(async () => (await world.desktop.ask('notifications')).length).toBeGreaterThan(0)
    const shown = await world.desktop.ask('notifications')
    expect(await visible()).toBe(false)
    await world.desktop.ask('click notification', { number: shown.length })
    await expect.poll(visible).toBe(true)
    await expect.poll(() => app.page('location.hash')).toContain('jobs')
  })

  it('started with --pause, sends nothing of what waits', async () => {
    const more = join(world.dir, 'more')
    await mkdir(more)
    const [name] = names
    // Other bytes than those that are paid already.
    await writeFile(join(more, 'another.jpg'), Buffer.concat([await readFile(join(SAMPLES, name!)), Buffer.from('!')]))
    await app.call('queue.pause')
    await add(more)
    await expect.poll(async () => (await app.counts()).ready).toBe(1)
    expect(await app.quit()).toEqual({ code: 0, signal: null })
    execFileSync(process.execPath, [CLI, 'resume', '--data-dir', world.dataDir])
    const charged = practice.ledger().charges.length
    app = await start(['--pause'], { HANGAR_API_KEY: CANARY }).ready()
    expect(await app.state()).toMatchObject({ settings: { paused: true }, counts: { ready: 1 } })
    expect(practice.ledger().charges).toHaveLength(charged)
  })

  it('has a key of its environment in no page, child or file', async () => {
    expect(await app.call('keys.status', { name: 'image' })).toMatchObject({ present: true, place: 'environment' })
    expect(await app.page<string>('document.documentElement.outerHTML')).not.toContain(CANARY)
    const children = app.processes().filter(({ kind }) => kind.startsWith('node '))
    for (const { pid, kind } of children)
      expect(await readFile(`/proc/${pid}/environ`, 'utf8'), kind).not.toContain(CANARY)
  })

  it('ends in order when the computer shuts down', async () => {
    await expect.poll(inhibitors).toContain('shutdown')
    const processes = app.processes()
    await app.letGo()
    await world.desktop.ask('shutdown')
    expect(await app.exited).toEqual({ code: 0, signal: null })
    expect((await app.log()).trim().split('\n').at(-1)).toContain('stopped')
    // Those of Chromium write in the profile until they have ended.
    await expect.poll(() => processes.filter(isAlive)).toEqual([])
    const files = await readdir(world.dataDir, { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile())) {
      const bytes = await readFile(join(file.parentPath, file.name))
      expect(
        [KEY, CANARY].filter((key) => bytes.includes(key)),
        file.name,
      ).toEqual([])
    }
  })
})
