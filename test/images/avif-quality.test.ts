import { expect, it } from 'vitest'
import { avifQualityFor } from '../../src/main/images/avif-quality.ts'

it('rises with the quality, without steps back, from 1 to 100', () => {
  const all = Array.from({ length: 100 }, (_, n) => avifQualityFor(n + 1))
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect([all[0]! >= 1, all.at(-1)]).toEqual([true, 100])
  expect(all[79]).toBe(63)
})
