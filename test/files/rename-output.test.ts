import { link, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asideName } from '../../src/main/files/leftover-names.ts'
import { renameOutput, finishRename } from '../../src/main/files/rename-output.ts'
import { sweepLeftovers } from '../../src/main/files/sweep-leftovers.ts'
import type { LinkPort } from '../../src/main/files/take-name.ts'
import { jobId, sha256, tempFolder } from './temp-folder.ts'

const withoutLinks: LinkPort = {
  link: () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' })),
}
const asideOf = (content: string) => asideName(jobId(1), 'converted', sha256(content), 'out.webp')
const result = (dir: string) => ({
  rootDir: dir,
  dir,
  name: 'out.webp',
  sha256: sha256('whole'),
  jobId: jobId(1),
  role: 'converted' as const,
})

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

it('a file that took the place of a result just before it is renamed has its name back', async () => {
  const dir = await folderWith({ 'out.webp': 'whole' })
  const swap = () => writeFile(join(dir, 'out.webp'), 'another’s')
  expect(await renameOutput(result(dir), () => 'new.webp', swap)).toBe(null)
  expect(await contents(dir)).toEqual({ 'out.webp': 'another’s' })
})

it('without links, a result on its way back to its name gets it, and the empty file that reserved it goes', async () => {
  const dir = await folderWith({ [asideOf('whole')]: 'whole', 'out.webp': '' })
  await sweepLeftovers(dir, { isLive: () => false, links: withoutLinks })
  expect(await contents(dir)).toEqual({ 'out.webp': 'whole' })
})

it('with links, an empty file that has the name of one aside belongs to another and stays', async () => {
  const dir = await folderWith({ [asideOf('whole')]: 'another’s', 'out.webp': '' })
  await sweepLeftovers(dir, { isLive: () => false, links: { link } })
  expect(await contents(dir)).toEqual({ 'out.webp': '', 'out-2.webp': 'another’s' })
})

it('without links, an empty file that reserved the new name of a result goes', async () => {
  const dir = await folderWith({ 'out.webp': 'whole', 'new.webp': '' })
  expect(await finishRename(result(dir), 'new.webp', withoutLinks)).toBe(false)
  expect(await contents(dir)).toEqual({ 'out.webp': 'whole' })
})

it('a file with content, and with links an empty one too, keeps the name that a result was to have', async () => {
  for (const [content, links] of [
    ['another’s', withoutLinks],
    ['', { link }],
  ] as const) {
    const dir = await folderWith({ 'out.webp': 'whole', 'new.webp': content })
    expect(await finishRename(result(dir), 'new.webp', links)).toBe(false)
    expect(await contents(dir)).toEqual({ 'out.webp': 'whole', 'new.webp': content })
  }
})
