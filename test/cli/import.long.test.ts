import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { folderWithPictures, runCli, startCli, startPractice } from './harness.ts'
import { untilTestEnds } from './for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

let pictures: string
let data: string
let file: string

beforeAll(async () => {
  const practice = await startPractice()
  pictures = await folderWithPictures(['a.jpg', 'b.jpg'])
  data = folderForAll()
  file = join(folderForAll(), 'texts.csv')
  const run = ['run', pictures, '--languages', 'en,de', '--data-dir', data]
  expect(await runCli(run, { env: practice.env })).toMatchObject({ code: 0 })
  await practice.stop()
})

const hangar = (...args: string[]) => runCli([...args, '--data-dir', data])
const wordsOf = async (name: string) => {
  const [picture] = JSON.parse((await hangar('export', join(pictures, name), '--json')).stdout) as Picture[]
  return Object.fromEntries(picture!.texts.map(({ languageCode, altText }) => [languageCode, altText]))
}
interface Picture {
  texts: { languageCode: string; altText: string; seoFilename: string }[]
}

/** Changes the exported table as a person does, by what stands in its cells, which are quoted. */
async function edited(...changes: [from: string, to: string][]): Promise<void> {
  await hangar('export', '--output', file)
  let table = await readFile(file, 'utf8')
  for (const [from, to] of changes) {
    expect(table).toContain(from)
    table = table.replace(from, to)
  }
  await writeFile(file, table)
}

it('changes nothing when nothing was edited', async () => {
  await edited()
  expect(await hangar('import', file, '--yes')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '0 texts changed, 4 already matched.\n',
  })
})

it('takes words back as if they were typed: into the journal and the sidecar, formulas and quotation marks too', async () => {
  const { de } = await wordsOf('a.jpg')
  const words = '=SUM(1); "so"\nto speak'
  await edited([de!, `'=SUM(1); ""so""\nto speak`])
  const tried = await hangar('import', file, '--dry-run')
  expect(tried).toMatchObject({ code: 0, stderr: '1 text would change, 3 would not.\n' })
  expect(tried.stdout).toContain(`a.jpg (de)\n  - ${de}\n  + =SUM(1); "so" to speak\n`)
  expect((await wordsOf('a.jpg')).de).toBe(de)
  const unasked = await hangar('import', file)
  expect(unasked).toMatchObject({ code: 1 })
  expect(unasked.stderr).toContain('1 text would change. Nothing was changed: run again with --yes.')
  expect(await hangar('import', file, '--yes')).toMatchObject({ code: 0 })
  expect((await wordsOf('a.jpg')).de).toBe(words)
  const sidecar = await readFile(join(pictures, 'a.jpg.alt.json'), 'utf8')
  const { translations } = JSON.parse(sidecar) as { translations: object[] }
  expect(translations).toContainEqual(expect.objectContaining({ languageCode: 'de', seoAltText: words, edited: true }))
  // What was taken in comes out and goes in unharmed.
  await edited()
  expect((await hangar('import', file, '--yes')).stderr).toBe('0 texts changed, 4 already matched.\n')
})

it('says what cannot be used, and takes the rest', async () => {
  await writeFile(
    file,
    [
      'file,folder,alt_de,alt_en,alt_jp',
      `a.jpg,${pictures},Ein Reiher,A heron,Aosagi`,
      `a.jpg,${pictures},Zwei Reiher,A heron,`,
      `b.jpg,${pictures},${'x'.repeat(10_001)},,`,
      `gone.jpg,${pictures},Nichts,,`,
      `b.jpg;${pictures};Ein Haus;;`,
    ].join('\n'),
  )
  const { de } = await wordsOf('a.jpg')
  const { code, stderr } = await hangar('import', file, '--yes')
  expect(code).toBe(1)
  for (const said of [
    'since no picture is named or the cells are not separated as in the header: 1 record (6).',
    'gone.jpg: no picture with texts is known there.',
    '"jp" is not the code of a language, such as sv or pt-br.',
    'b.jpg (de): the text is too long.',
    'a.jpg (de): the file has different texts for the same picture; none of them is taken.',
    '1 text changed, 0 already matched.',
  ])
    expect(stderr).toContain(said)
  expect(await wordsOf('a.jpg')).toEqual({ de, en: 'A heron' })
})

it('takes a translation into a language that no picture has a text in, from a table with empty cells for it', async () => {
  const { en, de } = await wordsOf('b.jpg')
  await hangar('export', '--languages', 'en,pt-br', '--output', file)
  const table = await readFile(file, 'utf8')
  expect(table.split('\r\n')[0]).toContain('alt_en,seo_name_en,alt_pt-br,seo_name_pt-br')
  const lines = ['file,folder,alt_pt-br,seo_name_pt-br', `b.jpg,${pictures},Uma garça,uma-garca`]
  await writeFile(file, lines.join('\n'))
  const tried = await hangar('import', file, '--dry-run')
  expect(tried.stdout).toBe(`${join(pictures, 'b.jpg')} (pt-br)\n  + Uma garça\n  + uma-garca\n`)
  expect(await hangar('import', file, '--yes')).toMatchObject({ code: 0 })
  expect(await wordsOf('b.jpg')).toEqual({ en, de, 'pt-br': 'Uma garça' })
  expect(await hangar('import', file, '--yes')).toMatchObject({ stderr: '0 texts changed, 1 already matched.\n' })
  const { stdout } = await hangar('export', join(pictures, 'b.jpg'), '--format', 'xliff', '--to', 'pt-br')
  expect(stdout).toContain('<target>Uma garça</target>')
  const wrong = await hangar('export', '--languages', 'en,jp')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('"jp" is not the code of a language')])
})

it('finds a picture that was moved by its content', async () => {
  const moved = join(pictures, 'moved')
  await mkdir(moved)
  await rename(join(pictures, 'a.jpg'), join(moved, 'heron.jpg'))
  const given = [{ path: join(moved, 'heron.jpg'), texts: [{ languageCode: 'en', altText: 'A heron in reeds' }] }]
  await writeFile(`${file}.json`, JSON.stringify(given))
  const { code, stdout } = await hangar('import', `${file}.json`, '--yes', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ event: 'import', changed: 1, unknown: [] })
  expect((await wordsOf('a.jpg')).en).toBe('A heron in reeds')
})

it('changes texts through the Hangar that runs', async () => {
  const watch = untilTestEnds(startCli(['watch', pictures, '--practice', '--data-dir', data]))
  await watch.said(/Watching/)
  await writeFile(file, `file,folder,alt_de\nb.jpg,${pictures},Zwei Reiher\n`)
  const { code, stderr } = await hangar('import', file, '--yes')
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 text changed')])
  expect((await wordsOf('b.jpg')).de).toBe('Zwei Reiher')
  expect(await readFile(join(pictures, 'b.jpg.alt.json'), 'utf8')).toContain('Zwei Reiher')
})

it.each([
  ['{"a": 1}', 'texts.json', /cannot be read/],
  ['[{"path": "a.jpg", "texts": [{}]}]', 'texts.json', /0\.texts\.0\.languageCode/],
  ['name,alt\na,b', 'texts.csv', /needs a column/],
  ['', 'texts.csv', /needs a column/],
  ['file,alt_en\na.jpg,"b" or c', 'texts.csv', /cannot be read.*quote/is],
  ['file,alt_en\na.jpg,a lake, blue', 'texts.csv', /record 2 has more cells/],
  ['file,alt_en\na.jpg,b', 'texts.dat', /--format csv/],
])('refuses %j as %s', async (text, name, said) => {
  const other = join(file, '..', name)
  await writeFile(other, text)
  const { code, stderr } = await hangar('import', other, '--yes')
  expect(stderr).toMatch(said)
  expect(code).toBe(2)
})
