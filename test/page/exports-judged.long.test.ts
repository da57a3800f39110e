import { execFile } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readXml } from '../../src/main/core/read-xml.ts'
import { exportJobs, type ExportedJob } from '../../src/shared/presentation/export-jobs.ts'
import { exportTexts } from '../../src/main/page/export-texts.ts'
import { describeWith, need, programs } from '../needs.ts'
import { manyJobs, oddJobs } from './odd-exports.ts'

const run = promisify(execFile)
/** Where php-symfony-translation of Debian has the schema that OASIS published for XLIFF 2.0. */
const SCHEMAS = '/usr/share/php/Symfony/Component/Translation/Resources/schemas'

let dir: string
beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-exports-')))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function written(name: string, text: string): Promise<string> {
  const file = join(dir, name)
  await writeFile(file, text)
  return file
}

const HAS_SCHEMA = need(
  'php-symfony-translation',
  await readFile(join(SCHEMAS, 'xliff-core-2.0.xsd')).then(
    () => true,
    () => false,
  ),
)

describeWith(programs('xmllint'), HAS_SCHEMA)('XLIFF, by the schema of OASIS', () => {
  let schema: string
  beforeAll(async () => {
    const text = await readFile(join(SCHEMAS, 'xliff-core-2.0.xsd'), 'utf8')
    schema = await written('xliff.xsd', text.replace(/schemaLocation="[^"]*"/, `schemaLocation="${SCHEMAS}/xml.xsd"`))
  })

  /** What is wrong with it; empty for a valid document. */
  const judge = async (text: string): Promise<string> => {
    const file = await written('document.xlf', text)
    return run('xmllint', ['--nonet', '--noout', '--schema', schema, file]).then(
      () => '',
      ({ stderr }: { stderr: string }) => stderr,
    )
  }
  const document = (jobs: readonly ExportedJob[], from: string, to?: string) =>
    exportTexts(jobs, { format: 'xliff', from, to }, false).text

  it.each([
    ['odd words and names', () => document(oddJobs(), 'en', 'de')],
    ['a language from right to left', () => document(oddJobs(), 'he', 'en')],
    ['no target', () => document(oddJobs(), 'en')],
    ['ten thousand pictures', () => document(manyJobs(10_000), 'en')],
  ])('is valid with %s', async (_, make) => {
    const text = make()
    expect(await judge(text)).toBe('')
    // The judge looks at each of them.
    expect(await judge(text.replace('<unit id="alt"', '<unit id="not a token"'))).toContain('not a token')
  })
})

describeWith(programs('soffice'))('CSV, by a spreadsheet', () => {
  /** The cells as it shows them. */
  const opened = async (table: string, hasFormulas = false): Promise<string[][]> => {
    const file = await written('texts.csv', table)
    const profile = `-env:UserInstallation=file://${dir}/profile`
    // Separated by commas, quoted, in UTF-8 (76), from the first line on.
    const filter = '--infilter=Text - txt - csv (StarCalc):44,34,76,1'
    await run('soffice', [profile, '--headless', filter, '--convert-to', 'fods', '--outdir', dir, file])
    const sheet = await readFile(join(dir, 'texts.fods'), 'utf8')
    expect(sheet.includes('table:formula')).toBe(hasFormulas)
    return rowsOf(sheet)
  }

  it.each([
    ['wordpress', ['image_url', 'alt_text'], 'alt_text'],
    ['shopify', ['Handle', 'Image Src', 'Image Alt Text'], 'Image Alt Text'],
    ['woocommerce', ['SKU', 'Images'], 'Images'],
  ] as const)('is a table for %s', async (profile, header, words) => {
    const jobs = oddJobs().map((job, n) => ({ ...job, path: `/pictures/${n}/a.jpg`, outputs: [] }))
    const published = { baseUrl: 'https://cdn.example/', root: '/pictures' }
    const [head, ...rows] = await opened(
      exportTexts(jobs, { format: 'csv', profile, languages: ['en'], published }, true).text,
      // An importer publishes what stands in a cell: nothing is put before it. Cells of WooCommerce begin with an address.
      profile !== 'woocommerce',
    )
    expect(head!.filter((cell) => cell !== '')).toEqual(header)
    expect(rows).toHaveLength(jobs.length)
    expect(rows[0]![head!.indexOf(words)]).toMatch(/A red hangar$/)
  })

  it('holds the words, none of which it takes for a formula', async () => {
    const jobs = oddJobs()
    const rows = await opened(exportJobs('csv', jobs))
    expect(rows.length).toBe(jobs.length + 1)
    const at = (name: string) => rows[0]!.indexOf(name)
    expect(at('alt_he')).toBeGreaterThan(0)
    const alts = rows.slice(1).map((cells) => cells[at('alt_en')])
    for (const words of ['A red hangar', 'a ]]> b <![CDATA[ c -->', `<b>"it's" & &amp; &#0; more</b>`, `'=1+1`])
      expect(alts).toContain(words)
    expect(rows.map((cells) => cells[at('file')])).toContain('חנות.jpg')
  })
})

/** The words in the cells of a sheet in the flat format of OpenDocument. */
function rowsOf(sheet: string): string[][] {
  const rows: string[][] = []
  const open: string[] = []
  let words = ''
  let times = 1
  readXml(sheet, {
    open: ({ name, attributes }) => {
      open.push(name)
      if (name === 'table:table-row') rows.push([])
      if (name === 'table:table-cell')
        [words, times] = ['', Number(attributes['table:number-columns-repeated']?.value ?? 1)]
      if (name === 'text:p' && words !== '') words += '\n'
    },
    text: (text) => {
      if (open.includes('table:table-cell')) words += text.trim() === '' ? '' : text
    },
    close: () => {
      if (open.pop() !== 'table:table-cell') return
      for (let n = 0; n < Math.min(times, 100); n += 1) rows.at(-1)!.push(words)
    },
  })
  return rows
}
