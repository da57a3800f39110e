import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { tryRestore } from '../../src/main/engine/engine-files.ts'
import { sha256 } from '../files/temp-folder.ts'
import { run } from '../images/metadata/judges.ts'
import { noise } from '../images/pictures.ts'
import { ask, RECIPE, runToEnd } from './engine-harness.ts'
import { at, openWorldForEachTest, reopenWorld, sidecarOf, world } from './world-for-each-test.ts'

openWorldForEachTest()

const WITH_TEXTS = { ...RECIPE, embedTexts: true }

/** The alternatives of the alt text, as exiftool reads them. */
function altTexts(name: string): Record<string, string> {
  const out = run('exiftool', ['-j', '-struct', '-a', '-XMP-iptcCore:all', at(name)]).toString()
  const [row] = JSON.parse(out) as Record<string, unknown>[]
  const found = Object.entries(row!).filter(([key]) => key.startsWith('AltTextAccessibility'))
  return Object.fromEntries(
    found.map(([key, value]) => [key.replace(/^AltTextAccessibility-?/, '') || 'x-default', String(value)]),
  )
}

const picture = (seed: number, xmp?: string) => {
  const image = noise(160, 120, seed)
  return (xmp === undefined ? image : image.withXmp(xmp)).jpeg({ quality: 98 }).toBuffer()
}
const packet = (body: string): string =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:i="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:p="http://ns.adobe.com/photoshop/1.0/">' +
  `${body}</rdf:Description></rdf:RDF></x:xmpmeta>`

async function done(
  changes: object = {},
  bytes?: Buffer,
): Promise<{ engine: Engine; dataDir: string; job: JobView; texts: Record<string, string>; original: Buffer }> {
  const original = bytes ?? (await picture(1))
  await writeFile(at('a.jpg'), original)
  const dataDir = world.newDataFolder()
  const engine = await world.engine(dataDir)
  const [job] = await runToEnd(engine, [world.pictures], { recipe: { ...WITH_TEXTS, ...changes } })
  expect(job).toMatchObject({ state: 'done' })
  const { texts } = await ask(engine, 'jobs.texts', { id: job!.id })
  const record = Object.fromEntries(texts.map(({ languageCode, altText }) => [languageCode, altText]))
  return { engine, dataDir, job: job!, texts: record, original }
}

const edit = (engine: Engine, id: string, altText: string, languageCode = 'en') =>
  ask(engine, 'jobs.editText', { id, languageCode, altText })

/** What the journal and the sidecar say of each file is what stands there, once. */
async function expectKnown(engine: Engine, id: string): Promise<void> {
  const [job] = (await ask(engine, 'jobs.get', { ids: [id] })).jobs
  const { outputs } = await sidecarOf(basename(job!.source.path))
  for (const output of job!.outputs.filter(({ role }) => role !== 'sidecar')) {
    const now = { sha256: sha256(await readFile(output.path)), sizeBytes: (await stat(output.path)).size }
    expect(output, output.path).toMatchObject({ ...now, state: 'published' })
    expect(outputs.filter(({ name }) => name === basename(output.path))).toMatchObject([now])
  }
}

/** A second run, and one on a computer that has the sidecars only, find nothing to do and take nothing in. */
async function expectSettled(engine: Engine, recipe: object = WITH_TEXTS): Promise<void> {
  const before = await world.listing()
  const charges = world.charges.length
  await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, ...recipe } })
  await runToEnd(await world.engine(world.newDataFolder()), [world.pictures], { recipe: { ...RECIPE, ...recipe } })
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(charges)
}

describeWith(programs('exiftool', 'djpeg', 'dwebp'))('the files of a recipe that embeds texts', () => {
  it.each(['webp', 'avif'] as const)('carry them in all languages, with the same pixels (%s)', async (format) => {
    const { engine, job, texts, original } = await done({ format })
    const all = { 'x-default': texts['en'], ...texts }
    expect(Object.keys(all)).toEqual(['x-default', 'en', 'de'])
    expect(altTexts('a-optimized.jpg')).toEqual(all)
    expect(altTexts(`a.${format}`)).toEqual(all)
    expect(altTexts('a.jpg')).toEqual({})
    expect((await readFile(at('a.jpg'))).equals(original)).toBe(true)
    await expectKnown(engine, job.id)
    await expectSettled(engine, { ...WITH_TEXTS, format })
    // Without the choice, the same files come without them; nothing is paid for that.
    const before = run('djpeg', ['-pnm', at('a-optimized.jpg')])
    await runToEnd(engine, [world.pictures], { recipe: { ...RECIPE, format } })
    expect(altTexts('a-optimized.jpg')).toEqual({})
    expect(altTexts(`a.${format}`)).toEqual({})
    expect(run('djpeg', ['-pnm', at('a-optimized.jpg')]).equals(before)).toBe(true)
    expect(world.charges).toHaveLength(1)
  })

  it('follow a text that a person edits, also after a restart, and go back with it', async () => {
    const { engine: first, dataDir, job, texts, original } = await done()
    const before = await world.listing()
    const pixels = run('dwebp', ['-quiet', '-pam', at('a.webp'), '-o', '-'])
    await world.stop(first)
    const engine = await world.engine(dataDir)
    await chmod(at('a.webp'), 0o640)
    const answer = await edit(engine, job.id, 'مالك الحزين 🐦‍⬛ & “dawn”', 'de')
    expect(answer).toMatchObject({ sidecarWritten: true, filesLeft: [] })
    const wanted = { 'x-default': texts['en'], en: texts['en'], de: 'مالك الحزين 🐦‍⬛ & “dawn”' }
    expect(altTexts('a-optimized.jpg')).toEqual(wanted)
    expect(altTexts('a.webp')).toEqual(wanted)
    expect(run('dwebp', ['-quiet', '-pam', at('a.webp'), '-o', '-']).equals(pixels)).toBe(true)
    expect((await stat(at('a.webp'))).mode & 0o777).toBe(0o640)
    expect((await readFile(at('a.jpg'))).equals(original)).toBe(true)
    await expectKnown(engine, job.id)
    await expectSettled(engine)
    await edit(engine, job.id, '', 'de')
    const after = await world.listing()
    for (const name of ['a.jpg', 'a-optimized.jpg', 'a.webp']) expect(after[name], name).toBe(before[name])
    await edit(engine, job.id, 'A heron', 'en')
    expect(altTexts('a.webp')).toMatchObject({ 'x-default': 'A heron', en: 'A heron', de: texts['de'] })
    expect((await readdir(world.pictures)).filter((name) => name.startsWith('.hangar-'))).toEqual([])
  })

  it('are written in the place of an original, which comes back byte for byte after any number of edits', async () => {
    const { engine, job, texts, original } = await done({ output: { kind: 'replace' } })
    expect(altTexts('a.jpg')).toMatchObject({ en: texts['en'] })
    await edit(engine, job.id, 'A heron')
    await edit(engine, job.id, 'A grey heron')
    expect(altTexts('a.jpg')).toMatchObject({ en: 'A grey heron', de: texts['de'] })
    expect(altTexts('a.webp')).toMatchObject({ en: 'A grey heron' })
    await expectKnown(engine, job.id)
    await expectSettled(engine, { ...WITH_TEXTS, output: { kind: 'replace' } })
    expect(await tryRestore(at('a.jpg'), world.pictures, false)).toMatchObject({ restored: true })
    expect((await readFile(at('a.jpg'))).equals(original)).toBe(true)
    // The original is nobody's result: a later edit leaves it alone.
    expect((await edit(engine, job.id, 'A heron again')).filesLeft).toEqual([{ name: 'a.jpg', why: 'changed' }])
    expect((await readFile(at('a.jpg'))).equals(original)).toBe(true)
    expect(altTexts('a.webp')).toMatchObject({ en: 'A heron again' })
  })

  it("keep the photographer's own words, until a person edits that text", async () => {
    const own =
      '<i:AltTextAccessibility><rdf:Alt><rdf:li xml:lang="x-default">My heron</rdf:li><rdf:li xml:lang="de-CH">Mein Reiher</rdf:li></rdf:Alt></i:AltTextAccessibility>'
    const { engine, job, texts } = await done({}, await picture(2, packet(own)))
    const kept = { 'x-default': 'My heron', en: texts['en'], 'de-CH': 'Mein Reiher' }
    for (const name of ['a-optimized.jpg', 'a.webp']) expect(altTexts(name), name).toEqual(kept)
    expect(job.notes).toContainEqual({ code: 'own_alt_text_kept', detail: 'x-default, de-CH' })
    await edit(engine, job.id, 'Ein Graureiher', 'de')
    expect(altTexts('a.webp')).toEqual({ 'x-default': 'My heron', en: texts['en'], de: 'Ein Graureiher' })
    await edit(engine, job.id, 'A grey heron', 'en')
    expect(altTexts('a.webp')).toEqual({ 'x-default': 'A grey heron', en: 'A grey heron', de: 'Ein Graureiher' })
    await edit(engine, job.id, '', 'en')
    await edit(engine, job.id, '', 'de')
    expect(altTexts('a.webp')).toEqual(kept)
  })

  it('do not carry a text that tells the place which the recipe removes', async () => {
    const { texts } = await done()
    const word = texts['en']!.split(' ')
      .filter((part) => /^\p{L}{3,}$/u.test(part))
      .at(-1)!
    await reopenWorld()
    const { job } = await done({}, await picture(1, packet(`<p:City>${word}</p:City>`)))
    const { detail } = job.notes.find(({ code }) => code === 'texts_withheld')!
    expect(detail).toContain('en')
    expect(altTexts('a.webp')).not.toHaveProperty('en')
    expect((await sidecarOf('a.jpg')).translations).toHaveLength(2)
  })
})
