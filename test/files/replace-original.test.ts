import { execFileSync } from 'node:child_process'
import {
  chmod,
  link,
  lstat,
  lutimes,
  mkdir,
  readFile,
  readdir,
  rename,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ORIGINALS_FOLDER, keptOriginalsOf } from '../../src/main/files/kept-originals.ts'
import { whyNotReplaceable } from '../../src/main/files/may-replace.ts'
import { replaceOriginal, type ReplaceOutcome, type ReplaceRequest } from '../../src/main/files/replace-original.ts'
import { restoreOriginal } from '../../src/main/files/restore-original.ts'
import { exchangeFile } from '../../src/main/files/publish-file.ts'
import type { LinkPort } from '../../src/main/files/take-name.ts'
import { say } from '../../src/shared/sentences/sentence.ts'
import { itWith, POSIX, programs } from '../needs.ts'
import { stageText } from './stage-text.ts'
import { fingerprint, jobId, sha256, tempFolder, withoutLinks } from './temp-folder.ts'

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
  { replacer = 'ours', ...more }: Partial<ReplaceRequest> = {},
): Promise<ReplaceOutcome> {
  const part = await stageText(dir, text, { jobId: jobId(replacer === 'ours' ? 1 : 2) })
  const path = join(dir, 'photo.jpg')
  return replaceOriginal({ path, part, sha256: sha256(was), replacer, onPlanned: () => undefined, ...more })
}

describe.each([
  ['with links', { link }],
  ['without links', withoutLinks('EPERM')],
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
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'restored' })
    expect(await identity(path)).toBe(before)
    expect(await readdir(join(dir, ORIGINALS_FOLDER))).toEqual([])
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'nothing_kept' })
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

  it('is done by one of two Hangars that come at the same time, and the original comes back', async () => {
    const { dir, path } = await original()
    const before = await identity(path)
    const meanwhile: LinkPort = {
      link: async (from, to) => {
        const theirs = await replace(dir, 'theirs', 'original', { links, replacer: 'theirs' })
        expect(theirs).toEqual({ loser: 'another_hangar' })
        return links.link(from, to)
      },
    }
    expect(await replace(dir, 'ours', 'original', { links: meanwhile })).toBe('replaced')
    expect(await readFile(path, 'utf8')).toBe('ours')
    expect(await restoreOriginal(path, { links })).toMatchObject({ kind: 'restored' })
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
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'changed_since' })
    expect(await readFile(path, 'utf8')).toBe('edited')
    expect(await restoreOriginal(path, { force: true, links })).toMatchObject({ kind: 'restored' })
    expect(await readFile(path, 'utf8')).toBe('original')
    expect(await restoreOriginal(path, { links })).toEqual({ kind: 'changed_since' })
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

  it('does nothing when the original is changed, with its size and time kept or not, or swapped in the last moment', async () => {
    for (const change of ['write', 'rewrite', 'swap', 'remove'] as const) {
      const { dir, path } = await original()
      const onPlanned = async () => {
        if (change === 'remove') return unlink(path)
        if (change === 'write') return writeFile(path, 'their new text')
        if (change === 'rewrite') {
          await writeFile(path, 'ORIGINAL')
          return utimes(path, 1_600_000_000, 1_500_000_000.25)
        }
        await writeFile(`${path}.new`, 'original')
        await rename(`${path}.new`, path)
      }
      expect(await replace(dir, 'smaller', 'original', { links, onPlanned }), change).toBe('changed')
      const now = await readFile(path, 'utf8').catch(() => null)
      const wanted = { write: 'their new text', rewrite: 'ORIGINAL', swap: 'original', remove: null }
      expect(now).toBe(wanted[change])
    }
  })

  it('goes on after a crash at any point', async () => {
    for (const crash of ['before the swap', 'after the swap'] as const) {
      const { dir, path } = await original()
      if (crash === 'before the swap') {
        const onPlanned = () => Promise.reject(new Error('crash'))
        await expect(replace(dir, 'smaller', 'original', { links, onPlanned })).rejects.toThrow()
        expect(await readFile(path, 'utf8')).toBe('original')
        expect(await restoreOriginal(path, { links })).toEqual({ kind: 'already_original' })
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

it('the folder of kept originals is not made through a link that leads out', async () => {
  const { dir, path } = await original()
  const outside = await tempFolder()
  await symlink(outside, join(dir, ORIGINALS_FOLDER))
  await expect(replace(dir, 'smaller', 'original')).rejects.toMatchObject({ code: 'path_outside_root' })
  expect(await readdir(outside)).toEqual([])
  expect(await readFile(path, 'utf8')).toBe('original')
})

describe('where another Hangar replaces', () => {
  it('nothing is done until an hour after its last picture, and it is known before anything is paid for', async () => {
    const { dir, path } = await original()
    await writeFile(join(dir, 'other.jpg'), 'other')
    const why = (replacer: string) =>
      whyNotReplaceable({ path: join(dir, 'other.jpg'), rootDir: dir, jobId: jobId(2), replacer })
    const held = say('replace_by_another', { name: 'other.jpg' })
    expect(await replace(dir, 'smaller', 'original', { replacer: 'theirs' })).toBe('replaced')
    expect(await replace(dir, 'smallest', 'smaller', { replacer: 'ours' })).toEqual({ loser: 'another_hangar' })
    expect(await readFile(path, 'utf8')).toBe('smaller')
    expect([await why('ours'), await why('theirs')]).toEqual([held, null])
    const hold = join(dir, ORIGINALS_FOLDER, 'replaced-by')
    const anHourAgo = Date.now() / 1000 - 3601
    await utimes(hold, anHourAgo, anHourAgo)
    expect(await why('ours')).toBeNull()
    expect(await replace(dir, 'smallest', 'smaller', { replacer: 'ours' })).toBe('replaced')
    expect([await why('ours'), await why('theirs')]).toEqual([null, held])
    await restoreOriginal(path)
    expect(await readdir(join(dir, ORIGINALS_FOLDER))).toEqual([])
  })

  it('a half-written note of who replaces, left by a crash, is used up', async () => {
    const { dir } = await original()
    await mkdir(join(dir, ORIGINALS_FOLDER))
    await writeFile(join(dir, ORIGINALS_FOLDER, 'replaced-by.ours.draft'), 'ou')
    expect(await replace(dir, 'smaller', 'original')).toBe('replaced')
    const hidden = (await readdir(join(dir, ORIGINALS_FOLDER))).filter((name) => /^replaced-by|part$/.test(name))
    expect(hidden).toEqual(['replaced-by'])
    expect(await readFile(join(dir, ORIGINALS_FOLDER, 'replaced-by'), 'utf8')).toBe('ours')
  })

  it('something planted there is neither followed nor waited for', async () => {
    const { dir, path } = await original()
    await mkdir(join(dir, ORIGINALS_FOLDER))
    const hold = join(dir, ORIGINALS_FOLDER, 'replaced-by')
    await writeFile(join(dir, 'private'), 'theirs')
    await symlink('../private', hold)
    expect(await replace(dir, 'smaller', 'original')).toEqual({ loser: 'another_hangar' })
    await lutimes(hold, 1, 1)
    expect(await replace(dir, 'smaller', 'original')).toBe('replaced')
    expect(await readFile(join(dir, 'private'), 'utf8')).toBe('theirs')
    expect(await readFile(path, 'utf8')).toBe('smaller')
  })
})

describe('what replaces an original', () => {
  it('has its time, but not where only that would show new content', async () => {
    const { dir, path } = await original()
    const modified = async () => Math.round((await lstat(path)).mtimeMs)
    await replace(dir, 'smaller', 'original')
    expect(await modified()).toBe(1_500_000_000_250)
    await replace(dir, 'another', 'smaller')
    expect(await modified()).toBeGreaterThan(1_600_000_000_000)
  })

  itWith(programs('getfattr', 'setfattr'))(
    'has its extended attributes, as a kept copy and later results do',
    async () => {
      const linesOf = (program: string, ...args: string[]) =>
        execFileSync(program, args, { encoding: 'utf8' }).split('\n')
      const attributes = (of: string) =>
        linesOf('getfattr', '-d', '-m', '^user', '--absolute-names', of).slice(1).join('')
      const { dir, path } = await original()
      execFileSync('setfattr', ['-n', 'user.xdg.tags', '-v', 'Sommer, Oma', path])
      await chmod(path, 0o444)
      expect(await replace(dir, 'smaller', 'original', { links: withoutLinks('EPERM') })).toBe('replaced')
      const [kept] = await keptOriginalsOf(path)
      for (const each of [path, kept?.filePath ?? '']) {
        expect(attributes(each)).toBe('user.xdg.tags="Sommer, Oma"')
        expect((await lstat(each)).mode & 0o777).toBe(0o444)
      }
      const part = await stageText(dir, 'edited', { accessFrom: path })
      await chmod(path, 0o644)
      await exchangeFile({ part, name: 'photo.jpg', recorded: sha256('smaller'), onPlanned: () => undefined })
      expect(await readFile(path, 'utf8')).toBe('edited')
      expect(attributes(path)).toBe('user.xdg.tags="Sommer, Oma"')
    },
  )

  itWith(POSIX)('is kept in a folder with the access of the one it lies in', async () => {
    const modeOfKept = async (mode: number) => {
      const { dir } = await original()
      await chmod(dir, mode)
      expect(await replace(dir, 'smaller', 'original')).toBe('replaced')
      return ((await lstat(join(dir, ORIGINALS_FOLDER))).mode & 0o7777).toString(8)
    }
    expect(await modeOfKept(0o700)).toBe('700')
    expect(await modeOfKept(0o775)).toBe('775')
    expect(await modeOfKept(0o1777)).toBe('1777')
    expect(await modeOfKept(0o2770)).toBe('770')
  })
})
