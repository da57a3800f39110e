import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { linkIn, PageSocket, signIn } from '../web/harness.ts'
import { Folders, jsonLines, runCli, startCli, startPractice } from './harness.ts'

const folders = new Folders()
afterAll(() => folders.removeAll())

const settingsOf = async (data: string): Promise<Record<string, unknown>> => {
  const { stdout } = await runCli(['settings', 'get', '--json', '--data-dir', data])
  return Object.fromEntries(jsonLines(stdout).map(({ name, value }) => [String(name), value]))
}

it('is what a run goes by, without a word of it in the data folder, and flags win over it', async () => {
  const [data, dir] = [await folders.make('data'), await folders.make('config')]
  const pictures = await folders.withPictures(['a.jpg'])
  const config = { recipe: { operation: 'convert', format: 'avif' }, caps: { perDay: 7 }, folders: [{ path: 'gone' }] }
  await writeFile(join(dir, 'hangar.json'), JSON.stringify(config))
  const run = (...args: string[]) =>
    runCli(['run', pictures, '--config', 'hangar.json', '--data-dir', data, ...args], { cwd: dir })
  expect((await run('--dry-run')).stdout).toContain('a.avif')
  expect((await run()).code).toBe(0)
  expect((await readFile(join(pictures, 'a.avif'))).length).toBeGreaterThan(0)
  expect((await run('--format', 'webp')).code).toBe(0)
  expect((await readFile(join(pictures, 'a.webp'))).length).toBeGreaterThan(0)
  expect(await settingsOf(data)).toMatchObject({
    'recipe.operation': 'process',
    'recipe.format': 'webp',
    'caps.perDay': null,
  })
})

it.each([
  ['{ "caps": { "perDecade": 1 } }', 'caps.perDecade: There is no such member. Check its name, or leave it out.\n'],
  ['{ "folders": [{ "path": "nowhere" }] }', 'folders[0].path: There is no folder nowhere.'],
  ['{', 'This is not JSON'],
])('starts nothing when something in it is wrong: %s', async (text, told) => {
  const [data, dir] = [await folders.make('data'), await folders.make('config')]
  await writeFile(join(dir, 'hangar.json'), text)
  const { code, stdout, stderr } = await runCli(
    ['watch', '--practice', '--config', 'hangar.json', '--data-dir', data],
    {
      cwd: dir,
    },
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(told)
  expect(stderr).toContain('The configuration hangar.json cannot be used as it is.')
})

it('holds while a watch runs: other commands cannot change it, and say why', async () => {
  const practice = await startPractice()
  const [data, dir] = [await folders.make('data'), await folders.make('config')]
  const pictures = await folders.withPictures(['a.jpg'])
  const file = join(dir, 'hangar.json')
  const folder = { path: pictures, exclude: ['drafts/'], recipe: { operation: 'optimize' } }
  await writeFile(file, JSON.stringify({ caps: { perDay: 7 }, folders: [folder] }))
  const hangar = (...args: string[]) => runCli([...args, '--data-dir', data], { cwd: dir })
  expect((await hangar('settings', 'set', 'caps.perDay', '3')).code).toBe(0)
  const watch = startCli(['watch', '--config', file, '--data-dir', data], { env: practice.env })
  try {
    await watch.said(/^done/m)
    expect(await settingsOf(data)).toMatchObject({ 'caps.perDay': 7 })
    const refused = await hangar('settings', 'set', 'caps.perDay', '5')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toBe(
      `caps.perDay: This is set by ${file}, which the running Hangar was started with. Change it there, and start that Hangar again.\n`,
    )
    expect((await hangar('settings', 'set', 'caps.perMonth', '90')).code).toBe(0)
    const other = join(dir, 'other.json')
    await writeFile(other, JSON.stringify({ folders: [{ path: pictures, exclude: [], askAbove: 5 }] }))
    expect(await hangar('config', 'import', other, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`folders: ${pictures}: This is set by ${file}`) as string,
    })
    const removed = await hangar('folders', 'remove', pictures)
    expect([removed.code, removed.stdout]).toEqual([2, ''])
    expect(removed.stderr).toContain(`This is set by ${file}, which Hangar was started with.`)
  } finally {
    watch.child.kill('SIGTERM')
  }
  expect((await watch.ended).code).toBe(0)
  expect((await hangar('folders', 'remove', pictures)).code).toBe(0)
  expect(await settingsOf(data)).toMatchObject({ 'caps.perDay': 3, 'caps.perMonth': 90 })
  expect((await hangar('settings', 'set', 'caps.perDay', '5')).code).toBe(0)
  await practice.stop()
})

it('holds against a page, which is told the names that stay as they are', async () => {
  const [data, dir] = [await folders.make('data'), await folders.make('config')]
  const pictures = await folders.make('watched')
  const file = join(dir, 'hangar.json')
  const recipe = { quality: 61 }
  const chargers = { aircraft: [{ name: 'D-EHGR', rangeNm: 252 }] }
  const folder = { path: pictures, askAbove: 9 }
  await writeFile(file, JSON.stringify({ recipe, caps: { perDay: 7 }, chargers, folders: [folder] }))
  const server = startCli(['serve', '--json', '--port', '0', '--config', file, '--data-dir', data])
  try {
    await server.said(/"event":"serving"/)
    const { url, port } = jsonLines(server.text.stdout)[0] as { url: string; port: number }
    const socket = await PageSocket.open(port, await signIn(port, linkIn(url)))
    const first = (await socket.reply((reply) => 'message' in reply))['message'] as { state: PageState }
    const { app, settings } = first.state
    expect(app.fixed).toEqual({ file: 'hangar.json', settings: ['recipe.quality', 'caps.perDay', 'chargers.aircraft'] })
    expect(settings.chargers['aircraft']).toMatchObject(chargers.aircraft)
    expect([settings.recipe['quality'], settings.caps['perDay']]).toEqual([61, 7])
    const inReply = /"folders":\[\{"id":"(\w+)"/
    const named = JSON.stringify(await socket.reply((reply) => inReply.test(JSON.stringify(reply))))
    const id = inReply.exec(named)?.[1]
    let asked = 0
    const call = async (channel: string, request: unknown) => {
      socket.send({ id: (asked += 1), channel, request })
      return (await socket.reply((reply) => reply['id'] === asked))['result']
    }
    const refusal = { ok: false, error: { sentence: { code: 'set_by_config', values: { file: 'hangar.json' } } } }
    expect(await call('settings.set', { caps: { perDay: null } })).toMatchObject(refusal)
    expect(await call('settings.set', { recipe: { ...settings.recipe, quality: 90 } })).toMatchObject(refusal)
    expect(await call('folders.update', { id, changes: { askAbove: 0 } })).toMatchObject(refusal)
    expect(await call('settings.set', { chargers: { aircraft: [] } })).toMatchObject(refusal)
    const listed = await runCli(['chargers', 'aircraft', '--data-dir', data])
    expect(listed.stdout).toContain('D-EHGR  252 nm')
    expect(await call('folders.remove', { id })).toMatchObject(refusal)
    expect(await call('folders.update', { id, changes: { paused: true } })).toMatchObject({ ok: true })
    // With the value of the file in it, which is not stored all the same.
    expect(await call('settings.set', { recipe: { ...settings.recipe, minSavingPercent: 5 } })).toMatchObject({
      ok: true,
    })
  } finally {
    server.child.kill('SIGTERM')
  }
  expect((await server.ended).code).toBe(0)
  expect(await settingsOf(data)).toMatchObject({
    'recipe.quality': 80,
    'recipe.minSavingPercent': 5,
    'caps.perDay': null,
  })
})

interface PageState {
  app: { fixed: unknown }
  settings: { recipe: Record<string, unknown>; caps: Record<string, unknown>; chargers: Record<string, unknown> }
}
