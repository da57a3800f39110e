import { link, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { renameOutput, finishRename } from '../../src/main/files/publish-file.ts'
import { jobId, sha256, tempFolder, withoutLinks } from './temp-folder.ts'

const result = (dir: string) =>
  ({ rootDir: dir, dir, name: 'out.webp', sha256: sha256('whole'), jobId: jobId(1), role: 'converted' }) as const
const noted = async () => undefined

/** As a crash leaves a folder: names and what is in the files. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const dir = await tempFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content)
  return dir
}

async function contents(dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const name of await readdir(dir)) files[name] = await readFile(join(dir, name), 'utf8')
  return files
}

it('a file that took the place of a result keeps its name', async () => {
  const dir = await folderWith({ 'out.webp': 'another’s' })
  expect(await renameOutput(result(dir), () => 'new.webp', noted)).toBe(null)
  expect(await contents(dir)).toEqual({ 'out.webp': 'another’s' })
})

it('a result with both names, as a crash leaves it, loses the old one, and another file keeps the new one', async () => {
  const dir = await folderWith({ 'out.webp': 'whole' })
  await link(join(dir, 'out.webp'), join(dir, 'new.webp'))
  expect(await finishRename(result(dir), 'new.webp')).toBe(true)
  expect(await contents(dir)).toEqual({ 'new.webp': 'whole' })
  const other = await folderWith({ 'out.webp': 'whole', 'new.webp': '' })
  expect(await finishRename(result(other), 'new.webp')).toBe(false)
  expect(await contents(other)).toEqual({ 'out.webp': 'whole', 'new.webp': '' })
})

it('without links, a result gets the first name that is free', async () => {
  const dir = await folderWith({ 'out.webp': 'whole', 'new.webp': 'another’s' })
  const names = (n: number) => (n === 1 ? 'new.webp' : `new-${n}.webp`)
  const renamed = await renameOutput(result(dir), names, noted, withoutLinks('EPERM'))
  expect(renamed).toBe(join(dir, 'new-2.webp'))
  expect(await contents(dir)).toEqual({ 'new-2.webp': 'whole', 'new.webp': 'another’s' })
})
