import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { servedChargers } from '../../../chargers/served-chargers.ts'
import { readChargers } from '../../../../src/renderer/places/chargers/data/read-chargers.ts'
import type { ChargePoint } from '../../../../src/shared/chargers/charger.ts'
import { aCharger } from './charger-samples.ts'

const NAMES = ['Ajdovščina', 'two\nlines', ']}', '{"', '', '機場', '"],\n]}\n']
const chargers = (count: number) =>
  Array.from({ length: count }, (_, at) => aCharger({ id: at + 1, airfield: NAMES[at % NAMES.length]! }))

async function document(of: readonly ChargePoint[]): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await servedChargers(of))
}

function inPieces(bytes: Uint8Array<ArrayBuffer>, ends: readonly number[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const cuts = [...new Set([0, ...ends, bytes.byteLength])].sort((one, other) => one - other)
  return new ReadableStream({
    start: (stream) => {
      for (const [at, from] of cuts.entries()) if (at < cuts.length - 1) stream.enqueue(bytes.slice(from, cuts[at + 1]))
      stream.close()
    },
  })
}

async function read(bytes: Uint8Array<ArrayBuffer>, ends: readonly number[] = []) {
  const taken: ChargePoint[][] = []
  await readChargers(inPieces(bytes, ends), (some) => {
    taken.push(some)
  })
  return taken
}

describe('Chargers on their way to the window', () => {
  it('are the same in whatever pieces they arrive', async () => {
    const all = chargers(20)
    const bytes = await document(all)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.byteLength), { maxLength: 30 }), async (ends) => {
        expect((await read(bytes, ends)).flat()).toEqual(all)
      }),
    )
  })

  it('are worked on while more of them come', async () => {
    const all = chargers(2000)
    const bytes = await document(all)
    const taken = await read(
      bytes,
      Array.from({ length: 60 }, (_, at) => at * 16_384),
    )
    expect(taken.flat()).toEqual(all)
    expect(taken.length).toBeGreaterThan(2)
  })

  it('may be none', async () => {
    expect((await read(await document([]))).flat()).toEqual([])
  })

  it('that are cut off anywhere are not taken for all of them', async () => {
    const bytes = await document(chargers(3))
    for (let end = 0; end < bytes.byteLength; end += 1)
      await expect(read(bytes.slice(0, end))).rejects.toThrow('hangar_silent')
  })
})
