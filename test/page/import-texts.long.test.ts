import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_TEXTS_BYTES } from '../../src/shared/recipes/limits.ts'
import { AppWorld } from './app-harness.ts'

let world: AppWorld
beforeEach(async () => {
  world = await AppWorld.open()
})
afterEach(() => world.close())

/** A table that changes one text of a sample, with other lines before it: larger than a message. */
async function largeTable(file: string): Promise<{ id: string; before: string }> {
  await world.ask('intake.samples', {})
  await world.until('a sample is done', () => world.state!.counts.done > 0)
  const { sections } = await world.ask('jobs.index', { filter: { states: ['done'] } })
  const [id] = sections.flatMap(({ ids }) => ids)
  const { row, texts } = await world.ask('jobs.detail', { id: id! })
  const { languageCode, altText } = texts[0]!
  const long = 'x'.repeat(9900)
  const others = Array.from({ length: 600 }, (_, n) => `/elsewhere,${n}.jpg,${long}`)
  writeFileSync(file, [`folder,file,alt_${languageCode}`, ...others, `${row.dir},${row.name},A red hangar`].join('\n'))
  return { id: id!, before: altText }
}

async function token(path: string): Promise<string> {
  world.shell.toPick = [path]
  return (await world.ask('places.pick', { kind: 'files' })).places[0]!.token
}

describe('A file of texts that is larger than a message', () => {
  it('is taken by its token, and what it would change is shown like that of a small one', async () => {
    const file = join(world.dir, 'texts.csv')
    const { id, before } = await largeTable(file)
    const matched = await world.ask('jobs.matchTexts', { format: 'csv', file: await token(file) })
    expect(matched.changes).toMatchObject([{ id, altText: { seen: before, to: 'A red hangar' } }])
    expect(matched.unknown).toHaveLength(600)
  })

  it('is refused beyond 50 MB and when it is gone, with what to do, and is never a path that a page made up', async () => {
    const file = join(world.dir, 'texts.csv')
    writeFileSync(file, '')
    truncateSync(file, MAX_TEXTS_BYTES + 1)
    const ask = async (given: string) => {
      const result = await world.app.host.call('jobs.matchTexts', { format: 'csv', file: given })
      return result.ok ? 'it was done' : result.error.sentence
    }
    const known = await token(file)
    expect(await ask(known)).toEqual({ code: 'import_too_large', values: { most: 50 } })
    rmSync(file)
    expect(await ask(known)).toMatchObject({ code: 'path_missing' })
    expect(await ask('/etc/passwd')).toMatchObject({ code: 'value_not_taken' })
    expect(await ask('A'.repeat(24))).toMatchObject({ code: 'place_unknown' })
  })

  it('comes compressed from a browser, up to 50 MB', async () => {
    const file = join(world.dir, 'texts.csv')
    const { id } = await largeTable(file)
    const ask = (data: Buffer) =>
      world.app.host.call('jobs.matchTexts', { format: 'csv', data: data.toString('base64'), isPacked: true })
    const matched = await ask(gzipSync(readFileSync(file)))
    expect(matched.ok && matched.value).toMatchObject({ changes: [{ id, altText: { to: 'A red hangar' } }] })
    const refused = async (data: Buffer) => {
      const result = await ask(data)
      return result.ok ? 'it was done' : result.error.sentence
    }
    // What it becomes is bounded, not what comes.
    const large = gzipSync(Buffer.alloc(MAX_TEXTS_BYTES + 1))
    expect(await refused(large)).toEqual({ code: 'import_too_large', values: { most: 50 } })
    expect(await refused(readFileSync(file).subarray(0, 1000))).toMatchObject({ code: 'import_unreadable' })
    expect(await refused(large.subarray(0, 1000))).toMatchObject({ code: 'import_unreadable' })
  })
})
