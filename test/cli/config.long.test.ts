import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ConfigFile } from '../../src/main/cli/config-shape.ts'
import { drawPicture, folderWithPictures, jsonLines, runCli, startCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

it('is written as a file that is right, and says what is wrong with another', async () => {
  const [data, dir] = [folderForAll(), folderForAll()]
  const [file, bad] = [join(dir, 'hangar.json'), join(dir, 'bad.json')]
  const config = (...args: string[]) => runCli(['config', ...args, '--data-dir', data], { cwd: dir })

  expect(await config('export', '--output', 'hangar.json')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'The configuration is in hangar.json.\n',
  })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ caps: { perDay: null }, folders: [] })
  expect(await config('check', file)).toMatchObject({ code: 0, stdout: 'The configuration is valid.\n' })
  expect((await config('export', '--output', 'photo.jpg')).code).toBe(2)

  await writeFile(bad, '{ "caps": { "perDay": -1 }, "folders": [{ "path": "gone" }], "\\u001b[31m": 1 }')
  const refused = await config('check', bad, '--json')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('caps.perDay: Give at least 0.\n')
  expect(refused.stderr).not.toContain('\u001b')
  expect(jsonLines(refused.stdout)[0]).toEqual({ event: 'problem', path: 'caps.perDay', message: 'Give at least 0.' })
  // Looking creates nothing.
  expect(await readdir(data)).toEqual([])
})

it('is shown without what a terminal would act on', async () => {
  const [data, dir] = [folderForAll(), folderForAll()]
  const file = join(dir, 'hangar.json')
  const config = (...args: string[]) => runCli(['config', ...args, '--data-dir', data], { cwd: dir })
  await writeFile(file, JSON.stringify({ recipe: { name: 'Web\u009b2J\u202e' } }))
  expect((await config('import', file, '--yes')).code).toBe(0)
  const shown = (await config('export')).stdout
  expect(shown).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  expect(JSON.parse(shown)).toMatchObject({ recipe: { name: 'Web\u009b2J\u202e' } })
})

it('is taken over when a person says so, by itself and beside a watch, and leaves the pictures in new folders', async () => {
  const practice = await startPractice()
  const [data, dir] = [folderForAll(), folderForAll()]
  const [shop, press] = [await folderWithPictures(['old-shop.jpg']), await folderWithPictures(['old-press.jpg'])]
  const late = await folderWithPictures(['old-late.jpg'])
  const file = join(dir, 'hangar.json')
  const hangar = (...args: string[]) => runCli([...args, '--data-dir', data], { cwd: dir })
  const take = async (config: object, ...flags: string[]) => {
    await writeFile(file, `\ufeff${JSON.stringify(config)}`, 'utf16le')
    return hangar('config', 'import', file, ...flags)
  }
  const now = async () => JSON.parse((await hangar('config', 'export')).stdout) as ConfigFile

  const first = { caps: { perDay: 50 }, recipe: { quality: 70 }, folders: [{ path: shop, exclude: ['drafts/'] }] }
  const lines = [
    'recipe.quality: 80 → 70',
    'caps.perDay: null → 50',
    `New folder: ${shop} (process, en; what is in it now stays as it is)`,
    '  exclude: [] → ["drafts/"]',
  ]
  expect(await take(first, '--dry-run')).toMatchObject({ code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' })
  const unasked = await take(first)
  expect(unasked).toMatchObject({ code: 1, stderr: 'Nothing was changed: run again with --yes.\n' })
  expect(await readdir(data)).toEqual([])
  expect((await take({ ...first, folders: [{ path: 'gone' }] }, '--yes')).code).toBe(2)
  expect(await take(first, '--yes')).toMatchObject({ code: 0, stderr: 'Changed.\n' })
  expect(await now()).toMatchObject({
    caps: { perDay: 50, perMonth: null },
    recipe: { quality: 70 },
    folders: [{ path: shop, recipe: { quality: 70 }, include: [], exclude: ['drafts/'], askAbove: 100, paused: false }],
  })
  expect(await take(await now(), '--yes')).toMatchObject({ code: 0, stderr: 'Nothing to change.\n' })
  expect(await take({ folders: [{ path: shop, recipe: { quality: 60 }, include: ['*.jpg'] }] }, '--yes')).toMatchObject(
    {
      code: 0,
      stdout: `Folder: ${shop}\n  recipe.quality: 70 → 60\n  include: [] → ["*.jpg"]\n`,
    },
  )

  const watch = startCli(['watch', '--json', '--data-dir', data], { env: practice.env })
  await watch.said(/Stop with/)
  const beside = await take(
    {
      caps: { perDay: 40 },
      folders: [{ path: shop, askAbove: 7 }, { path: press, paused: true }, { path: late }],
    },
    '--yes',
    '--json',
  )
  expect(jsonLines(beside.stdout)).toMatchObject([
    {
      event: 'config',
      dryRun: false,
      changed: true,
      settings: [{ name: 'caps.perDay', from: 50, to: 40 }],
      added: [{ path: press, paused: true }, { path: late }],
      folders: [{ path: shop, changes: [{ name: 'askAbove', from: 100, to: 7 }] }],
    },
  ])
  expect(await now()).toMatchObject({
    caps: { perDay: 40 },
    folders: expect.arrayContaining([
      expect.objectContaining({ path: shop, askAbove: 7 }),
      expect.objectContaining({ path: press, paused: true }),
      expect.objectContaining({ path: late, paused: false }),
    ]) as object,
  })
  await drawPicture(join(shop, 'new-shop.jpg'))
  await drawPicture(join(late, 'new-late.jpg'))
  await watch.said(/new-shop\.jpg","state":"done"/)
  await watch.said(/new-late\.jpg","state":"done"/)
  expect((await watch.stop()).code).toBe(0)
  expect([await practice.charges('new-'), await practice.charges()]).toEqual([2, 2])
  await practice.stop()
})

it('has single settings too, with the same checks', async () => {
  const data = folderForAll()
  const settings = (...args: string[]) => runCli(['settings', ...args, '--data-dir', data])
  expect(await settings('get', 'caps.perDay')).toMatchObject({ code: 0, stdout: 'null\n' })
  expect((await settings('get')).stdout).toMatch(/^recipe\.quality +80\n/m)
  expect(await settings('set', 'caps.perDay', '500')).toMatchObject({ code: 0, stdout: 'caps.perDay: null → 500\n' })
  expect(await settings('set', 'caps.perDay', '500')).toMatchObject({
    code: 0,
    stdout: 'caps.perDay is 500 already.\n',
  })
  expect(jsonLines((await settings('set', 'caps.perDay', 'null', '--json')).stdout)).toEqual([
    { event: 'settings', changed: [{ name: 'caps.perDay', from: 500, to: null }] },
  ])
  expect(jsonLines((await settings('get', 'caps.perDay', '--json')).stdout)).toEqual([
    { event: 'setting', name: 'caps.perDay', value: null },
  ])
  expect(await settings('set', 'recipe.name', 'null')).toMatchObject({
    code: 0,
    stdout: 'recipe.name: Web default → "null"\n',
  })
  expect((await settings('get', 'recipe.name')).stdout).toBe('"null"\n')
  expect(await settings('set', 'retentionDays', '4000')).toMatchObject({
    code: 2,
    stderr: 'retentionDays: Give at most 3650.\n',
  })
  for (const name of ['imageBaseUrl', '__proto__.polluted', 'caps'])
    expect(await settings('set', name, '{}')).toMatchObject({ code: 2, stdout: '' })
})
