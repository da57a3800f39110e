import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashFile, readSmallFile } from '../../src/main/files/regular-file.ts'
import { ORIGINALS_FOLDER, keptOriginalsOf } from '../../src/main/files/kept-originals.ts'
import { partName, sweepLeftovers } from '../../src/main/files/leftovers.ts'
import { replaceOriginal } from '../../src/main/files/replace-original.ts'
import { restoreOriginal } from '../../src/main/files/restore-original.ts'
import { findSidecars, writeSidecarFile } from '../../src/main/files/sidecar-file.ts'
import { discardStaged } from '../../src/main/files/stage-file.ts'
import { recordTree, type EntryRecord } from '../faults/tree-record.ts'
import { makeSidecar } from './make-sidecar.ts'
import { stageText } from './stage-text.ts'
import { jobId, sha256, tempFolder } from './temp-folder.ts'

/** What a user who may write in a folder can plant in it. */

const PART = partName(jobId(1), 'optimized')

/** A `share` where others may write, with the folder `dir` for results; and a `home` where nobody else may, with an `album` of pictures. */
async function makeWorld() {
  const share = await tempFolder()
  const home = await tempFolder()
  const dir = join(share, 'sub')
  await mkdir(dir)
  const album = join(home, 'album')
  await mkdir(join(album, ORIGINALS_FOLDER), { recursive: true })
  await writeFile(join(home, '.bashrc'), 'private', { mode: 0o600 })
  for (const name of ['photo.jpg', 'photo.jpg.alt.json', PART])
    await writeFile(join(album, name), `the private ${name}`, { mode: 0o600 })
  return { share, dir, home, album }
}

const stamps = (tree: ReadonlyMap<string, EntryRecord>) =>
  [...tree].map(([path, { kind, sha256, mode, mtimeNs, ino }]) => [path, kind, sha256, mode, mtimeNs, ino]).sort()

async function replacePictureOf(album: string): Promise<void> {
  const part = await stageText(album, 'smaller')
  const original = { path: join(album, 'photo.jpg'), sha256: sha256('the private photo.jpg') }
  await replaceOriginal({ replacer: 'ours', ...original, part, onPlanned: () => undefined })
}

const sidecarOf = (name: string) => makeSidecar({ source: { name, sha256: sha256('photo'), sizeBytes: 5 } })

it('a picture that takes the name of another gives its access to no result of the other', async () => {
  const world = await makeWorld()
  const path = join(world.dir, 'photo.jpg')
  await writeFile(path, 'private', { mode: 0o600 })
  const accessIf = { ino: `${(await lstat(path)).ino}`, sha256: sha256('private') }
  await writeFile(join(world.dir, 'other.jpg'), 'of another user')
  await chmod(join(world.dir, 'other.jpg'), 0o666)
  await rename(join(world.dir, 'other.jpg'), path)
  const modeOfResult = async (text: string) => {
    const part = await stageText(world.dir, text, { role: 'converted', accessFrom: path, accessIf })
    const { mode } = await lstat(part.partPath)
    await discardStaged(part)
    return mode & 0o777
  }
  expect(await modeOfResult('secret')).toBe(0o600)
  // Another inode of the same content is the same picture, as on some network file systems.
  await writeFile(path, 'private')
  expect(await modeOfResult('secret')).toBe(0o666)
})

describe('a folder that is a link to another', () => {
  it('is neither swept, restored, nor read for a sidecar', async () => {
    const world = await makeWorld()
    const { album } = world
    await rm(join(album, 'photo.jpg.alt.json'))
    await writeSidecarFile({ rootDir: album, targetDir: album, jobId: jobId(2), sidecar: sidecarOf('photo.jpg') })
    await replacePictureOf(world.album)
    await writeFile(join(album, PART), 'a part of a job that still runs')
    const before = stamps(recordTree(world.home))
    await rm(world.dir, { recursive: true })
    await symlink(album, world.dir)
    const [path, rootDir] = [join(world.dir, 'photo.jpg'), world.share]
    await expect(sweepLeftovers(world.dir, { rootDir, isLive: () => false })).rejects.toMatchObject({
      code: 'path_outside_root',
    })
    await expect(restoreOriginal(path, { rootDir, force: true })).rejects.toMatchObject({ code: 'path_outside_root' })
    expect(await findSidecars(world.dir, 'photo.jpg', rootDir)).toEqual([])
    expect(await keptOriginalsOf(path, rootDir)).toEqual([])
    const request = { rootDir, targetDir: world.dir, jobId: jobId(1), sidecar: sidecarOf('photo.jpg') }
    await expect(writeSidecarFile(request)).rejects.toMatchObject({ code: 'path_outside_root' })
    expect(stamps(recordTree(world.home))).toEqual(before)
  })
})

describe('the folder of kept originals', () => {
  it('that is a link to another one gives none of its originals away', async () => {
    const world = await makeWorld()
    await replacePictureOf(world.album)
    const before = stamps(recordTree(world.home))
    const path = join(world.dir, 'photo.jpg')
    await writeFile(path, 'smaller')
    await symlink(join(world.album, ORIGINALS_FOLDER), join(world.dir, ORIGINALS_FOLDER))
    expect(await keptOriginalsOf(path)).toEqual([])
    await expect(restoreOriginal(path)).rejects.toMatchObject({ code: 'path_outside_root' })
    await rm(path)
    await expect(restoreOriginal(path, { force: true })).rejects.toMatchObject({ code: 'path_outside_root' })
    expect(stamps(recordTree(world.home))).toEqual(before)
  })

  it('is read without waiting when its records are pipes, links or without an end', async () => {
    const world = await makeWorld()
    const originals = join(world.dir, ORIGINALS_FOLDER)
    await mkdir(originals)
    execFileSync('mkfifo', [join(originals, 'a.json'), join(originals, 'b')])
    await symlink('/dev/zero', join(originals, 'c.json'))
    execFileSync('truncate', ['-s', '1T', join(originals, 'd.json')])
    expect(await keptOriginalsOf(join(world.dir, 'photo.jpg'))).toEqual([])
    expect(await restoreOriginal(join(world.dir, 'photo.jpg'))).toEqual({ kind: 'nothing_kept' })
  })
})

describe('reading what others may have planted', () => {
  it('neither waits nor follows nor reads without end', async () => {
    const world = await makeWorld()
    const planted = (name: string) => join(world.dir, name)
    execFileSync('mkfifo', [planted('pipe')])
    await symlink(join(world.home, '.bashrc'), planted('link'))
    await symlink('/dev/zero', planted('device'))
    await mkdir(planted('folder'))
    await writeFile(planted('large'), Buffer.alloc(101))
    await writeFile(planted('small'), 'text')
    for (const name of ['pipe', 'link', 'device', 'folder', 'large', '/dev/zero']) {
      const path = name.startsWith('/') ? name : planted(name)
      expect(await readSmallFile(path, 100), name).toBeNull()
    }
    expect((await readSmallFile(planted('small'), 100))?.toString()).toBe('text')
    await expect(readSmallFile(planted('none'), 100)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('gives a file up that is larger than any of Hangar’s before hashing it', async () => {
    const world = await makeWorld()
    const path = join(world.dir, 'endless')
    execFileSync('truncate', ['-s', '8T', path])
    expect(await hashFile(path)).toBeNull()
  })
})

describe('a planted sidecar', () => {
  const planted = {
    deep: JSON.stringify(sidecarOf('photo.jpg')).replace(/}$/, `,"x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
    'deep in text': JSON.stringify({ ...sidecarOf('photo.jpg'), x: '[{"'.repeat(50_000) }),
    'quotes without end': '"\\"'.repeat(300_000),
  }
  it.each(Object.entries(planted))('with %s does not keep another from being written', async (label, text) => {
    const world = await makeWorld()
    const taken = join(world.dir, 'photo.jpg.alt.json')
    await writeFile(taken, text)
    const request = { rootDir: world.share, targetDir: world.dir, jobId: jobId(1), sidecar: sidecarOf('photo.jpg') }
    const { path } = await writeSidecarFile(request)
    // What is only long is a sidecar, and is merged with.
    expect(path).toBe(label === 'deep in text' ? taken : join(world.dir, 'photo.jpg-2.alt.json'))
    expect((await findSidecars(world.dir, 'photo.jpg')).map((found) => found.path)).toEqual([path])
    if (path !== taken) expect(await readFile(taken, 'utf8')).toBe(text)
  })

  it('that is a pipe, a folder or a socket is passed over', async () => {
    const world = await makeWorld()
    execFileSync('mkfifo', [join(world.dir, 'photo.jpg.alt.json')])
    await mkdir(join(world.dir, 'photo.jpg-2.alt.json'))
    const request = { rootDir: world.share, targetDir: world.dir, jobId: jobId(1), sidecar: sidecarOf('photo.jpg') }
    expect((await writeSidecarFile(request)).path).toBe(join(world.dir, 'photo.jpg-3.alt.json'))
  })
})
