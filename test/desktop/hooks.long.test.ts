import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageResponse } from '../../src/shared/contract/calls.ts'
import { describeWith } from '../needs.ts'
import { until } from '../until.ts'
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
    await app.click('dialog button', 'Decide later')
    await until('the welcome is closed', () => app.page("document.querySelector('dialog') === null"))
    await app.page("void (location.hash = '#/settings/hooks')")
  })
  afterAll(() => world.close())

  const section = () => app.page<string>("document.querySelector('#settings-hooks').innerText")
  const listed = async () => (await app.call<PageResponse<'hooks.list'>>('hooks.list')).hooks
  const choose = (path: string | null) =>
    app.main(({ dialog }, chosen: string | null) => {
      dialog.showOpenDialog = () =>
        Promise.resolve({ canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] })
    }, path)
  /** Types into a field by its label, as React hears it. */
  const type = (label: string, text: string) =>
    app.page(`(() => {
      const label = [...document.querySelectorAll('#settings-hooks label')].find((one) => one.textContent === ${JSON.stringify(label)})
      const field = document.getElementById(label.htmlFor)
      const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set
      set.call(field, ${JSON.stringify(text)})
      field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
    })()`)
  /** Answers the system's own box with these keys, once it is there. */
  const answer = async (title: string, ...keys: string[]) => {
    const box = ['search', '--onlyvisible', '--name', title]
    const isThere = () =>
      world.desktop.xdotool(...box).then(
        (found) => found.trim() !== '',
        () => false,
      )
    await until('the box is there', isThere)
    await world.desktop.xdotool(...box, 'windowactivate', '--sync')
    await world.desktop.xdotool(...box, 'windowfocus', '--sync')
    for (const key of keys) await world.desktop.xdotool('key', key)
    await until('the box is gone', async () => !(await isThere()))
  }
  const picture = async (name: string, more: string) => {
    const folder = join(world.dir, 'pictures')
    await mkdir(folder, { recursive: true })
    await copyFile(join(ROOT, 'resources/samples/red-hangar.jpg'), join(folder, name))
    await writeFile(join(folder, name), more, { flag: 'a' })
    const { recipe } = (await app.state()).settings
    return app.call('intake.add', { paths: [await app.pick(folder)], recipe, confirmed: true })
  }

  it('is stored only once a person allowed it in a box of the system, for which Enter means no', async () => {
    await app.click('#settings-hooks button', 'Add hook')
    await choose(program)
    await app.click('#settings-hooks button', 'Choose program…')
    await expect.poll(section).toContain('tell it.sh')
    await type('Arguments', '0\ntwo words')
    await app.click('#settings-hooks button', 'Save')
    await answer('^Let Hangar run this program', 'Return')
    await expect.poll(() => app.page<string>('document.body.innerText')).toContain('nothing was saved')
    expect(await listed()).toEqual([])
    await app.click('#settings-hooks button', 'Save')
    await answer('^Let Hangar run this program', 'Tab', 'Return')
    await expect.poll(section).toContain('Has not run yet.')
    expect(await listed()).toMatchObject([
      { when: { on: 'done' }, target: { kind: 'program', file: program, args: ['0', 'two words'] }, last: null },
    ])
  })

  it('runs when a batch is done, and the settings say so', async () => {
    await picture('a.jpg', '1')
    await expect.poll(section, { timeout: 60_000 }).toContain('Worked')
    const [first, second, json] = (await readFile(told, 'utf8')).split('\n')
    expect([first, second]).toEqual(['0', 'two words'])
    expect(JSON.parse(json!)).toMatchObject({ event: 'done', counts: { done: 1 } })
    expect(JSON.parse(json!)).not.toHaveProperty('trial')
  })

  it('that fails is seen: in a notice with a link, and with the reason in the settings', async () => {
    await app.click('#settings-hooks button', 'Change')
    await type('Arguments', '7')
    await app.click('#settings-hooks button', 'Save')
    await answer('^Let Hangar run this program', 'Tab', 'Return')
    await expect.poll(section).toContain('Has not run yet.')
    await app.page("void (location.hash = '#/jobs')")
    await picture('b.jpg', '2')
    await expect
      .poll(() => app.page<string>('document.body.innerText'), { timeout: 60_000 })
      .toContain('The hook tell it.sh failed.')
    await app.page("void (location.hash = '#/settings/hooks')")
    await expect.poll(section).toContain('It ended with exit status 7.')
    await app.click('#settings-hooks button', 'Send a trial')
    await expect.poll(section).toContain('The trial failed')
    expect(await readFile(told, 'utf8')).toContain('"trial":true')
  })

  it('posts what is signed with a secret that only a box of the system shows', async () => {
    const posts: { signature: string; body: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        posts.push({ signature: String(request.headers['hangar-signature']), body })
        response.end()
      })
    })
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    await app.click('#settings-hooks button', 'Add hook')
    await app.click('#settings-hooks .segmented label', 'Post to an address')
    await type('Address', url)
    await app.click('#settings-hooks button', 'Save')
    await answer('^Let Hangar post to this address', 'Tab', 'Return')
    // The first button copies it.
    await answer('^The secret that signs', 'Return')
    const secret = await app.main(({ clipboard }) => clipboard.readText())
    expect(secret).toMatch(/^[\w-]{43}$/)
    await until('it is stored', async () => (await listed()).length === 2)
    const { id } = (await listed())[1]!
    await app.call('hooks.try', { id })
    server.close()
    const [{ signature, body }] = posts as [(typeof posts)[0]]
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!
    expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
    expect((await world.desktop.ask('secrets')).some(({ account }) => account?.startsWith('hooks|'))).toBe(true)
    const shown = await app.page<string>('document.documentElement.outerHTML')
    expect(shown + (await app.log()) + JSON.stringify(await app.state())).not.toContain(secret)
    expect(JSON.stringify(await app.call('hooks.list'))).not.toContain(secret)
  })

  it('cannot be set by the page alone, whatever it asks for', async () => {
    const before = await listed()
    const when = { on: 'done' }
    const picked = await app.pick(world.dir)
    for (const token of [picked, program, 'x', ''])
      await expect(
        app.call('hooks.save', { id: null, when, target: { kind: 'program', program: token, args: [] } }),
      ).rejects.toThrow('hook_program_unknown')
    await expect(
      app.call('hooks.save', { id: null, when, target: { kind: 'address', url: 'http://example.com/' } }),
    ).rejects.toThrow('hook_address_unencrypted')
    expect(await listed()).toEqual(before)
  })
})
