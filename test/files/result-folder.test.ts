import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resultFolder } from '../../src/main/files/result-folder.ts'
import { tempFolder } from './temp-folder.ts'

it('A folder of a template is one that is there, whatever the case of its letters', async () => {
  const dir = await tempFolder()
  await mkdir(join(dir, 'Boats/Caf\u00e9'), { recursive: true })
  expect(await resultFolder(dir, ['boats', 'CAFE\u0301', 'new'], false)).toBe(join(dir, 'Boats/Caf\u00e9/new'))
  expect(await resultFolder(join(dir, 'none'), ['a', 'b'], false)).toBe(join(dir, 'none/a/b'))
})

it('A folder of a template that a service names gets a number where a file has its name, or one that differs in case', async () => {
  const dir = await tempFolder()
  await writeFile(join(dir, 'notes'), '')
  await writeFile(join(dir, 'Notes-2'), '')
  expect(await resultFolder(dir, ['notes'], true)).toBe(join(dir, 'notes-3'))
  expect(await resultFolder(dir, ['notes'], false)).toBe(join(dir, 'notes'))
  // After a crash as before.
  await mkdir(join(dir, 'notes-3'))
  expect(await resultFolder(dir, ['notes'], true)).toBe(join(dir, 'notes-3'))
  // Where a link leads is judged when the folder is opened.
  await symlink('notes-3', join(dir, 'linked'))
  expect(await resultFolder(dir, ['linked'], true)).toBe(join(dir, 'linked'))
})
