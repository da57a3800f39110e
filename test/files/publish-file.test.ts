import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, link, lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itWith, LINUX_ROOT } from '../needs.ts'
import { partName, sweepLeftovers, tagOf } from '../../src/main/files/leftovers.ts'
import { discardStaged, stageFile, type StageRequest } from '../../src/main/files/stage-file.ts'
import { names, publish, stageText } from './stage-text.ts'
import { fingerprint, jobId, sha256, tempFolder, withoutLinks } from './temp-folder.ts'

const stage = (dir: string, text: string, n = 1, more: Partial<StageRequest> = {}) =>
  stageText(dir, text, { jobId: jobId(n), role: 'converted', ...more })

describe('stageFile', () => {
  it('writes a hidden file with the mode of the source and tells its hash', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'source.jpg'), 'x', { mode: 0o600 })
    const part = await stage(dir, 'hello', 1, { accessFrom: join(dir, 'source.jpg') })
    const expected = { sha256: sha256('hello'), sizeBytes: 5, partPath: join(dir, partName(jobId(1), 'converted')) }
    expect(part).toMatchObject(expected)
    expect((await lstat(part.partPath)).mode & 0o777).toBe(0o600)
    await discardStaged(part)
    await discardStaged(part)
    expect(await readdir(dir)).toEqual(['source.jpg'])
  })

  it('leaves nothing behind when the producer fails or gives too much', async () => {
    const dir = await tempFolder()
    await expect(stage(dir, 'toolong', 1, { maxBytes: 3 })).rejects.toMatchObject({ code: 'bad_request' })
    const request = { rootDir: dir, targetDir: dir, jobId: jobId(1), role: 'converted', maxBytes: 10 } as const
    const failure = new Error('cut off')
    await expect(stageFile(request, () => Promise.reject(failure))).rejects.toBe(failure)
    expect(await readdir(dir)).toEqual([])
  })

  it('replaces a part that a crash left of the same job, also when it is a link', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'precious'), 'precious')
    await symlink('precious', join(dir, partName(jobId(1), 'converted')))
    const part = await stage(dir, 'new')
    expect(await readFile(part.partPath, 'utf8')).toBe('new')
    expect(await readFile(join(dir, 'precious'), 'utf8')).toBe('precious')
  })

  it('makes missing folders inside the root and none outside of it', async () => {
    const dir = await tempFolder()
    const outside = await tempFolder()
    await stage(dir, 'x', 1, { targetDir: join(dir, 'a', 'b') })
    expect(await readdir(join(dir, 'a', 'b'))).toEqual([partName(jobId(1), 'converted')])
    await symlink(outside, join(dir, 'door'))
    for (const targetDir of [join(dir, 'door'), join(dir, 'door', 'new'), join(dir, '..'), outside]) {
      await expect(stage(dir, 'x', 1, { targetDir })).rejects.toMatchObject({ code: 'path_outside_root' })
    }
    expect(await readdir(outside)).toEqual([])
  })
})

describe.each([
  ['with links', { link }],
  ['without links', withoutLinks('ENOTSUP')],
  ['without links, on FAT under Windows', withoutLinks('EISDIR')],
])('publishFile %s', (_label, links) => {
  it('gives the first free name, plans it first and leaves no part', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'out.webp'), 'theirs')
    const theirs = await fingerprint(join(dir, 'out.webp'))
    const planned: [string, boolean][] = []
    const onPlanned = async (path: string) => {
      planned.push([path, (await readdir(dir)).includes('out-2.webp')])
    }
    expect(await publish(await stage(dir, 'ours'), { onPlanned, links })).toBe(join(dir, 'out-2.webp'))
    expect(planned).toEqual([[join(dir, 'out-2.webp'), false]])
    expect((await readdir(dir)).sort()).toEqual(['out-2.webp', 'out.webp'])
    expect(await readFile(join(dir, 'out-2.webp'), 'utf8')).toBe('ours')
    expect(await fingerprint(join(dir, 'out.webp'))).toBe(theirs)
  })

  it('takes the next name when the planned one is taken in the last moment', async () => {
    const dir = await tempFolder()
    const onPlanned = async (path: string) => {
      if (path.endsWith('out.webp')) await writeFile(path, 'faster')
    }
    expect(await publish(await stage(dir, 'ours'), { onPlanned, links })).toBe(join(dir, 'out-2.webp'))
    expect(await readFile(join(dir, 'out.webp'), 'utf8')).toBe('faster')
  })

  it('replaces our own earlier output, and only while it is what we wrote', async () => {
    const dir = await tempFolder()
    const first = await publish(await stage(dir, 'one'), { links })
    const isOwn = (path: string) => (path === first ? sha256('one') : null)
    expect(await publish(await stage(dir, 'two', 2), { isOwn, links })).toBe(first)
    expect(await readFile(first, 'utf8')).toBe('two')
    expect(await readdir(dir)).toEqual(['out.webp'])
    await writeFile(first, 'edited by a person')
    expect(await publish(await stage(dir, 'three', 3), { isOwn, links })).toBe(join(dir, 'out-2.webp'))
    expect(await readFile(first, 'utf8')).toBe('edited by a person')
  })

  it('leaves a file alone that took the place of our output just before it made way', async () => {
    const dir = await tempFolder()
    const first = await publish(await stage(dir, 'one'), { links })
    const onPlanned = (path: string) => (path === first ? writeFile(path, 'theirs') : undefined)
    const isOwn = (path: string) => (path === first ? sha256('one') : null)
    expect(await publish(await stage(dir, 'two', 2), { isOwn, onPlanned, links })).toBe(join(dir, 'out-2.webp'))
    expect(await readFile(first, 'utf8')).toBe('theirs')
    expect((await readdir(dir)).sort()).toEqual(['out-2.webp', 'out.webp'])
  })

  it('counts a result as published that a crash left under its planned name', async () => {
    const dir = await tempFolder()
    const first = await publish(await stage(dir, 'same'), { links })
    const isOwn = (path: string) => (path === first ? sha256('same') : null)
    expect(await publish(await stage(dir, 'same'), { isOwn, links })).toBe(first)
    expect(await readdir(dir)).toEqual(['out.webp'])
  })

  it('does not adopt a foreign file, even one with the same bytes', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'out.webp'), 'same')
    expect(await publish(await stage(dir, 'same'), { links })).toBe(join(dir, 'out-2.webp'))
  })

  it('passes over names that differ from a taken one only in case or accent form', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'OUT.WEBP'), 'theirs')
    expect(await publish(await stage(dir, 'ours'), { links })).toBe(join(dir, 'out-2.webp'))
  })

  it('gives many results that want one name a name each', async () => {
    const dir = await tempFolder()
    const parts = await Promise.all(Array.from({ length: 20 }, (_, n) => stage(dir, `text ${n}`, n)))
    const cases = (n: number) => (n % 2 === 0 ? names(n).toUpperCase() : names(n))
    const paths = await Promise.all(parts.map((part) => publish(part, { links, names: cases })))
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(20)
    for (const [n, path] of paths.entries()) expect(await readFile(path, 'utf8')).toBe(`text ${n}`)
  })

  it('creates nothing outside the folder, whatever the name', async () => {
    const dir = await tempFolder()
    const inner = join(dir, 'inner')
    for (const name of ['../x', '/etc/x', '..', '.', '', 'a/b', 'a\0b']) {
      const part = await stage(inner, 'x')
      await expect(publish(part, { names: () => name, links })).rejects.toMatchObject({ code: 'path_outside_root' })
    }
    expect(await readdir(dir)).toEqual(['inner'])
  })
})

describe('sweepLeftovers', () => {
  const nobody = { isLive: () => false }

  it('removes parts of dead jobs and nothing else', async () => {
    const dir = await tempFolder()
    const live = partName(jobId(2), 'optimized')
    const kept = ['photo.jpg', '.hangar-x.part', `${partName(jobId(1), 'optimized')}.txt`, '.hangar-originals', live]
    for (const name of kept) await writeFile(join(dir, name), 'x')
    await writeFile(join(dir, partName(jobId(1), 'optimized')), 'half')
    await mkdir(join(dir, partName(jobId(3), 'optimized')))
    await symlink('photo.jpg', join(dir, partName(jobId(4), 'sidecar')))
    const outcome = await sweepLeftovers(dir, { isLive: (tag) => tag === tagOf(jobId(2)) })
    expect(outcome).toBe(1)
    const left = [...kept, partName(jobId(3), 'optimized'), partName(jobId(4), 'sidecar')]
    expect((await readdir(dir)).sort()).toEqual(left.sort())
    expect(await sweepLeftovers(join(dir, 'none'), nobody)).toBe(0)
  })
})

describe('when the disk refuses', () => {
  const isRoot = process.getuid?.() === 0

  itWith(LINUX_ROOT)('says that the disk is full and leaves nothing', async () => {
    const dir = await tempFolder()
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir]).status === 0
    expect(mounted, 'a tmpfs can be mounted').toBe(true)
    try {
      const part = await stage(dir, 'small', 1)
      const request = { rootDir: dir, targetDir: dir, jobId: jobId(2), role: 'optimized', maxBytes: 1e9 } as const
      await expect(stageFile(request, (sink) => sink(Buffer.alloc(500_000)))).rejects.toMatchObject({
        code: 'disk_full',
      })
      expect(await readdir(dir)).toEqual([partName(jobId(1), 'converted')])
      expect(await publish(part)).toBe(join(dir, 'out.webp'))
    } finally {
      execFileSync('umount', [dir])
    }
  })

  it('says that a folder may not be written, and leaves a staged part for later', async () => {
    const dir = await tempFolder()
    const script = `
      import { stageFile } from ${JSON.stringify(new URL('../../src/main/files/stage-file.ts', import.meta.url).href)}
      const dir = process.argv[1]
      const request = { rootDir: dir, targetDir: dir, jobId: ${JSON.stringify(jobId(1))}, role: 'optimized', maxBytes: 10 }
      await stageFile(request, (sink) => sink(Buffer.from('x'))).catch((error) => console.log(error.code))`
    await chmod(dir, 0o555)
    const node = [process.execPath, '--input-type=module', '-e', script, dir]
    const command = isRoot
      ? ['setpriv', '--reuid=65534', '--clear-groups', '--bounding-set=-all', '--inh-caps=-all', ...node]
      : node
    const { stdout, stderr } = spawnSync(command[0] ?? '', command.slice(1), { encoding: 'utf8' })
    expect(stdout.trim(), stderr).toBe('not_writable')
    expect(await readdir(dir)).toEqual([])
  })
})
