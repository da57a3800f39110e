import { execFileSync } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { itWith } from '../needs.ts'
import { OddService } from '../odd-service.ts'
import { until } from '../until.ts'
import { DesktopWorld, REAL_ELECTRON } from './desktop-app.ts'
import { ROOT } from './runtime/runtime-place.ts'

const PICTURE = join(ROOT, 'resources/samples/red-hangar.jpg')

itWith(REAL_ELECTRON)(
  'quitting while a picture is being sent says in the tray that it finishes, with nothing to choose and no window, and waits for the answer',
  async () => {
    const world = await DesktopWorld.open()
    onTestFinished(() => world.close())
    const service = await OddService.open()
    onTestFinished(() => service.close())
    const start = () => world.start({ env: { HANGAR_SERVICE_URL: service.baseUrl, HANGAR_API_KEY: 'a-key' } })
    const windows = () => world.desktop.xdotool('search', '--onlyvisible', '--class', 'Hangar')
    const answered = Promise.withResolvers<boolean>()
    service.onDispatch = () => answered.promise

    let app = await start().ready()
    const folder = join(world.dir, 'pictures')
    await mkdir(folder)
    await copyFile(PICTURE, join(folder, 'one.jpg'))
    const { recipe } = (await app.state()).settings
    await app.call('intake.add', { paths: [await app.pick(folder)], recipe, confirmed: true })
    await until('it is being sent', () => service.count('POST') > 0)
    await expect.poll(windows).not.toBe('')

    await app.main(({ app: electron }) => {
      // It waits for eight seconds; here until all has been looked at.
      const wait = globalThis.setTimeout
      Object.assign(globalThis, { setTimeout: (act: () => void, ms: number) => wait(act, ms < 8000 ? ms : 1e6) })
      wait(() => electron.quit(), 50)
    })
    await app.letGo()
    await expect
      .poll(() => world.desktop.ask('menu').catch(() => null))
      .toEqual([expect.objectContaining({ label: 'Finishing what was begun…', enabled: false })])
    await expect.poll(windows).toBe('')
    expect(app.hasEnded).toBe(false)
    answered.resolve(false)
    expect(await app.exited).toEqual({ code: 0, signal: null })

    app = await start().ready()
    await expect.poll(async () => (await app.counts()).done).toBe(1)
    expect(service.count('POST')).toBe(1)
  },
)

itWith(REAL_ELECTRON)('quitting while a drive does not answer ends all the same', async () => {
  const world = await DesktopWorld.open()
  onTestFinished(() => world.close())
  const app = await world.start().ready()
  // Opening a pipe that nobody writes to lasts as long as reading from a drive that never answers.
  const pipe = join(world.dir, 'drive')
  execFileSync('mkfifo', [pipe])
  await app.main(({ app: electron }, path) => {
    process.getBuiltinModule('fs').open(path, 'r', () => undefined)
    globalThis.setTimeout(() => electron.quit(), 50)
  }, pipe)
  await app.letGo()
  expect(await app.exited).toEqual({ code: null, signal: 'SIGKILL' })
})
