import { execFileSync } from 'node:child_process'
import { lstat, readFile, readdir, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { describeWith, LINUX, programs } from '../needs.ts'
import { mergeSidecar } from '../../src/main/files/merge-sidecar.ts'
import { findSidecars, readSidecarFile, sidecarName, writeSidecarFile } from '../../src/main/files/sidecar-file.ts'
import { createSidecarIndex } from '../../src/main/files/sidecar-index.ts'
import type { Sidecar } from '../../src/shared/jobs/sidecar.ts'
import { makeSidecar } from './make-sidecar.ts'
import { fingerprint, jobId, sha256, tempFolder } from './temp-folder.ts'

const text = (languageCode: string, seoAltText: string) => ({ languageCode, seoFilename: 'a-name', seoAltText })
const output = (name: string, bytes = name) => ({
  role: 'converted' as const,
  name,
  sha256: sha256(bytes),
  sizeBytes: bytes.length,
  type: 'webp' as const,
})
const sidecar = (more: Partial<Sidecar> = {}) =>
  makeSidecar({ translations: [text('en', 'A bicycle')], outputs: [output('photo.webp')], ...more })
const findSidecar = async (dir: string, name: string) => (await findSidecars(dir, name))[0]
const write = (dir: string, made: Sidecar, more: object = {}) =>
  writeSidecarFile({ rootDir: dir, targetDir: dir, jobId: jobId(1), sidecar: made, ...more })

/** Run in a process of its own: in the tests' own one, others close files meanwhile. */
const FIND_WITHOUT_FILES = `
  import { openSync } from 'node:fs'
  import { findSidecars } from ${JSON.stringify(join(import.meta.dirname, '../../src/main/files/sidecar-file.ts'))}
  try {
    for (;;) openSync('/dev/null', 'r')
  } catch (error) {
    const found = await findSidecars(process.argv[1], 'photo.jpg').catch((reason) => reason.code)
    process.stdout.write(JSON.stringify([error.code, found]))
  }`

describeWith(LINUX, programs('prlimit'))('while no more files may be opened', () => {
  it('a sidecar is not taken for missing', async () => {
    const dir = await tempFolder()
    await write(dir, sidecar())
    const node = [process.execPath, '--input-type=module', '--eval', FIND_WITHOUT_FILES, dir]
    const output = execFileSync('prlimit', ['--nofile=300', ...node], { encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual(['EMFILE', 'unreadable'])
    expect(await findSidecars(dir, 'photo.jpg')).toHaveLength(1)
  })
})

describe('writing a sidecar', () => {
  it('creates it whole, tells its hash and leaves no part', async () => {
    const dir = await tempFolder()
    const written = await write(dir, sidecar())
    expect(written.path).toBe(join(dir, 'photo.jpg.alt.json'))
    const bytes = await readFile(written.path)
    expect([written.sha256, written.sizeBytes]).toEqual([sha256(bytes), bytes.length])
    expect(await findSidecar(dir, 'photo.jpg')).toMatchObject({ path: written.path, sidecar: sidecar() })
    expect(await readdir(dir)).toEqual(['photo.jpg.alt.json'])
  })

  it('leaves a foreign file, folder, link or another source’s sidecar alone and takes the next name', async () => {
    for (const kind of ['text', 'other', 'link', 'huge'] as const) {
      const dir = await tempFolder()
      const path = join(dir, 'photo.jpg.alt.json')
      if (kind === 'text') await writeFile(path, 'my notes')
      if (kind === 'other') {
        await writeFile(path, JSON.stringify(sidecar({ source: { name: 'b.jpg', sha256: sha256('b'), sizeBytes: 1 } })))
      }
      if (kind === 'link') await symlink('nowhere', path)
      if (kind === 'huge') {
        await writeFile(path, JSON.stringify(sidecar()))
        await truncate(path, 1_048_577)
      }
      const before = kind === 'link' ? '' : await fingerprint(path)
      const second = join(dir, 'photo.jpg-2.alt.json')
      expect((await write(dir, sidecar())).path, kind).toBe(second)
      expect((await write(dir, sidecar({ notes: ['x'] }))).path, kind).toBe(second)
      expect((await findSidecar(dir, 'photo.jpg'))?.path).toBe(second)
      if (kind === 'link') expect((await lstat(path)).isSymbolicLink()).toBe(true)
      else expect(await fingerprint(path)).toBe(before)
    }
  })

  it('keeps edited texts, other languages and members it does not know when it is written again', async () => {
    const dir = await tempFolder()
    const { path } = await write(dir, sidecar({ translations: [text('en', 'A bicycle'), text('de', 'Ein Fahrrad')] }))
    const edited = JSON.parse(await readFile(path, 'utf8')) as Sidecar
    edited.translations[0] = { ...text('en', 'My red bicycle'), edited: true }
    await writeFile(path, JSON.stringify({ ...edited, credit: 'Ann' }))
    await write(dir, sidecar({ translations: [text('en', 'Some bicycle'), text('fr', 'Un vélo')] }))
    const now = (await findSidecar(dir, 'photo.jpg'))?.sidecar
    expect(now?.['credit']).toBe('Ann')
    expect(now?.translations.map(({ languageCode, seoAltText }) => [languageCode, seoAltText])).toEqual([
      ['en', 'My red bicycle'],
      ['fr', 'Un vélo'],
      ['de', 'Ein Fahrrad'],
    ])
  })

  it('fits the longest source name into a file name', async () => {
    const dir = await tempFolder()
    const name = `${'漢'.repeat(83)}.jpg`
    expect(Buffer.byteLength(sidecarName(name, 99))).toBeLessThanOrEqual(255)
    await write(dir, sidecar({ source: { name, sha256: sha256('x'), sizeBytes: 1 } }))
    expect((await findSidecar(dir, name))?.sidecar.source.name).toBe(name)
  })

  it('writes nothing that it would not read again', async () => {
    const dir = await tempFolder()
    const long = Array.from({ length: 110 }, (_, n) => ({ ...text(`l${n}`, 'w'.repeat(9000)), edited: true }))
    await write(dir, sidecar({ translations: long }))
    const more = sidecar({ translations: Array.from({ length: 10 }, (_, n) => text(`m${n}`, 'w'.repeat(9000))) })
    for (const made of [more, sidecar({ notes: ['x'.repeat(501)] })])
      await expect(write(dir, made)).rejects.toMatchObject({ code: 'name_taken' })
    expect((await findSidecar(dir, 'photo.jpg'))?.sidecar.translations).toEqual(long)
    expect(await readdir(dir)).toEqual(['photo.jpg.alt.json'])
  })
})

describe('mergeSidecar', () => {
  const OTHER = { name: 'photo.jpg', sha256: sha256('another photo'), sizeBytes: 13 }
  const edited = { ...text('en', 'My heron'), edited: true }

  it('takes no words of a person to other content of the name, and gives them back to theirs', () => {
    const heron = sidecar({ translations: [edited, text('de', 'Ein Reiher')], decorative: true, credit: 'Ann' })
    const other = mergeSidecar(heron, sidecar({ source: OTHER, outputs: [output('photo-2.webp')] }))
    expect(other.decorative).toBeUndefined()
    expect(other).not.toHaveProperty('credit')
    expect(other.translations).toEqual([text('en', 'A bicycle')])
    const { sha256: of } = heron.source
    expect(other.earlier).toEqual([{ sha256: of, translations: [edited], decorative: true, credit: 'Ann' }])
    expect(other.outputs).toEqual([output('photo-2.webp'), { ...output('photo.webp'), of }])
    const back = mergeSidecar(other, sidecar({ translations: [text('en', 'Some bird')] }))
    expect(back.earlier).toBeUndefined()
    expect(back).toMatchObject({ translations: [edited], decorative: true, credit: 'Ann' })
    expect(back.outputs).toEqual([output('photo.webp'), { ...output('photo-2.webp'), of: OTHER.sha256 }])
  })

  it('keeps the words of every content in any order of them', () => {
    const contents = ['a', 'b', 'c'].map((of) => ({ name: 'photo.jpg', sha256: sha256(of), sizeBytes: 1 }))
    const wordsOf = (source: Sidecar['source']) => `Words about ${source.sha256.slice(0, 4)}`
    let now: Sidecar | null = null
    const said = new Set<string>()
    for (const n of [0, 1, 0, 2, 2, 1, 0, 1, 2, 0]) {
      const source = contents[n]!
      const made = sidecar({ source, translations: [text('en', 'The service’s')] })
      now = now === null ? made : mergeSidecar(now, made)
      if (said.has(source.sha256)) expect(now.translations[0]).toMatchObject({ seoAltText: wordsOf(source) })
      else expect(now.translations[0]).toEqual(text('en', 'The service’s'))
      now = { ...now, translations: [{ ...text('en', wordsOf(source)), edited: true }] }
      said.add(source.sha256)
      const kept = (now.earlier ?? []).map((entry) => [entry.sha256, entry.translations[0]?.seoAltText])
      const others = contents.filter((one) => said.has(one.sha256) && one !== source)
      expect(kept.toSorted()).toEqual(others.map((one) => [one.sha256, wordsOf(one)]).toSorted())
    }
  })

  it('lists what another Hangar put in the place of the original, before what would be there now', () => {
    const inPlace = (n: number) => output('photo.jpg', `result ${n}`)
    let merged = sidecar({ outputs: [inPlace(0)] })
    for (let n = 1; n <= 20; n++)
      merged = mergeSidecar(merged, sidecar({ outputs: [inPlace(n), output('photo.webp')] }))
    expect(merged.outputs).toEqual([...Array.from({ length: 11 }, (_, n) => inPlace(n + 10)), output('photo.webp')])
  })

  it('lists earlier outputs under other names, and the new ones once', () => {
    const merged = mergeSidecar(
      sidecar({ outputs: [output('photo.webp', 'old'), output('photo.avif')] }),
      sidecar({ outputs: [output('photo.webp', 'new')] }),
    )
    expect(merged.outputs).toEqual([output('photo.webp', 'new'), output('photo.avif')])
  })

  it('does not grow without end', () => {
    let merged = sidecar()
    for (let n = 0; n < 80; n++) merged = mergeSidecar(merged, sidecar({ outputs: [output(`photo-${n}.webp`)] }))
    expect(merged.outputs.length).toBe(50)
    expect(merged.outputs[0]?.name).toBe('photo-79.webp')
  })
})

describe('reading untrusted sidecars', () => {
  it('takes nothing malformed for a sidecar', async () => {
    const dir = await tempFolder()
    const path = join(dir, 'photo.jpg.alt.json')
    const bad = [
      '',
      '{',
      'null',
      '[]',
      JSON.stringify({ ...sidecar(), hangar: 2 }),
      JSON.stringify(sidecar({ outputs: [output('../../etc/passwd')] })),
      JSON.stringify(sidecar({ outputs: [{ ...output('a'), sha256: 'zz' }] })),
      '\u0000'.repeat(100),
      '['.repeat(200_000),
    ]
    for (const content of bad) {
      await writeFile(path, content)
      expect(await readSidecarFile(path), content.slice(0, 40)).toBeNull()
    }
    expect(await readSidecarFile(dir)).toBeNull()
    expect(await readSidecarFile('/dev/zero')).toBeNull()
  })

  it('tells the outputs that all sidecars of a folder list', async () => {
    const dir = await tempFolder()
    await write(dir, sidecar())
    const source = { name: 'b.png', sha256: sha256('b'), sizeBytes: 1 }
    await write(dir, sidecar({ source, outputs: [output('b.webp')] }))
    await writeFile(join(dir, 'c.alt.json'), 'junk')
    const expected = ['b.webp', 'photo.webp'].map((name) => [name, sha256(name)])
    expect([...(await createSidecarIndex().outputsIn(dir)).byName].sort()).toEqual(expected)
    expect((await createSidecarIndex().outputsIn(join(dir, 'none'))).hashes.size).toBe(0)
  })

  it.each([
    ['right', 0],
    ['five hours ahead', 5],
    ['five hours behind', -5],
  ])('remembers a folder and still sees every change of it, with a clock that is %s', async (_, hours) => {
    const dir = await tempFolder()
    let now = Date.now() + hours * 3_600_000
    const index = createSidecarIndex(() => now)
    await write(dir, sidecar())
    const { mtime } = await stat(dir)
    await utimes(dir, mtime, mtime)
    expect((await index.outputsIn(dir)).byName.size).toBe(1)
    // Another computer writes within the same tick of the clock of a NAS.
    await write(dir, sidecar({ outputs: [output('photo-2.webp')] }))
    await utimes(dir, mtime, mtime)
    now += 1000
    expect([...(await index.outputsIn(dir)).byName.keys()]).toEqual(['photo-2.webp', 'photo.webp'])
    now += 3000
    const before = await index.outputsIn(dir)
    expect(await index.outputsIn(dir)).toBe(before)
    await write(dir, sidecar({ outputs: [output('photo-3.webp')] }))
    expect((await index.outputsIn(dir)).byName.size).toBe(3)
  })

  it('is not read again for a file that was there before it was read, for a few seconds', async () => {
    const dir = await tempFolder()
    let now = Date.now() + 60_000
    const index = createSidecarIndex(() => now)
    await write(dir, sidecar())
    const { mtimeNs } = await stat(dir, { bigint: true })
    const long = mtimeNs - 10_000_000_000n
    const before = await index.outputsIn(dir, long)
    await write(dir, sidecar({ outputs: [output('photo-2.webp')] }))
    expect(await index.outputsIn(dir, long)).toBe(before)
    // What came since, or just before, may be listed by what was written since.
    expect((await index.outputsIn(dir, mtimeNs - 1_000_000_000n)).byName.size).toBe(2)
    await write(dir, sidecar({ outputs: [output('photo-3.webp')] }))
    now += 5000
    expect((await index.outputsIn(dir, long)).byName.size).toBe(3)
  })
})
