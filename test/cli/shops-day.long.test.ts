import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { parse } from 'csv-parse/sync'
import { itWith, programs } from '../needs.ts'
import { until } from '../until.ts'
import { CLI, drawPicture, Folders, runCli, startCli, startPractice, type Practice } from './harness.ts'

const execute = promisify(execFile)
const folders = new Folders()
const NAMES = ['mug.jpg', 'plate.jpg', 'bowl.jpg']
let practice: Practice
beforeAll(async () => {
  practice = await startPractice()
})
afterAll(async () => {
  await practice.stop()
  await folders.removeAll()
})

/** What the shop's hook runs: an export of the batch, a translator, and the import of what comes back. */
const HOOK = `
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
const [cli, translator, file] = process.argv.slice(2)
const { event, batch, counts } = JSON.parse(readFileSync(0, 'utf8'))
if (event !== 'done' || counts.done === 0) process.exit(0)
const hangar = (...args) => execFileSync(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
hangar('export', '--batch', batch, '--output', file)
execFileSync(process.execPath, [translator, file])
writeFileSync(file + '.said', hangar('import', file, '--yes', '--json'))
`

/** Reads the table as any program would, and writes another one with semicolons, as a spreadsheet of its country does. */
const TRANSLATOR = `
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
const [file] = process.argv.slice(2)
const rows = parse(readFileSync(file), { columns: true, bom: true })
const cell = (text) => '"' + text.replaceAll('"', '""') + '"'
const lines = rows.map(({ folder, file: name, alt_en }) => [folder, name, 'Übersetzt: ' + alt_en].map(cell).join(';'))
writeFileSync(file, '\\ufefffolder;file;alt_de\\r\\n' + lines.map((line) => line + '\\r\\n').join(''))
`

// A day of a shop, without a person: pictures arrive, are described, translated by another program and ready for the page.
itWith(programs('exiftool'))(
  'a hook has the texts translated, and all that holds them has the translation',
  async () => {
    const [shop, data, programsOfShop] = [
      await folders.make('shop'),
      await folders.make('data'),
      await folders.make('programs'),
    ]
    const file = join(programsOfShop, 'texts.csv')
    const [hook, translator] = [join(programsOfShop, 'hook.mjs'), join(programsOfShop, 'translator.mjs')]
    await writeFile(hook, HOOK)
    const parser = JSON.stringify(import.meta.resolve('csv-parse/sync'))
    await writeFile(translator, TRANSLATOR.replace("'csv-parse/sync'", parser))
    const run = [process.execPath, hook, CLI, translator, file]
    await writeFile(join(data, 'hooks.json'), JSON.stringify([{ on: 'done', run }]))
    const flags = ['--languages', 'en,de', '--embed-texts', '--if-larger', 'keep']
    const watch = startCli(['watch', shop, ...flags, '--data-dir', data], { env: practice.env })
    try {
      await watch.said(/Watching/)
      for (const name of NAMES) await drawPicture(join(shop, name))
      const exported = async () =>
        JSON.parse((await runCli(['export', '--json', '--data-dir', data])).stdout) as Picture[]
      const german = (pictures: Picture[]) =>
        pictures.map(({ texts }) => texts.find(({ languageCode }) => languageCode === 'de')?.altText ?? '')
      await until('all are translated', async () => {
        const texts = german(await exported())
        return texts.length === NAMES.length && texts.every((text) => text.startsWith('Übersetzt: '))
      })

      for (const { path, texts, outputs } of await exported()) {
        const words = texts.find(({ languageCode }) => languageCode === 'de')!.altText
        expect(texts.find(({ languageCode }) => languageCode === 'de')).toMatchObject({ edited: true })
        await until('its sidecar has it', async () => (await readFile(`${path}.alt.json`, 'utf8')).includes(words))
        const [converted] = outputs.filter(({ role }) => role === 'converted')
        await until('its file has it', async () => {
          // For a moment nothing is there: a result is moved aside before another takes its place.
          const read = execute('exiftool', ['-s3', '-AltTextAccessibility-de', converted!.path])
          return (await read.catch(() => ({ stdout: '' }))).stdout.trim() === words
        })
      }
      const html = await runCli(['export', shop, '--format', 'html', '--languages', 'de', '--data-dir', data])
      expect(html.stdout.match(/alt=&quot;Übersetzt: /g)?.length).toBeGreaterThanOrEqual(NAMES.length)
      const table = ['--profile', 'shopify', '--languages', 'de', '--base-url', 'https://cdn.example/']
      const products = await runCli(['export', shop, ...table, '--data-dir', data])
      const lines = parse(products.stdout, { columns: true }) as Record<string, string>[]
      expect(lines.map((line) => line['Handle']).toSorted()).toEqual(['bowl', 'mug', 'plate'])
      for (const line of lines) expect(line['Image Alt Text']).toMatch(/^Übersetzt: /)
    } finally {
      watch.child.kill('SIGTERM')
      expect((await watch.ended).code).toBe(0)
    }
    expect(await practice.charges()).toBe(NAMES.length)
  },
)

interface Picture {
  path: string
  texts: { languageCode: string; altText: string; edited: boolean }[]
  outputs: { role: string; path: string }[]
}
