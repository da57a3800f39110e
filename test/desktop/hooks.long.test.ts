import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/shared/contract/calls.ts'
import type { Hook } from '../../src/shared/contract/hooks.ts'
import { describeWith } from '../needs.ts'
import { ROOT } from './runtime/runtime-place.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from './desktop-app.ts'

describeWith(REAL_ELECTRON)('a hook of the desktop app', () => {
  let world: DesktopWorld
  let app: DesktopApp
  let told: string
  let program: string

  beforeAll(async () => {
    world = await DesktopWorld.open()
    app = await world.start().ready()
    told = join(world.dir, 'told')
    program = join(world.dir, 'tell it.sh')
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${told}'\ncat >> '${told}'\nexit "\${1:-0}"\n`, {
      mode: 0o755,
    })
    await app.page("void (location.hash = '#/settings/hooks')")
  })
  afterAll(() => world.close())

  const section = () => app.page<string>("document.querySelector('#settings-hooks').innerText")
  /** Writes the file, and comes back to the window as a person does. */
  const write = async (hooks: readonly Hook[]) => {
    const { file } = await app.call<PageResponse<'hooks.list'>>('hooks.list')
    await writeFile(file, JSON.stringify(hooks), { mode: 0o600 })
    await app.page("void dispatchEvent(new Event('focus'))")
  }
  const picture = async (name: string, more: string) => {
    const folder = join(world.dir, 'pictures')
    await mkdir(folder, { recursive: true })
    await copyFile(join(ROOT, 'resources/samples/red-hangar.jpg'), join(folder, name))
    await writeFile(join(folder, name), more, { flag: 'a' })
    const { recipe } = (await app.state()).settings
    return app.call('intake.add', { paths: [await app.pick(folder)], recipe, confirmed: true })
  }

  it('that is written in the file runs when a batch is done, and the settings say so', async () => {
    await write([{ on: 'done', run: [program, '0', 'two words'] }])
    await expect.poll(section).toContain('Has not run yet.')
    await picture('a.jpg', '1')
    await expect.poll(section, { timeout: 60_000 }).toContain('Worked')
    const [first, second, json] = (await readFile(told, 'utf8')).split('\n')
    expect([first, second]).toEqual(['0', 'two words'])
    expect(JSON.parse(json!)).toMatchObject({ event: 'done', counts: { done: 1 } })
  })

  it('that fails is seen: in a notice with a link, and with the reason in the settings', async () => {
    await write([{ on: 'done', run: [program, '7'] }])
    await expect.poll(section).toContain('Has not run yet.')
    await app.page("void (location.hash = '#/jobs')")
    await picture('b.jpg', '2')
    await expect
      .poll(() => app.page<string>('document.body.innerText'), { timeout: 60_000 })
      .toContain('The hook tell it.sh failed.')
    await app.page("void (location.hash = '#/settings/hooks')")
    await expect.poll(section).toContain('It ended with exit status 7.')
  })
})
