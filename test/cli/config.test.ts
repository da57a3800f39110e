import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Folders, jsonLines, runCli } from './harness.ts'

const folders = new Folders()
afterAll(() => folders.removeAll())

it('is written as a file that is right, and says what is wrong with another', async () => {
  const [data, dir] = [await folders.make('data'), await folders.make('config')]
  const [file, bad] = [join(dir, 'hangar.json'), join(dir, 'bad.json')]
  const config = (...args: string[]) => runCli(['config', ...args, '--data-dir', data], { cwd: dir })

  expect(await config('export', '--output', 'hangar.json')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'The configuration is in hangar.json.\n',
  })
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ caps: { perDay: null }, folders: [] })
  expect(await config('check', file)).toMatchObject({ code: 0, stdout: 'Nothing is wrong with it.\n' })
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
