import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import { workedMs } from '../worked-ms.ts'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { findImages } from '../../src/main/watch/find-images.ts'
import { IgnoreFiles } from '../../src/main/watch/ignore-files.ts'
import { KnownFiles } from '../../src/main/watch/known-files.ts'
import { reconcile } from '../../src/main/watch/reconcile.ts'
import { acceptsPath, createPathFilter } from '../../src/main/watch/path-filter.ts'
import { folderForTest } from '../temp-folder.ts'

let root: string

beforeEach(() => {
  root = folderForTest()
})

const DEEP = Array(60).fill('a').join('/')
const NO_GLOBS = { include: [], exclude: [], leftOut: [], own: NO_OWN_PLACES }

function put(path: string, text = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Relative paths of what is found, why something is left out, and the longest work during which nothing else got its turn. */
async function find(): Promise<{ found: string[]; codes: string[]; stillMs: number }> {
  let [last, stillMs] = [workedMs(), 0]
  const beat = setInterval(() => {
    stillMs = Math.max(stillMs, workedMs() - last)
    last = workedMs()
  }, 1)
  const { images, problems } = await findImages([root], NO_GLOBS)
  stillMs = Math.max(stillMs, workedMs() - last)
  clearInterval(beat)
  return {
    found: images.map(({ path }) => path.slice(root.length + 1)),
    codes: problems.map(({ reason }) => reason.code),
    stillMs,
  }
}

describe('an ignore file that another user wrote', () => {
  it('with nested "**" and a deep tree is decided at once, and as it says', async () => {
    put(`${DEEP}/picture.jpg`)
    put(`${DEEP}/b/picture.jpg`)
    put('.hangarignore', `${'**/a/'.repeat(14)}b\n`)
    const { found, stillMs } = await find()
    expect(found).toEqual([`${DEEP}/picture.jpg`])
    expect(stillMs).toBeLessThan(5000)
  })

  it.each([
    ['stars', `${'*a'.repeat(2000)}b`],
    ['a long line', `${'*a'.repeat(200_000)}b`],
    ['sets', `${'[a-z]*'.repeat(5000)}!`],
    ['deep stars', `${'**/*a*a*a*a/'.repeat(60)}x`],
  ])('with %s costs a bounded time, and what cannot be decided is left out and said', async (_, line) => {
    const name = 'a'.repeat(200)
    put(`${DEEP}/${name}.jpg`)
    for (let n = 0; n < 20; n += 1) put(`${name}${n}.jpg`)
    put('.hangarignore', `${Array(50).fill(line).join('\n').slice(0, 1_000_000)}\n`)
    const { found, codes, stillMs } = await find()
    // Whatever is not found was left out with a reason.
    if (found.length < 21) expect(codes).toContain('ignore_too_costly')
    expect(stillMs).toBeLessThan(5000)
  })

  it('with too many lines is not used: all beside and below it is left out, nothing else, and it is said', async () => {
    put('sub/.hangarignore', 'x\n'.repeat(100_000))
    put('sub/deep/a.jpg')
    put('b.jpg')
    expect(await find()).toMatchObject({ found: ['b.jpg'], codes: ['ignore_too_many'] })
  })

  it('takes braces and groups for plain characters, as git does', async () => {
    put('.hangarignore', '{1..1000000}\n+(+(+(a)))\n')
    put('a.jpg')
    expect(await find()).toMatchObject({ found: ['a.jpg'], codes: [] })
  })
})

describe('a glob of a folder', () => {
  it.each(['{1..1000000}', '{a,b}'.repeat(50), '+(+(+(a)))b', '!(a|b)', '@(a|b).jpg', '{a,b'])(
    'that stands for too many or for a group is refused: %s',
    (glob) => expect(() => createPathFilter({ ...NO_GLOBS, exclude: [glob] })).toThrow('The pattern'),
  )

  it('with many stars is decided at once, and what cannot be decided is left out', () => {
    const filter = createPathFilter({ ...NO_GLOBS, exclude: Array(100).fill(`${'*a'.repeat(240)}b`) as string[] })
    const path = `${Array(15).fill('a'.repeat(250)).join('/')}/${'a'.repeat(250)}.jpg`
    const startedMs = workedMs()
    expect(acceptsPath(filter, path)).toBe(false)
    expect(workedMs() - startedMs).toBeLessThan(5000)
  })

  it('may hold parentheses that group nothing', () => {
    const filter = createPathFilter({ ...NO_GLOBS, exclude: ['photo (1).jpg'] })
    expect(filter.file('x/Photo (1).jpg', 'Photo (1).jpg')).toBe(false)
  })
})

/**
 * In a pattern with a slash git lets stars that directly follow its first, plain characters cross slashes, as `/b**` does;
 * gitignore(5) says that they are regular stars, and so they are here.
 */
const crossesSlashesInGit = (line: string): boolean => line.includes('/') && /^!?\/?[^*?[\\]*[^*?[\\/]\*\*/.test(line)

describeWith(programs('git'))('ignore files', () => {
  it('mean what they mean to git', () => {
    execFileSync('git', ['init', '-q', root])
    execFileSync('git', ['-C', root, 'config', 'core.ignoreCase', 'true'])
    const names = ['a', 'b', 'ab', 'a.jpg', 'b-1.jpg', '[x].jpg', 'a b.jpg']
    const path = fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 }), fc.constantFrom(...names.slice(3)))
      .map(([dirs, name]) => [...dirs, name].join('/'))
    const part = fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '*.jpg',
      'a*',
      '\\[x].jpg',
      'a b.jpg',
      '***',
      '-1',
    )
    const line = fc
      .tuple(
        fc.constantFrom('', '', '', '!', '/', '!/'),
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('/', '/', ''),
        fc.constantFrom('', '', '/', ' '),
      )
      .map(([before, parts, between, after]) => before + parts.join(between) + after)
      .filter((text) => !crossesSlashesInGit(text))
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.array(path, { minLength: 1, maxLength: 8 }),
        (lines, paths) => {
          writeFileSync(join(root, '.gitignore'), `${lines.join('\n')}\n`)
          writeFileSync(join(root, '.hangarignore'), `${lines.join('\n')}\n`)
          const answer = spawnSync('git', ['-C', root, 'check-ignore', '--no-index', '--stdin', '-z'], {
            input: paths.join('\0'),
          })
          const ignored = new Set(answer.stdout.toString().split('\0'))
          const filter = new IgnoreFiles(root).filter(createPathFilter(NO_GLOBS))
          for (const one of paths) expect([one, acceptsPath(filter, one)]).toEqual([one, !ignored.has(one)])
        },
      ),
      { numRuns: 150 },
    )
  })
})

it('keeps nothing of folders that are gone, which come and go without end', async () => {
  const ignoreFiles = new IgnoreFiles(root)
  const filter = ignoreFiles.filter(createPathFilter(NO_GLOBS))
  const put = (name: string) => {
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, '.hangarignore'), '*.png')
  }
  expect(acceptsPath(filter, 'a/1.png')).toBe(true)
  await reconcile({
    realRoot: root,
    filter,
    ignoreFiles,
    known: new KnownFiles({ compareIno: true }),
    direct: true,
    signal: new AbortController().signal,
    isAway: () => false,
    onChanged: () => undefined,
  })
  put('a')
  expect(acceptsPath(filter, 'a/1.png')).toBe(false)
})
