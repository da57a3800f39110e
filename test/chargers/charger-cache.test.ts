import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ChargerCache, CHARGERS_FOLDER } from '../../src/main/chargers/charger-cache.ts'
import { nextSet } from '../../src/main/chargers/charger-set.ts'
import { charger } from '../shared/chargers/any-charger.ts'
import { quiet } from '../simulation/world.ts'
import { chargersOf, reading, SHORT } from './fake-source.ts'
import { folderForTest } from '../temp-folder.ts'

const SOURCE = 'https://chargers.example'
let dir: string
let cache: ChargerCache

beforeEach(async () => {
  dir = folderForTest()
  cache = new ChargerCache(dir, quiet)
})

const at = { atMs: 1_700_000_000_000, lastVersion: 0 }
const folder = () => join(dir, CHARGERS_FOLDER)
const onlyFile = async () => join(folder(), (await readdir(folder()))[0]!)

describe('chargers kept on the disk', () => {
  it('come back as they were', async () => {
    const airfield = 'a "b"\n</script>\ud83d\ude00\u2028'
    const strange = charger({ id: 7, airfield, location: null, liveState: 'levitating' })
    const before = await nextSet(null, reading([...chargersOf(1, 2), strange], { unusable: 4 }), at)
    const set = await nextSet(before, reading(chargersOf(2), { gap: SHORT, unusable: 1 }), { ...at, lastVersion: 5 })
    await cache.save(SOURCE, set)
    const { body, ...facts } = (await cache.load(SOURCE))!
    expect({ ...set, ...facts }).toEqual(set)
    expect(JSON.parse(`[${String(body)}]`)).toEqual(set.chargers)
    expect(set).toMatchObject({ gap: SHORT, unusable: 1 })
  })

  it('are none before the first, and none of another service', async () => {
    expect(await cache.load(SOURCE)).toBeNull()
    await cache.save(SOURCE, await nextSet(null, reading([]), at))
    expect(await cache.load(SOURCE)).toMatchObject({ chargers: [] })
    expect(await cache.load('https://other.example')).toBeNull()
  })

  it('are one file that only its owner reads, named by no address', async () => {
    await cache.save(SOURCE, await nextSet(null, reading(chargersOf(1)), at))
    await cache.save(SOURCE, await nextSet(null, reading(chargersOf(1, 2)), at))
    expect(await readdir(folder())).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)])
    expect((await stat(await onlyFile())).mode & 0o077).toBe(0)
    expect(JSON.parse(await readFile(await onlyFile(), 'utf8'))).toMatchObject({ chargers: [{ id: 1 }, { id: 2 }] })
  })

  it.each([
    ['cut off', (text: string) => text.slice(0, -20)],
    ['cut off after a line', (text: string) => text.slice(0, text.indexOf('\n') + 1)],
    ['empty', () => ''],
    ['no JSON', () => 'what is this\n'],
    ['with a charger that is none', (text: string) => text.replace('"id":2', '"id":"two"')],
  ])('that are %s are put aside and count as none', async (_, spoil) => {
    await cache.save(SOURCE, await nextSet(null, reading(chargersOf(1, 2, 3)), at))
    const path = await onlyFile()
    await writeFile(path, spoil(await readFile(path, 'utf8')))
    expect(await cache.load(SOURCE)).toBeNull()
    expect(await readdir(folder())).toEqual([expect.stringMatching(/\.json\.broken$/)])
    await cache.save(SOURCE, await nextSet(null, reading(chargersOf(4)), at))
    expect(await cache.load(SOURCE)).toMatchObject({ chargers: [{ id: 4 }] })
  })

  it('that cannot be written leave what was there, and no draft', async () => {
    await writeFile(folder(), 'a file where the folder should be')
    await cache.save(SOURCE, await nextSet(null, reading(chargersOf(1)), at))
    expect(await readdir(dir)).toEqual([CHARGERS_FOLDER])
    expect(await cache.load(SOURCE)).toBeNull()
  })
})

it('Fifty thousand chargers are written and read while everything else has its turn', async () => {
  const many = reading(Array.from({ length: 50_000 }, (_, n) => charger({ id: n + 1, icao: `X${n % 900}` })))
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const turnsOf = async <Value>(work: Promise<Value>): Promise<[Value, number]> => {
    const before = turns
    return [await work, turns - before]
  }
  const [set, written] = await turnsOf(nextSet(null, many, at))
  await cache.save(SOURCE, set)
  const [kept, read] = await turnsOf(cache.load(SOURCE))
  clearImmediate(timer)
  expect(kept!.chargers).toHaveLength(50_000)
  expect({ written: written > 20, read: read > 20 }).toEqual({ written: true, read: true })
})
