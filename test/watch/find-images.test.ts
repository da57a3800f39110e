import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { findImages, type FindOptions } from '../../src/main/watch/find-images.ts'
import { createPathFilter } from '../../src/main/watch/path-filter.ts'
import { walk } from '../../src/main/watch/walk.ts'
import { folderForTest } from '../temp-folder.ts'

let root: string

beforeEach(() => {
  root = folderForTest()
})

function write(name: string, content = 'x'): void {
  mkdirSync(join(root, name, '..'), { recursive: true })
  writeFileSync(join(root, name), content)
}

const ALL = { include: [], exclude: [], leftOut: [], own: NO_OWN_PLACES }

async function find(paths: string[] = [root], options: Partial<FindOptions> = {}): Promise<string[]> {
  const found = await findImages(paths, { ...ALL, ...options })
  return found.images.map(({ path }) => path.slice(root.length + 1))
}

const problems = async (paths: string[]): Promise<string[]> =>
  (await findImages(paths, ALL)).problems.map(({ reason }) => reason.code)

describe('looking through folders once', () => {
  it('finds pictures by name at any depth, in order, and nothing hidden', async () => {
    for (const name of 'b.PNG a.jpg x/y/z/c.webp x/a.jpg.alt.json x/.a.jpg .hangar-originals/a.jpg n.txt'.split(' ')) {
      write(name)
    }
    expect(await find()).toEqual(['a.jpg', 'b.PNG', 'x/y/z/c.webp'])
  })

  it('leaves out bins, snapshots and libraries, says which, and enters one that is named', async () => {
    const names = ['@Recycle/a.jpg', 'x/#snapshot/h/a.jpg', 'F.photoslibrary/originals/0/a.jpg', '@eaDir/a.jpg/t.jpg']
    for (const name of [...names, 'a.jpg']) write(name)
    const { images, problems, foreign } = await findImages([root], ALL)
    expect(images.map(({ path }) => path)).toEqual([join(root, 'a.jpg')])
    expect(problems).toEqual([])
    const expected = ['@Recycle bin', 'F.photoslibrary library', 'x/#snapshot snapshot']
    expect(foreign.map(({ path, reason }) => `${path.slice(root.length + 1)} ${reason.code}`).sort()).toEqual(expected)
    expect(await find([join(root, '@Recycle'), join(root, 'F.photoslibrary')])).toEqual([names[0], names[2]])
  })

  it('says nothing of a bin that a person excludes', async () => {
    for (const name of ['x/@Recycle/a.jpg', 'y/@Recycle/a.jpg']) write(name)
    expect((await findImages([root], { ...ALL, exclude: ['x', 'y/@Recycle'] })).foreign).toEqual([])
    expect((await findImages([root], ALL)).foreign).toHaveLength(2)
  })

  it('names each file once, whatever paths overlap', async () => {
    write('x/a.jpg')
    expect(await find([join(root, 'x', 'a.jpg'), root, join(root, 'x')])).toEqual(['x/a.jpg'])
  })

  it('leaves out the folder that results go to', async () => {
    write('a.jpg')
    write('out/a.jpg')
    expect(await find([root], { leftOut: [join(root, 'out')] })).toEqual(['a.jpg'])
  })

  it('takes a named file although it is hidden or excluded, but none of Hangar’s own', async () => {
    write('.a.jpg')
    write('b.jpg')
    write('.hangar-originals/c.jpg')
    const named = [join(root, '.a.jpg'), join(root, 'b.jpg'), join(root, '.hangar-originals/c.jpg')]
    expect(await find(named)).toEqual(['.a.jpg', 'b.jpg'])
    expect(await problems(named)).toEqual(['own_file'])
  })

  it('says of each named path why it is of no use', async () => {
    write('n.txt')
    write('IMG_0001.bmp')
    write('a.jpg')
    symlinkSync(join(root, 'a.jpg'), join(root, 'link.jpg'))
    const named = ['none', 'n.txt', 'IMG_0001.bmp', 'link.jpg'].map((name) => join(root, name))
    expect(await problems(named)).toEqual(['nothing_there', 'not_a_picture', 'not_a_picture', 'link'])
  })

  it('goes on past names that are not valid UTF-8, and says which', async () => {
    write('a.jpg')
    const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xfc, 0x72])])
    writeFileSync(Buffer.concat([bytes, Buffer.from('.jpg')]), 'x')
    mkdirSync(Buffer.concat([bytes, Buffer.from('dir')]))
    expect(await find()).toEqual(['a.jpg'])
    expect(await problems([root])).toEqual(['bad_name', 'bad_name'])
  })

  it('stops at once when aborted', async () => {
    for (let index = 0; index < 50; index++) write(`${index}/a.jpg`)
    const signal = AbortSignal.abort(new Error('called off'))
    for (const enough of [undefined, new AbortController().signal])
      await expect(find([root], { signal, ...(enough === undefined ? {} : { enough }) })).rejects.toThrow('called off')
  })

  it('ends a search that takes too long with what was found, and says so', async () => {
    for (let n = 0; n < 300; n += 1) write(`${n}/a.jpg`)
    const enough = new AbortController()
    const search = findImages([root], { ...ALL, enough: enough.signal })
    setImmediate(() => enough.abort())
    const found = await search
    expect(found.isCut).toBe(true)
    expect(found.images.length).toBeLessThan(300)
    expect((await findImages([root], ALL)).isCut).toBe(false)
  })
})

describe('a walk', () => {
  const filter = createPathFilter({ include: [], exclude: [], leftOut: [] })

  /** Permissions do not bind the superuser, so another user makes the walk; then the folder is open again. */
  async function walkAsAnother(locked: string, direct: boolean) {
    const seen = { found: [] as string[], skipped: [] as string[], why: [] as string[] }
    const isRoot = process.geteuid?.() === 0
    chmodSync(root, 0o755)
    if (isRoot) process.seteuid?.(65_534)
    try {
      await walk({
        rootDir: root,
        filter,
        direct,
        onFolder: ({ files }) => seen.found.push(...files.map(({ name }) => name)),
        onSkippedFolder: (folder) => seen.skipped.push(folder),
        onProblem: (problem) => seen.why.push(`${problem.path}: ${problem.reason.code}`),
      })
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(join(root, locked), 0o755)
    }
    return seen
  }

  it.each([true, false])('finds all files, directly (%s) or not, without standing still', async (direct) => {
    for (let index = 0; index < 3_000; index++) write(`d${index % 7}/e${index % 3}/${index}.jpg`)
    let found = 0
    let turns = 0
    const counter = setInterval(() => (turns += 1), 0)
    await walk({
      rootDir: root,
      filter,
      direct,
      onFolder: ({ files }) => (found += files.length),
      onProblem: ({ reason }) => expect.fail(reason.code),
    })
    clearInterval(counter)
    expect(found).toBe(3_000)
    expect(turns).toBeGreaterThan(0)
  })

  it('rejects when the root cannot be listed, and goes on past a folder that cannot', async () => {
    const nothing = { onFolder: () => undefined, onProblem: () => undefined }
    await expect(walk({ rootDir: join(root, 'none'), filter, direct: true, ...nothing })).rejects.toThrow('ENOENT')
    write('locked/a.jpg')
    write('open/b.jpg')
    chmodSync(join(root, 'locked'), 0)
    const expected = { found: ['b.jpg'], skipped: ['locked'], why: ['locked: folder_no_permission'] }
    expect(await walkAsAnother('locked', true)).toEqual(expected)
  })

  it.each([true, false])('names a folder that can be listed and not entered (direct calls: %s)', async (direct) => {
    write('shut/a.jpg')
    write('shut/b.jpg')
    write('shut/inner/c.jpg')
    write('open/d.jpg')
    chmodSync(join(root, 'shut'), process.geteuid?.() === 0 ? 0o644 : 0o600)
    const { found, why } = await walkAsAnother('shut', direct)
    expect(found).toEqual(['d.jpg'])
    expect(why.toSorted()).toEqual(['shut/inner: folder_no_permission', 'shut: folder_no_permission'])
  })
})
