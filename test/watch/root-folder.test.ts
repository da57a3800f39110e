import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { itWith, POSIX } from '../needs.ts'
import { findRootFolder, isStillThere, whyMissing } from '../../src/main/watch/root-folder.ts'
import { tempFolder } from '../files/temp-folder.ts'

const why = async (path: string) => {
  const root = await findRootFolder(path)
  return root.kind === 'missing' ? root.why.code : root.kind
}

describe('the root of a watched folder', () => {
  it('is there, is not there, or is no folder', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'file'), '')
    expect(await why(dir)).toBe('there')
    expect(await why(join(dir, 'nowhere'))).toBe('not_there')
    expect(await why(join(dir, 'file'))).toBe('not_a_folder')
  })

  itWith(POSIX)('is still there unless it went, another took its place, or a link to it points elsewhere', async () => {
    const dir = await tempFolder()
    const [link, real, other] = ['link', 'real', 'other'].map((name) => join(dir, name)) as [string, string, string]
    await mkdir(real)
    await mkdir(other)
    await symlink(real, link)
    const root = await findRootFolder(link)
    if (root.kind !== 'there') throw new Error('no root')
    const pointTo = async (target: string) => {
      await rm(link)
      await symlink(target, link)
    }
    expect(await isStillThere(link, root)).toBe(true)
    await pointTo(other)
    expect(await isStillThere(link, root)).toBe(false)
    await pointTo(real)
    await rename(real, join(dir, 'away'))
    expect(await isStillThere(link, root)).toBe(false)
    await rename(other, real)
    expect(await isStillThere(link, root)).toBe(false)
    await pointTo(join(dir, 'away'))
    // The same folder, elsewhere.
    expect(await isStillThere(link, root)).toBe(false)
    await rm(real, { recursive: true })
    await rename(join(dir, 'away'), real)
    await pointTo(real)
    expect(await isStillThere(link, root)).toBe(true)
  })

  itWith(POSIX)('is not there for a user who may not list it', async () => {
    const dir = await tempFolder()
    const locked = join(dir, 'locked')
    await mkdir(locked)
    await chmod(dir, 0o755)
    // To be entered is not enough.
    await chmod(locked, 0o711)
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid!(65_534)
    else await chmod(locked, 0o300)
    try {
      expect(await why(locked)).toBe('no_permission')
    } finally {
      if (isRoot) process.seteuid!(0)
      await chmod(locked, 0o755)
    }
  })
})

it.each(['EMFILE', 'ENFILE'])('that cannot be listed because of %s names what runs short, and not itself', (code) => {
  expect(whyMissing(Object.assign(new Error(code), { code }))).toMatchObject({ code: 'too_few_files' })
})
