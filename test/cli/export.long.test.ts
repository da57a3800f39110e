import { symlinkSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { recordEdit } from '../../src/main/journal/text-edits.ts'
import { folderWithPictures, jsonLines, runCli, startPractice } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

const NAMES = ['a.jpg', 'b.jpg']
/** Long after both pictures were done. */
const EDITED_AT_MS = Date.UTC(2998, 0)
const WORDS = '=HYPERLINK("x"), "so"\nto speak'
let pictures: string
let data: string
let ran: Record<string, unknown>[]

beforeAll(async () => {
  const practice = await startPractice()
  pictures = await folderWithPictures(NAMES)
  data = folderForAll()
  const run = await runCli(['run', pictures, '--languages', 'en,de', '--json', '--data-dir', data], {
    env: practice.env,
  })
  expect(run).toMatchObject({ code: 0 })
  ran = jsonLines(run.stdout)
  await practice.stop()
  const db = openJournal(data)
  const [job] = new JobStore(db, Date.now).list({ search: 'a.jpg' })
  recordEdit(db, job!.image!.sha256, 'de', WORDS, EDITED_AT_MS)
  db.close()
})

const exported = (...args: string[]) => runCli(['export', ...args, '--data-dir', data])

it('gives each picture and its texts as a table without a byte order mark, and says how many', async () => {
  const { code, stdout, stderr } = await exported()
  expect([code, stderr]).toEqual([0, '2 pictures.\n'])
  const [head, ...lines] = stdout.split('\r\n')
  expect(head).toMatch(/^file,folder,state,.*,alt_de,seo_name_de,alt_en,seo_name_en,/)
  expect(lines.filter((line) => /^[ab]\.jpg,/.test(line)).map((line) => line.slice(0, 5))).toEqual(NAMES)
  // No cell is a formula.
  expect(stdout).toContain(`"'=HYPERLINK(""x""), ""so""\nto speak"`)
})

it('gives programs the words of a person, and says that they are', async () => {
  const all = JSON.parse((await exported('--json')).stdout) as { path: string; texts: object[]; outputs: object[] }[]
  expect(all.map(({ path }) => path)).toEqual(NAMES.map((name) => join(pictures, name)))
  expect(all[0]!.texts).toContainEqual(expect.objectContaining({ languageCode: 'de', altText: WORDS, edited: true }))
  expect(all[1]!.texts).toContainEqual(expect.objectContaining({ languageCode: 'de', edited: false }))
  expect(all[1]!.outputs).not.toEqual([])
})

it('is of what a list names, too: all pictures, or those of a folder', async () => {
  const listed = async (...args: string[]) => {
    const { code, stdout } = await runCli(['jobs', ...args, '--json', '--data-dir', data])
    return [code, ...jsonLines(stdout).map(({ path }) => path as string)]
  }
  const all = [0, join(pictures, 'b.jpg'), join(pictures, 'a.jpg')]
  expect((await listed()).toSorted()).toEqual(all.toSorted())
  expect((await listed(pictures)).toSorted()).toEqual(all.toSorted())
  expect((await listed(join(pictures, '..'))).toSorted()).toEqual(all.toSorted())
  expect(await listed(folderForAll())).toEqual([0])
  const link = join(folderForAll(), 'link')
  symlinkSync(pictures, link)
  expect((await listed(link)).toSorted()).toEqual(all.toSorted())
  expect((await exported(link)).stderr).toBe('2 pictures.\n')
})

it('is of those that are named, and says which name fits none', async () => {
  const one = await exported(join(pictures, 'b.jpg'), '--format', 'html')
  expect(one.stdout).toContain('<h2>b.jpg</h2>')
  expect(one.stdout).not.toContain('a.jpg')
  expect((await exported(pictures)).stderr).toBe('2 pictures.\n')
  const edited = await exported('--since', '2997-01-01T00:00Z', '--json')
  expect(JSON.parse(edited.stdout)).toMatchObject([{ path: join(pictures, 'a.jpg') }])
  expect((await exported(pictures, '--since', '2999-01-01T00:00Z')).code).toBe(2)
  expect(await exported(join(pictures, 'c.jpg'))).toMatchObject({ code: 2, stdout: '' })
})

it('takes the place of the export before it, but of no picture', async () => {
  const file = join(folderForAll(), 'texts.csv')
  await exported('--search', 'b.jpg', '--output', file)
  const { stderr } = await exported('--output', file)
  expect(stderr).toBe(`2 pictures in ${file}.\n`)
  expect((await readFile(file, 'utf8')).slice(0, 5)).toBe('\ufefffile')
  expect(await readdir(join(file, '..'))).toEqual(['texts.csv'])
  const picture = join(pictures, 'a.jpg')
  const before = await stat(picture)
  for (const more of [[], ['--format', 'csv'], ['--json']])
    expect((await exported('--output', picture, ...more)).code).toBe(2)
  expect((await stat(picture)).ino).toBe(before.ino)
})

it('has the texts of pictures in the lines of a run, once they are done', async () => {
  const [b] = JSON.parse((await exported(join(pictures, 'b.jpg'), '--json')).stdout) as { texts: object[] }[]
  const lines = ran.filter(({ event, path }) => event === 'job' && path === join(pictures, 'b.jpg'))
  expect(lines.at(-1)).toMatchObject({ state: 'done', texts: b!.texts, decorative: false })
  expect(lines.filter(({ texts }) => texts !== undefined)).toHaveLength(1)
  expect(ran.at(-1)).toMatchObject({ event: 'summary', done: 2 })
})

it('takes translations back from the document that a translator was given', async () => {
  const file = join(folderForAll(), 'german.xlf')
  expect((await exported('--from', 'en', '--to', 'de', '--output', file)).code).toBe(0)
  const document = await readFile(file, 'utf8')
  await writeFile(file, document.replaceAll(/<target>=HYPERLINK[^<]*</g, '<target>Ein <mrk id="1">Reiher</mrk><'))
  const { code, stdout } = await runCli(['import', file, '--yes', '--json', '--data-dir', data])
  expect(JSON.parse(stdout)).toMatchObject({ changed: 1, unchanged: 1, unknown: [] })
  expect(code).toBe(0)
  const [a] = JSON.parse((await exported(join(pictures, 'a.jpg'), '--json')).stdout) as { texts: object[] }[]
  expect(a!.texts).toContainEqual(expect.objectContaining({ languageCode: 'de', altText: 'Ein Reiher' }))
})

it.each([
  [['--profile', 'shopify'], /--base-url/],
  [['--profile', 'shopify', '--base-url', 'ftp://a.example'], /https:\/\/example.com/],
  [['--profile', 'shopify', '--base-url', 'https://a.example', '--format', 'html'], /is CSV/],
  [['--base-url', 'https://a.example', '--format', 'html'], /--root/],
  [['--format', 'markdown', '--output', 'texts.csv'], /ends in \.md/],
])('says what is wrong with %j, and writes nothing', async (args, said) => {
  const { code, stdout, stderr } = await exported(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(said)
})
