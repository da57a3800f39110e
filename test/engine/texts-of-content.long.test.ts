import { rename, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { TextFormat } from '../../src/shared/contract/texts.ts'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import { exportTexts } from '../../src/main/page/export-texts.ts'
import { exportedJob } from '../../src/main/page/job-row.ts'
import { ask, makePicture, runToEnd } from './engine-harness.ts'
import { at, openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

/** Two pictures with texts, exported in English. */
async function exported(format: TextFormat) {
  for (const [n, name] of ['a.jpg', 'b.jpg'].entries()) await writeFile(at(name), await makePicture(n + 1, 'jpeg'))
  const engine = await world.engine(world.newDataFolder())
  const jobs = await runToEnd(engine, [world.pictures])
  const views = await Promise.all(
    jobs.map(async (job) => exportedJob(job, await ask(engine, 'jobs.words', { id: job.id }))),
  )
  const { text } = exportTexts(views, { format, ...(format === 'xliff' ? { to: 'en-gb' } : {}) }, true)
  const a = views
    .find(({ path }) => path === at('a.jpg'))!
    .texts.find(({ languageCode }) => languageCode === 'en')!.altText
  return { engine, text, a, id: jobs[0]!.id }
}

const matched = (engine: Engine, format: TextFormat, text: string) =>
  ask(engine, 'jobs.matchTexts', { format, data: Buffer.from(text).toString('base64') })

/** As a person or a program edits the export: the text of one picture is another. */
const edited = (format: TextFormat, text: string, from: string, to: string) =>
  format === 'xliff'
    ? text
        .replace(`<source>${from}</source>`, `<source>${from}</source><target>${to}</target>`)
        .replaceAll('state="initial"', '')
    : text.replace(from, to)

describe.each<TextFormat>(['csv', 'json', 'xliff'])('texts that come back as %s', (format) => {
  it('are about the picture that they were exported of, also after two swapped their names', async () => {
    const { engine, text, a } = await exported(format)
    await rename(at('a.jpg'), at('c.jpg'))
    await rename(at('b.jpg'), at('a.jpg'))
    await rename(at('c.jpg'), at('b.jpg'))
    await runToEnd(engine, [world.pictures])
    const { changes, unknown, otherContent } = await matched(engine, format, edited(format, text, a, 'A heron'))
    expect(changes.map(({ path, altText }) => [path, altText?.to])).toEqual([[at('b.jpg'), 'A heron']])
    expect([unknown, otherContent]).toEqual([[], []])
  })

  it('are named and not taken where another picture came in the place of theirs', async () => {
    const { engine, text, a } = await exported(format)
    await writeFile(at('a.jpg'), await makePicture(3, 'jpeg'))
    await runToEnd(engine, [world.pictures])
    const { changes, otherContent } = await matched(engine, format, edited(format, text, a, 'A heron'))
    expect([changes, otherContent]).toEqual([[], [at('a.jpg')]])
  })
})

describe('a text that is taken in', () => {
  it('has a blank in the place of each control character, typed or from a file', async () => {
    const { engine, id } = await exported('csv')
    const { texts } = await ask(engine, 'jobs.editText', {
      id,
      languageCode: 'en',
      altText: 'A boat\u000bon\u000ca\u0085lake ',
    })
    expect(texts.find(({ languageCode }) => languageCode === 'en')?.altText).toBe('A boat on a lake')
  })

  it('says which texts contradict each other', async () => {
    const { engine } = await exported('csv')
    const table = `file,folder,alt_en\na.jpg,${world.pictures},A heron\na.jpg,${world.pictures},A crane\n`
    const { changes, contradictory } = await matched(engine, 'csv', table)
    expect([changes, contradictory]).toEqual([[], [{ path: at('a.jpg'), languageCode: 'en' }]])
  })
})
