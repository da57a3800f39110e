import { describe, expect, it } from 'vitest'
import { PICTURE_SUFFIXES } from '../../src/shared/jobs/picture-name.ts'
import { inboxPlace } from '../../src/main/web/inbox.ts'
import { acceptsPath, createPathFilter, isImageName } from '../../src/main/watch/path-filter.ts'
import { workedMs } from '../worked-ms.ts'

const accepts = (path: string, options: { include?: string[]; exclude?: string[]; leftOut?: string[] } = {}): boolean =>
  acceptsPath(createPathFilter({ include: [], exclude: [], leftOut: [], ...options }), path)

describe('what counts as a picture by name', () => {
  it.each(['a.jpg', 'a.JPEG', 'a.jpe', 'a.jfif', 'A.PNG', 'a.gif', 'a.webp', 'photo-optimized.jpg', 'a.b.jpg'])(
    'takes %s',
    (name) => expect(isImageName(name)).toBe(true),
  )
  it.each(Object.values(PICTURE_SUFFIXES).flat())('takes .%s in folders as in uploads', (suffix) => {
    expect(isImageName(`a.${suffix.toUpperCase()}`)).toBe(true)
    expect(inboxPlace(`a.${suffix}`)?.name).toBe(`a.${suffix}`)
  })
  it.each('a.heics a.svg a.jpg.alt.json .a.jpg .jpg .hangar-01.part a.jpg.part jpg a.jpg~'.split(' ').concat(''))(
    'leaves %s',
    (name) => expect(isImageName(name)).toBe(false),
  )
})

describe('the filter of a folder', () => {
  it('never enters hidden folders, Hangar’s own among them, nor those that network drives fill with copies', () => {
    const paths = '.git/a.jpg x/.hangar-originals/a.jpg @eaDir/a.jpg x/$RECYCLE.BIN/a.jpg __MACOSX/a.jpg'
    for (const path of paths.split(' ')) expect(accepts(path), path).toBe(false)
  })

  it.each([
    ['bin', ['@Recycle', '#recycle', 'RECYCLER', '$RECYCLE.BIN', 'Network Trash Folder', 'files_trashbin']],
    ['snapshot', ['#snapshot', '~snapshot', '@Recently-Snapshot', '@GMT-2024.01.31-12.00.00', 'Backups.backupdb']],
    ['library', 'Fotos.photoslibrary A.APLIBRARY x.migratedphotolibrary C.lrdata C.cocatalog Memo.rtfd'.split(' ')],
    ['packages', ['node_modules']],
    [null, ['@tmp', '@SynoResource', '@sharebin', '@eaDir', 'Temporary Items', 'System Volume Information']],
  ])('leaves out what is a %s of another program, in any case', (kind, names) => {
    const filter = createPathFilter({ include: [], exclude: ['Network*'], leftOut: [] })
    for (const name of names.flatMap((one) => [one, one.toLowerCase(), one.toUpperCase()])) {
      expect(filter.folder(`x/${name}`, name), name).toBe(false)
      expect(filter.why(), name).toBe(name.toLowerCase().startsWith('network') ? null : kind)
    }
  })

  it.each(['recycled', 'Snapshots', 'Photos', 'key', 'lrdata', 'library.photoslibrary.d', 'CaptureOne'])(
    'enters %s, which may be a person’s own',
    (name) => expect(createPathFilter({ include: [], exclude: [], leftOut: [] }).folder(name, name)).toBe(true),
  )

  it('reads a glob without a slash as a base name at any depth, and one of a folder as all in it', () => {
    expect(accepts('x/y/a.png', { exclude: ['*.png'] })).toBe(false)
    expect(accepts('x/drafts/y/a.png', { exclude: ['drafts'] })).toBe(false)
    expect(accepts('drafts/a.png', { exclude: ['drafts/'] })).toBe(false)
    expect(accepts('x/drafts/a.png', { exclude: ['drafts/**'] })).toBe(true)
    expect(accepts('a/b/c.png', { exclude: ['a/*/c.png'] })).toBe(false)
  })

  it('takes only what an include names, when there is one, and lets exclude win', () => {
    expect(accepts('x/a.png', { include: ['*.jpg'] })).toBe(false)
    expect(accepts('x/A.JPG', { include: ['*.jpg'] })).toBe(true)
    expect(accepts('shop/x/a.jpg', { include: ['shop'] })).toBe(true)
    expect(accepts('shop/x/a.jpg', { include: ['shop/'], exclude: ['x'] })).toBe(false)
    expect(accepts('other/a.jpg', { include: ['shop/**'] })).toBe(false)
  })

  it('prunes an excluded folder instead of asking about each file in it', () => {
    const filter = createPathFilter({ include: [], exclude: ['node_modules', 'a/b'], leftOut: ['out'] })
    expect(filter.folder('x/node_modules', 'node_modules')).toBe(false)
    expect(filter.folder('a/b', 'b')).toBe(false)
    expect(filter.folder('a', 'a')).toBe(true)
    expect(filter.folder('out', 'out')).toBe(false)
    expect(filter.folder('x/out', 'out')).toBe(true)
  })

  it.each(['{a,b}'.repeat(50), '+(+(+(a)))b', '!(a|b)', '@(a|b).jpg', '{a,b'])(
    'refuses the glob "%s", which stands for too many or for a group',
    (glob) => expect(() => accepts('a.jpg', { exclude: [glob] })).toThrow('The pattern'),
  )

  it('decides about a glob with many stars at once, and leaves out what cannot be decided', () => {
    const path = `${Array(15).fill('a'.repeat(250)).join('/')}/${'a'.repeat(250)}.jpg`
    const startedMs = workedMs()
    expect(accepts(path, { exclude: Array<string>(100).fill(`${'*a'.repeat(240)}b`) })).toBe(false)
    expect(workedMs() - startedMs).toBeLessThan(5000)
  })

  it('takes parentheses that group nothing as they are', () =>
    expect(accepts('x/Photo (1).jpg', { exclude: ['photo (1).jpg'] })).toBe(false))
})
