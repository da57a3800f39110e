import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nameKey } from '../../src/main/core/naming.ts'

const inOrder = (names: readonly string[]) =>
  names.toSorted((one, other) => (nameKey(one) < nameKey(other) ? -1 : nameKey(one) > nameKey(other) ? 1 : 0))

it('puts names in the order in which people read them', () => {
  const names = ['a.jpg', 'Ärger.jpg', 'b.jpg', 'IMG_2.jpg', 'img_0010.jpg', 'IMG_11.jpg', 'img_a.jpg']
  expect(inOrder(names.toReversed())).toEqual(names)
})

it('orders numbers of any length by their value', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 90n }), fc.bigInt({ min: 0n, max: 10n ** 90n }), (one, other) => {
      expect(nameKey(`x${one}`) < nameKey(`x${other}`)).toBe(one < other)
    }),
  )
})
