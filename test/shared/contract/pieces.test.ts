import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PieceJoiner, piecesOf } from '../../../src/shared/contract/pieces.ts'

describe('a message in pieces', () => {
  it('is whole again at the other end, whatever it says and wherever it is cut', () => {
    const message = fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 20 }) })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 3 }), fc.integer({ min: 1, max: 40 }), (messages, length) => {
        const joiner = new PieceJoiner()
        const sent = messages.flatMap((one) => [...piecesOf(JSON.stringify(one), length)])
        // As a socket carries it: as UTF-8.
        const received = sent.map((piece) => joiner.add(Buffer.from(piece, 'utf8').toString('utf8')))
        expect(received.filter((json) => json !== null).map((json) => JSON.parse(json) as unknown)).toEqual(messages)
      }),
    )
  })

  it('is left alone when it is short', () => {
    expect([...piecesOf('{"id":1}')]).toEqual(['{"id":1}'])
  })

  it('has pieces of the length asked for', () => {
    const pieces = [...piecesOf(`{"a":"${'x'.repeat(95)}"}`, 25)]
    expect(pieces.map((piece) => piece.length)).toEqual([26, 26, 26, 26, 4])
  })
})
