import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWith } from '../needs.ts'
import type { JobRow } from '../../src/shared/contract/jobs.ts'
import type { KeyStatus } from '../../src/shared/contract/keys.ts'
import type { Place } from '../../src/shared/contract/places.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { startPractice, type PracticeServer } from '../../src/practice/server.ts'
import { until } from '../until.ts'
import { DesktopWorld, BUILT_SHELL, type Desktop } from './desktop-harness.ts'

const SAMPLES = join(import.meta.dirname, '../../resources/samples')
const CANARY = 'hangar-canary-key-7f3a91'

describeWith(BUILT_SHELL)("the desktop app's life on the stand-in", () => {
  let world: DesktopWorld
  let practice: PracticeServer | null = null
  beforeEach(async () => {
    world = await DesktopWorld.open()
  })
  afterEach(async () => {
    await world.close()
    await practice?.close()
    practice = null
  })

  it('starts without a window when it is told to, and shows one when it is started again', async () => {
    const desktop = world.start({ args: ['--hidden'] })
    await until('the tray is there', async () => (await desktop.calls('new Tray')).length === 1)
    const again = world.start({ args: ['--hidden'] })
    expect(await again.exited).toMatchObject({ code: 0 })
    const letters = join(world.dataDir, 'profile', 'stand-in-letters')
    await until('the first has heard of it', async () => (await readdir(letters)).length === 0)
    expect(await desktop.do('window')).toBeNull()
    expect(await world.start().exited).toMatchObject({ code: 0 })
    await desktop.ready()
    expect(await desktop.do('window')).toMatchObject({ bounds: { width: 1200, height: 800 } })
    expect(await desktop.quit()).toMatchObject({ code: 0 })
  })

  it('asks the page about what it was first started with, once the page is there', async () => {
    await mkdir(join(world.dir, 'pictures'))
    const desktop = await world.start({ args: ['pictures'], cwd: world.dir }).ready()
    await until('the page asks', async () => {
      const messages = await desktop.inPage<string>('document.body.innerText')
      return messages.includes('pictures') || messages.includes('handed to Hangar')
    })
  })

  it('quits when its window is closed where there is no tray', async () => {
    const desktop = await world.start({ env: { STAND_IN_TRAY: 'none' } }).ready()
    const ended = desktop.exited
    desktop.process.send({ id: 0, operation: 'close', args: [] })
    const { code, calls } = await ended
    expect(code).toBe(0)
    expect(calls.map(({ what }) => what)).toContain('app.quit')
  })

  it('says in words why it cannot start, and ends with 1', async () => {
    const first = world.start({ args: ['--hidden'] })
    await until('the first runs', async () => (await first.calls('new Tray')).length === 1)
    // Another profile, so that it is not taken for a second start of the same.
    const second = world.start({ env: { STAND_IN_OWN_PROFILE: '1' } })
    const { code, calls } = await second.exited
    expect(code).toBe(1)
    const [box] = calls.filter(({ what }) => what === 'dialog.showErrorBox')
    expect(box?.args).toEqual([
      'Hangar cannot start',
      expect.stringMatching(/Another Hangar is using this data folder/),
    ])
  })

  it('ends at once, said and logged, after a mistake of its own', async () => {
    const desktop = await world.start().ready()
    await desktop.do('blunder')
    const { code, calls } = await desktop.exited
    expect(code).toBe(70)
    const [box] = calls.filter(({ what }) => what === 'dialog.showErrorBox')
    expect(box?.args[0]).toBe('Hangar had to stop')
    const logs = join(world.dataDir, 'logs')
    expect(await readFile(join(logs, (await readdir(logs))[0]!), 'utf8')).toContain('a mistake of ours')
  })

  it('learns at once that there is no keychain rather than waiting for a child that never ends', async () => {
    const desktop = await world.start().ready()
    await desktop.call('settings.set', { imageBaseUrl: 'https://images.hangar.invalid/api/v1' })
    const { because } = await desktop.call<KeyStatus>('keys.status', { name: 'image' })
    expect(because).not.toBe('silent')
  })

  it('goes the way that the system says to a service, and asks it only for the origin', async () => {
    const asked: string[] = []
    const proxy = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (head) => {
        asked.push(String(head).split('\r\n')[0] ?? '')
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      })
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    try {
      const env = { HANGAR_SERVICE_URL: 'https://images.hangar.invalid/api/v1', HANGAR_API_KEY: CANARY }
      const desktop = await world.start({ env }).ready()
      await desktop.do('proxy', `PROXY 127.0.0.1:${(proxy.address() as AddressInfo).port}; DIRECT`)
      await desktop.call('credits.balance', {}).catch(() => undefined)
      await until('the proxy is asked', async () => asked.length > 0)
      expect(asked[0]).toBe('CONNECT images.hangar.invalid:443 HTTP/1.1')
      for (const [url] of await desktop.calls('session.resolveProxy'))
        expect(url).toBe('https://images.hangar.invalid/')
    } finally {
      proxy.close()
    }
  })

  it('quits while pictures are under way, brings them home at the next start, pays once and tells nobody the key', async () => {
    practice = await startPractice({
      apiKey: CANARY,
      jobTime: { kind: 'fixed', ms: 6000 },
      requestsPerMinute: 600,
      seed: 1,
    })
    const env = { HANGAR_SERVICE_URL: practice.imageBaseUrl, HANGAR_API_KEY: CANARY }
    const pictures = join(world.dir, 'pictures')
    await mkdir(pictures)
    const name = (await readdir(SAMPLES)).find((sample) => sample.endsWith('.jpg'))!
    await copyFile(join(SAMPLES, name), join(pictures, name))
    let desktop = await world.start({ env }).ready()
    await desktop.do('paths', { pictures })
    const { value } = await desktop.inPage<{ value: { places: Place[] } }>(
      "window.hangar.placesOf([new File([], 'pictures')])",
    )
    const recipe = { ...DEFAULT_RECIPE, languages: ['en'] }
    await desktop.call('intake.add', { paths: value.places.map(({ token }) => token), recipe, confirmed: true })
    await until('it was sent', async () => (await states(desktop)).includes('waiting'))

    const { code, calls } = await desktop.quit()
    // Past its deadline it would end with 1.
    expect(code).toBe(0)
    expect(calls.some(({ what, args }) => what === 'tray.setToolTip' && /Finishing/.test(String(args[0])))).toBe(true)

    desktop = await world.start({ env }).ready()
    await until('it is done', async () => (await states(desktop)).join() === 'done')
    expect(practice.ledger().charges).toHaveLength(1)
    expect(await readdir(pictures)).toContain(`${name}.alt.json`)
    const everything = JSON.stringify([
      calls,
      await desktop.do('calls'),
      await desktop.inPage('document.documentElement.outerHTML'),
    ])
    expect(everything).not.toContain(CANARY)
    await desktop.quit()
    for (const file of await filesBelow(world.dataDir))
      expect((await readFile(file)).includes(CANARY), file).toBe(false)
  })
})

async function states(desktop: Desktop): Promise<string[]> {
  const { sections } = await desktop.call<{ sections: { ids: string[] }[] }>('jobs.index', {})
  const ids = sections.flatMap((section) => section.ids)
  return (await desktop.call<{ rows: JobRow[] }>('jobs.rows', { ids })).rows.map(({ state }) => state)
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
