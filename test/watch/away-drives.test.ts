import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { awayOf, devicesOf } from '../../src/main/watch/away-drives.ts'
import { folderForTest } from '../temp-folder.ts'

let root: string

beforeEach(() => {
  root = folderForTest()
  mkdirSync(join(root, 'drive', 'pictures'), { recursive: true })
  for (const name of ['1.jpg', '2.jpg']) writeFileSync(join(root, 'drive', 'pictures', name), '')
})

const at = (...names: string[]) => join(root, 'drive', ...names)

it('A folder or file whose folder is gone is on a drive that is away', async () => {
  const paths = [at('pictures'), at('pictures', '1.jpg'), at('other.jpg')]
  expect(await awayOf(paths.slice(0, 2), {})).toEqual([])
  rmSync(at(), { recursive: true })
  expect(await awayOf(paths, {})).toEqual(paths)
})

it('A file that was deleted beside others is not', async () => {
  rmSync(at('pictures', '1.jpg'))
  expect(await awayOf([at('pictures', '1.jpg')], {})).toEqual([])
})

it('An empty folder is a mount point without its drive only where another file system was before', async () => {
  const paths = [at('pictures'), at('pictures', '1.jpg')]
  const devices = await devicesOf(paths)
  const elsewhere = Object.fromEntries(paths.map((path) => [path, '99999']))
  expect(await awayOf(paths, elsewhere)).toEqual([])
  for (const name of ['1.jpg', '2.jpg']) rmSync(at('pictures', name))
  expect(await awayOf([paths[0]!], devices)).toEqual([])
  expect(await awayOf(paths, elsewhere)).toEqual(paths)
})
