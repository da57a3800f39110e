import { rm, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { run } from '../images/metadata/judges.ts'
import { ask, makePicture, RECIPE, refusal, runToEnd } from './engine-harness.ts'
import { at, openWorldForEachTest, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const inSidecar = async (code: string, name?: string) =>
  (await sidecarOf(name)).translations.find(({ languageCode }) => languageCode === code)
const charges = () => world.practice.ledger().totals.charges
const viewIn = async (engine: Engine, id: string, code: string) =>
  (await ask(engine, 'jobs.texts', { id })).texts.find(({ languageCode }) => languageCode === code)

/** A picture with texts of the service in English and German. */
async function described(changes: object = {}): Promise<{ engine: Engine; id: string }> {
  await writeFile(at('a.jpg'), await makePicture(1, 'jpeg'))
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...changes } })
  expect(job).toMatchObject({ state: 'done' })
  return { engine, id: job!.id }
}

/** Takes in what a translator wrote, as a preview and then as its changes. */
async function importTable(engine: Engine, header: string, line: string) {
  const table = `file,folder,${header}\n${line}`
  const matched = await ask(engine, 'jobs.matchTexts', {
    format: 'csv',
    data: Buffer.from(table).toString('base64'),
  })
  const edits = matched.changes.map(({ path: _, ...edit }) => edit)
  if (edits.length > 0) expect((await ask(engine, 'jobs.editTexts', { edits })).changed).toHaveLength(edits.length)
  return { matched, edits }
}

const FRENCH = 'Un hangar rouge'

describeWith(programs('exiftool'))('a translation into a language that the service was not asked for', () => {
  it('stands beside the service’s texts in the window, the sidecar and the files, as a person’s, and goes with one undo', async () => {
    const { engine, id } = await described({ embedTexts: true })
    const before = await sidecarOf()
    const { edits } = await importTable(engine, 'alt_fr,seo_name_fr', `a.jpg,${world.pictures},${FRENCH},hangar-rouge`)
    expect(await viewIn(engine, id, 'fr')).toEqual({
      languageCode: 'fr',
      altText: FRENCH,
      original: '',
      seoFilename: 'hangar-rouge',
      originalName: '',
    })
    expect(await inSidecar('fr')).toEqual({
      languageCode: 'fr',
      seoAltText: FRENCH,
      edited: true,
      seoFilename: 'hangar-rouge',
      nameEdited: true,
    })
    expect((await sidecarOf()).recipe.languages).toEqual(['en', 'de'])
    const embedded = () => run('exiftool', ['-XMP-iptcCore:all', '-a', at('a-optimized.jpg')]).toString()
    expect(embedded()).toContain(FRENCH)

    // Both as one edit and as a field in the window is emptied and filled again.
    await ask(engine, 'jobs.editText', { id, languageCode: 'fr', altText: 'Un hangar bleu' })
    expect(await inSidecar('fr')).toMatchObject({ seoAltText: 'Un hangar bleu', seoFilename: 'hangar-rouge' })
    await ask(engine, 'jobs.editText', { id, languageCode: 'fr', altText: FRENCH })
    const back = edits.map(({ altText, seoFilename, ...of }) => ({
      ...of,
      altText: altText && { seen: altText.to, to: altText.seen },
      seoFilename: seoFilename && { seen: seoFilename.to, to: seoFilename.seen },
    }))
    expect((await ask(engine, 'jobs.editTexts', { edits: back })).changed).toEqual([0])
    expect(await viewIn(engine, id, 'fr')).toBeUndefined()
    expect((await sidecarOf()).translations).toEqual(before.translations)
    expect(embedded()).not.toContain(FRENCH)
  })

  it('is kept when the picture is made again, also without its sidecar and where another recipe asks the service for that language, and never paid for', async () => {
    const { engine } = await described()
    await importTable(engine, 'alt_fr', `a.jpg,${world.pictures},${FRENCH}`)
    const paid = charges()
    await rm(at('a.jpg.alt.json'))
    await rm(at('a-optimized.jpg'))
    await runToEnd(engine, [world.pictures])
    expect(await inSidecar('fr')).toMatchObject({ seoAltText: FRENCH, edited: true, seoFilename: '' })
    expect(charges()).toBe(paid)

    const [asked] = await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, languages: ['en', 'fr'] } })
    expect(charges()).toBe(paid + 1)
    const text = await viewIn(engine, asked!.id, 'fr')
    expect(text).toMatchObject({ altText: FRENCH, originalName: null })
    expect([text!.original, text!.seoFilename]).not.toContain('')
    expect(await inSidecar('fr')).toMatchObject({ seoAltText: FRENCH, edited: true, seoFilename: text!.seoFilename })
    // The text of the service, once there is one, is what an undo brings back.
    await ask(engine, 'jobs.editText', { id: asked!.id, languageCode: 'fr', altText: '' })
    expect(await inSidecar('fr')).toMatchObject({ seoAltText: text!.original, seoFilename: text!.seoFilename })
  })

  it('has room in the sidecar for as many as can be read again, and the picture is made again with all of them', async () => {
    const { engine, id } = await described()
    const codes = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `fr-x${letter}`)
    const long = '翼'.repeat(10_000)
    const { matched, edits } = await importTable(
      engine,
      codes.map((code) => `alt_${code}`).join(),
      `a.jpg,${world.pictures}${`,${long}`.repeat(codes.length)}`,
    )
    expect(edits).toHaveLength(16)
    expect(matched.tooLong).toHaveLength(codes.length - 16)
    const further = { id, languageCode: 'fr', altText: { seen: '', to: long }, seoFilename: null }
    const refused = 'bad_request The texts of a.jpg in all languages together would be too large'
    await expect(ask(engine, 'jobs.editTexts', { edits: [further] })).rejects.toThrow(refused)
    await expect(ask(engine, 'jobs.editText', { id, languageCode: 'fr', altText: long })).rejects.toThrow(refused)
    expect(await viewIn(engine, id, 'fr')).toBeUndefined()

    const languages = ['en', 'de', 'es', 'it', 'pt', 'nl', 'sv', 'pl', 'cs', 'da']
    const [asked] = await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, languages } })
    expect(asked).toMatchObject({ state: 'done' })
    const written = (await sidecarOf()).translations.map(({ languageCode }) => languageCode)
    expect(new Set(written)).toEqual(new Set([...languages, ...edits.map(({ languageCode }) => languageCode)]))

    await ask(engine, 'jobs.editText', { id, languageCode: edits[0]!.languageCode, altText: '' })
    expect((await importTable(engine, 'alt_fr', `a.jpg,${world.pictures},${long}`)).edits).toHaveLength(1)
  })

  it('is taken for the language that a program meant, and for none where a code is none', async () => {
    const { engine, id } = await described()
    const { matched } = await importTable(
      engine,
      'alt_de-DE,alt_de-AT,alt_jp,alt_zh_Hant',
      `a.jpg,${world.pictures},Eine Halle,Ein Hangar,x,紅色機庫`,
    )
    expect(matched.noLanguages).toEqual(['jp'])
    expect(matched.changes.map(({ languageCode }) => languageCode).toSorted()).toEqual(['de', 'de-at', 'zh-hant'])
    expect((await viewIn(engine, id, 'de'))?.altText).toBe('Eine Halle')
    const edit = { id, languageCode: 'xx', altText: { seen: '', to: 'x' }, seoFilename: null }
    expect((await ask(engine, 'jobs.editTexts', { edits: [edit] })).changed).toEqual([])
    const odd = { id, languageCode: 'xx', altText: 'x' }
    expect((await refusal(engine, 'jobs.editText', odd)).sentence).toMatchObject({ code: 'no_language' })
  })
})
