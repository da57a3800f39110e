import { link, lstat, mkdir, readFile, readdir, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ORIGINALS_FOLDER, keptOriginalsOf } from '../../src/main/files/kept-originals.ts'
import { replaceOriginal } from '../../src/main/files/replace-original.ts'
import type { ReplaceRequest } from '../../src/main/files/replace-original.ts'
import { restoreOriginal } from '../../src/main/files/restore-original.ts'
import { discardStaged, stageFile } from '../../src/main/files/stage-file.ts'
import type { LinkPort } from '../../src/main/files/take-name.ts'
import { fingerprint, jobId, sha256, tempFolder } from './temp-folder.ts'

const withoutLinks: LinkPort = {
  link: () => Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' })),
}

async function original(text = 'original'): Promise<{ dir: string; path: string }> {
  const dir = await tempFolder()
  const path = join(dir, 'photo.jpg')
  await writeFile(path, text, { mode: 0o640 })
  await utimes(path, 1_600_000_000, 1_500_000_000.25)
  return { dir, path }
}

async function replace(
  dir: string,
  text: string,
  was: string,
  more: Partial<ReplaceRequest> = {},
): Promise<'replaced' | 'changed'> {
  const part = await stageFile(
    { rootDir: dir, targetDir: dir, jobId: jobId(1), role: 'optimized', maxBytes: 1000 },
    (sink) => sink(Buffer.from(text)),
  )
  onTestFinished(() => discardStaged(part))
  const path = join(dir, 'photo.jpg')
  return replaceOriginal({ path, part, sha256: sha256(was), onPlanned: () => undefined, ...more })
}

describe.each([
  ['with links', { link }],
  ['without links', withoutLinks],
])('replacing and restoring an original %s', (label, links) => {
  /** Without links the backup is a copy: same bytes and, to the microsecond, time; another inode. */
  const identity = async (path: string) => {
    const print = await fingerprint(path)
    const [hash, mtimeNs] = print.split(' ')
    return label === 'with links' ? print : `${hash} ${Math.round(Number(mtimeNs) / 1000)}`
  }

  it('keeps the original itself and brings it back as it was', async () => {
    const { dir, path } = await original()
    const before = await identity(path)
    expect(await replace(dir, 'smaller', 'original', { links })).toBe('replaced')
    expect(await readFile(path, 'utf8')).toBe('smaller')
    expect((await lstat(path)).mode & 0o777).toBe(0o640)
    const [kept] = await keptOriginalsOf(path)
    expect(await identity(kept?.filePath ?? '')).toBe(before)
    expect((await readdir(dir)).sort()).toEqual([ORIGINALS_FOLDER, 'photo.jpg'])
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'restored', sha256: sha256('original') })
    expect(await identity(path)).toBe(before)
    expect(await readdir(join(dir, ORIGINALS_FOLDER))).toEqual([])
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'nothingKept' })
  })

  it('never lets a later replacement take the place of the first original', async () => {
    const { dir, path } = await original()
    const before = await identity(path)
    await replace(dir, 'once', 'original', { links })
    expect(await replace(dir, 'twice', 'once', { links })).toBe('replaced')
    expect((await keptOriginalsOf(path)).length).toBe(1)
    await restoreOriginal(path, { links })
    expect(await identity(path)).toBe(before)
  })

  it('brings the original back when what replaced it was removed', async () => {
    const { dir, path } = await original()
    await replace(dir, 'smaller', 'original', { links })
    await unlink(path)
    expect(await restoreOriginal(path, { links })).toMatchObject({ kind: 'restored' })
    expect(await readFile(path, 'utf8')).toBe('original')
  })

  it('leaves a file alone that a person changed since, and loses neither when forced', async () => {
    const { dir, path } = await original()
    await replace(dir, 'smaller', 'original', { links })
    await writeFile(path, 'edited')
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'changedSince' })
    expect(await readFile(path, 'utf8')).toBe('edited')
    expect(await restoreOriginal(path, { force: true, links })).toMatchObject({ kind: 'restored' })
    expect(await readFile(path, 'utf8')).toBe('original')
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'changedSince' })
    expect(await restoreOriginal(path, { force: true, links })).toMatchObject({ kind: 'restored' })
    expect(await readFile(path, 'utf8')).toBe('edited')
    const [kept] = await keptOriginalsOf(path)
    expect(await readFile(kept?.filePath ?? '', 'utf8')).toBe('original')
  })

  it('does nothing to an original that is not what was taken in', async () => {
    const { dir, path } = await original('other')
    const before = await fingerprint(path)
    expect(await replace(dir, 'smaller', 'original', { links })).toBe('changed')
    expect(await fingerprint(path)).toBe(before)
    await unlink(path)
    expect(await replace(dir, 'smaller', 'original', { links })).toBe('changed')
    await symlink('elsewhere', path)
    expect(await replace(dir, 'smaller', 'original', { links })).toBe('changed')
    expect((await lstat(path)).isSymbolicLink()).toBe(true)
  })

  it('does nothing when the original is changed or swapped in the last moment', async () => {
    for (const change of ['write', 'swap', 'remove'] as const) {
      const { dir, path } = await original()
      const onPlanned = async () => {
        if (change === 'remove') return unlink(path)
        if (change === 'write') return writeFile(path, 'their new text')
        await writeFile(`${path}.new`, 'original')
        await rename(`${path}.new`, path)
      }
      expect(await replace(dir, 'smaller', 'original', { links, onPlanned }), change).toBe('changed')
      const now = await readFile(path, 'utf8').catch(() => null)
      expect(now).toBe({ write: 'their new text', swap: 'original', remove: null }[change])
    }
  })

  it('goes on after a crash at any point', async () => {
    for (const crash of ['before the swap', 'after the swap'] as const) {
      const { dir, path } = await original()
      if (crash === 'before the swap') {
        const onPlanned = () => Promise.reject(new Error('crash'))
        await expect(replace(dir, 'smaller', 'original', { links, onPlanned })).rejects.toThrow()
        expect(await readFile(path, 'utf8')).toBe('original')
        expect(await restoreOriginal(path, { links })).toEqual({ kind: 'alreadyOriginal' })
      } else await replace(dir, 'smaller', 'original', { links })
      expect(await replace(dir, 'smaller', 'original', { links }), crash).toBe('replaced')
      expect((await keptOriginalsOf(path)).length).toBe(1)
      await restoreOriginal(path, { links })
      expect(await readFile(path, 'utf8')).toBe('original')
    }
  })

  it('never writes over a foreign file among the kept originals', async () => {
    const { dir, path } = await original()
    const folder = join(dir, ORIGINALS_FOLDER)
    await mkdir(folder)
    const name = `${sha256('original').slice(0, 16)}-photo.jpg`
    await writeFile(join(folder, name), 'not yours')
    await writeFile(join(dir, 'target'), 'target')
    await symlink('../target', join(folder, `${sha256('original').slice(0, 16)}-2-photo.jpg.json.draft`))
    await writeFile(join(folder, 'junk.json'), '{"hangarOriginal":')
    expect(await replace(dir, 'smaller', 'original', { links })).toBe('replaced')
    expect(await readFile(join(folder, name), 'utf8')).toBe('not yours')
    expect(await readFile(join(dir, 'target'), 'utf8')).toBe('target')
    await restoreOriginal(path, { links })
    expect(await readFile(path, 'utf8')).toBe('original')
  })
})

describe('the folder of kept originals', () => {
  it('is not made through a link that leads out', async () => {
    const { dir, path } = await original()
    const outside = await tempFolder()
    await symlink(outside, join(dir, ORIGINALS_FOLDER))
    await expect(replace(dir, 'smaller', 'original')).rejects.toMatchObject({ code: 'path_outside_root' })
    expect(await readdir(outside)).toEqual([])
    expect(await readFile(path, 'utf8')).toBe('original')
  })
})
