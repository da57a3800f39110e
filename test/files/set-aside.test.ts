import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { SET_ASIDE_FOLDER, SetAside } from '../../src/main/files/set-aside.ts'
import { tempFolder } from './temp-folder.ts'

it('A file that was not taken is kept for its owner only, and found by its job', async () => {
  const dir = await tempFolder()
  const setAside = new SetAside(dir)
  expect(await setAside.find('01JOB')).toBeNull()
  const path = await setAside.keep('01JOB', Buffer.from('one'), 'jpg')
  expect(await setAside.find('01JOB')).toEqual({ path, rootDir: join(dir, SET_ASIDE_FOLDER) })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  const later = await setAside.keep('01JOB', Buffer.from('two'), 'png')
  expect(await readFile(later, 'utf8')).toBe('two')
  expect(await readdir(dirname(path))).toEqual(['01JOB.png'])
})

it('The oldest make room for new ones, however large the newest is', async () => {
  const dir = await tempFolder()
  const setAside = new SetAside(dir, 100)
  for (const [n, id] of ['A', 'B', 'C'].entries()) {
    const path = await setAside.keep(id, Buffer.alloc(40), 'gif')
    await utimes(path, n, n)
  }
  expect(await setAside.find('A')).toBeNull()
  expect(await setAside.find('B')).not.toBeNull()
  await setAside.keep('D', Buffer.alloc(500), 'webp')
  expect(await readdir(join(dir, SET_ASIDE_FOLDER))).toEqual(['D.webp'])
})
