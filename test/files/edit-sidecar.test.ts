import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Sidecar, SidecarEdit } from '../../src/shared/jobs/sidecar.ts'
import { editSidecarFile, writeSidecarFile } from '../../src/main/files/sidecar-file.ts'
import { createKeyedMutex } from '../../src/main/core/keyed-mutex.ts'
import { makeSidecar } from './make-sidecar.ts'
import { tempFolder } from './temp-folder.ts'

const SHA = 'a'.repeat(64)
const text = (languageCode: string, seoAltText: string) => ({ languageCode, seoFilename: 'name', seoAltText })
const SIDECAR = makeSidecar({
  source: { name: 'a.jpg', sha256: SHA, sizeBytes: 10 },
  translations: [text('en', 'a cat'), text('de', 'eine Katze')],
})

const requestIn = (dir: string) => ({
  rootDir: dir,
  targetDir: dir,
  jobId: '01J00000000000000000000000',
  sourceName: 'a.jpg',
  sha256: SHA,
  edit: { texts: [{ ...text('en', 'my cat'), edited: true }], decorative: null } as SidecarEdit,
})

it('puts a text in its place and leaves everything else as it is, also what Hangar does not know', async () => {
  const dir = await tempFolder()
  const path = join(dir, 'a.jpg.alt.json')
  await writeFile(path, JSON.stringify({ ...SIDECAR, mine: [1, 2] }))
  expect(await editSidecarFile(requestIn(dir))).toBe('written')
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    ...SIDECAR,
    mine: [1, 2],
    translations: [{ ...text('en', 'my cat'), edited: true }, text('de', 'eine Katze')],
  })
  expect(await readdir(dir)).toEqual(['a.jpg.alt.json'])
})

it('marks a picture as decoration and takes the mark away, as nothing else does', async () => {
  const dir = await tempFolder()
  const path = join(dir, 'a.jpg.alt.json')
  await writeFile(path, JSON.stringify(SIDECAR))
  const mark = (decorative: boolean | null) =>
    editSidecarFile({ ...requestIn(dir), edit: { texts: [], decorative } }).then(() => readFile(path, 'utf8'))
  expect(JSON.parse(await mark(true))).toEqual({ ...SIDECAR, decorative: true })
  expect(JSON.parse(await mark(null))).toEqual({ ...SIDECAR, decorative: true })
  await writeSidecarFile({ ...requestIn(dir), sidecar: SIDECAR })
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ decorative: true })
  expect(JSON.parse(await mark(false))).toEqual(SIDECAR)
})

it('writes nothing where there is no sidecar, a foreign file, or one about other content', async () => {
  const dir = await tempFolder()
  const path = join(dir, 'a.jpg.alt.json')
  expect(await editSidecarFile(requestIn(dir))).toBe('missing')
  await writeFile(path, '{"mine": true}')
  expect(await editSidecarFile(requestIn(dir))).toBe('missing')
  expect(await readFile(path, 'utf8')).toBe('{"mine": true}')
  await writeFile(path, JSON.stringify(SIDECAR))
  expect(await editSidecarFile({ ...requestIn(dir), sha256: 'b'.repeat(64) })).toBe('other')
  expect(await readFile(path, 'utf8')).toBe(JSON.stringify(SIDECAR))
})

it('loses no text when a picture is finished at the same time', async () => {
  const dir = await tempFolder()
  await writeFile(join(dir, 'a.jpg.alt.json'), JSON.stringify(SIDECAR))
  const mutex = createKeyedMutex()
  const request = requestIn(dir)
  const edit = (code: string) => (): Promise<string> =>
    editSidecarFile({ ...request, edit: { texts: [{ ...text(code, 'mine'), edited: true }], decorative: null } })
  const finish = async () => (await writeSidecarFile({ ...request, sidecar: SIDECAR })).path
  await Promise.all([finish, edit('en'), finish, edit('de'), finish].map((work) => mutex('a', work)))
  const { translations } = JSON.parse(await readFile(join(dir, 'a.jpg.alt.json'), 'utf8')) as Sidecar
  expect(translations.map(({ seoAltText, edited }) => [seoAltText, edited])).toEqual([
    ['mine', true],
    ['mine', true],
  ])
})

it('lets work with one key take turns in order, whatever fails, and work with another go ahead', async () => {
  const mutex = createKeyedMutex()
  const done: string[] = []
  let open = () => undefined as void
  const gate = new Promise<void>((resolve) => (open = resolve))
  const first = mutex('a', async () => {
    await gate
    done.push('first')
    throw new Error('as the test wants')
  })
  const second = mutex('a', async () => {
    done.push('second')
  })
  await mutex('b', async () => {
    done.push('other')
  })
  open()
  await expect(first).rejects.toThrow('as the test wants')
  await second
  expect(done).toEqual(['other', 'first', 'second'])
})
