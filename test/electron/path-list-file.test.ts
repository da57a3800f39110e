import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { takePathList, writePathList } from '../../src/main/electron/single-instance.ts'
import { folderForTest } from '../temp-folder.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = folderForTest()
})

it('gives the paths of a start once', async () => {
  const list = writePathList(dataDir, ['/home/ada/a.jpg', '/home/ada/ü.jpg'])
  expect(await takePathList(dataDir, list)).toEqual(['/home/ada/a.jpg', '/home/ada/ü.jpg'])
  await expect(takePathList(dataDir, list)).rejects.toThrow('ENOENT')
})

it('removes lists of starts that crashed, and none of today', async () => {
  const [left, fresh] = [writePathList(dataDir, ['/a.jpg']), writePathList(dataDir, ['/b.jpg'])]
  const longAgo = Date.now() / 1000 - 25 * 3600
  await utimes(join(dataDir, 'handed-over', `${left}.json`), longAgo, longAgo)
  const newest = writePathList(dataDir, ['/c.jpg'])
  const names = await readdir(join(dataDir, 'handed-over'))
  expect(new Set(names)).toEqual(new Set([`${fresh}.json`, `${newest}.json`]))
})
