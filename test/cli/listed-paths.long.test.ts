import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contentOf, drawPicture, runCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

/** Which of the pictures were converted. */
async function converted(names: string[], args: string[], input = '') {
  const cwd = folderForAll()
  for (const name of names) await drawPicture(join(cwd, name))
  await writeFile(join(cwd, 'list.txt'), 'a.jpg\r\n\nc.jpg\n')
  const data = folderForAll()
  const run = ['run', '--operation', 'convert', '--if-larger', 'keep', '--data-dir', data, ...args]
  const { code } = await runCli(run, { cwd, input })
  return [code, ...Object.keys(await contentOf(cwd)).filter((name) => name.endsWith('.webp'))]
}

const NAMES = ['a.jpg', 'b.jpg', 'c.jpg']

it.each([
  [['--files-from', 'list.txt'], '', ['a.webp', 'c.webp']],
  [['b.jpg', '--files-from', 'list.txt'], '', ['a.webp', 'b.webp', 'c.webp']],
  [['-'], 'b.jpg\n', ['b.webp']],
  [['--files-from', '-', '--null'], 'b.jpg\0c.jpg\0', ['b.webp', 'c.webp']],
])('takes the paths of a list: %j', async (args, input, results) => {
  expect(await converted(NAMES, args, input)).toEqual([0, ...results])
})

it('takes a line end for part of a name where a NUL ends it', async () => {
  expect(await converted(['two\nlines.jpg'], ['-0', '-'], 'two\nlines.jpg\0')).toEqual([0, 'two\nlines.webp'])
})

it('reads a list as PowerShell writes it, and refuses one in an encoding that is not certain', async () => {
  const cwd = folderForAll()
  await drawPicture(join(cwd, 'Höhe.jpg'))
  const run = async (encoding: BufferEncoding, mark = '') => {
    await writeFile(join(cwd, 'list.txt'), `${mark}Höhe.jpg\r\n`, encoding)
    const args = ['run', '--operation', 'convert', '--if-larger', 'keep', '--files-from', 'list.txt']
    return runCli([...args, '--data-dir', folderForAll()], { cwd })
  }
  expect((await run('utf16le', '\ufeff')).code).toBe(0)
  expect(await run('latin1')).toMatchObject({ code: 2, stderr: expect.stringContaining('save it as UTF-8') as string })
})

it('refuses a list that is not there, and a command line without any path', async () => {
  expect(await converted(NAMES, ['--files-from', 'other.txt'])).toEqual([2])
  expect(await converted(NAMES, [])).toEqual([2])
})
