import { describe, expect } from 'vitest'
import { itWith, programs } from '../needs.ts'
import { fileOf, judge } from './judges.ts'
import { seededRandom } from './pictures.ts'
import { encode, inspect, scanOf, wholeJpegs } from './whole-jpegs.ts'

describe('a JPEG that is damaged', () => {
  itWith(programs('djpeg'))(
    'anywhere is refused where djpeg fails, and taken where it has nothing to say',
    async () => {
      const seed = 20261123
      const random = seededRandom(seed)
      const verdicts = new Map<number | null, number>()
      for (const [name, jpeg] of Object.entries(await wholeJpegs())) {
        const scan = scanOf(jpeg)
        for (let round = 0; round < 60; round++) {
          const inHead = round % 3 === 0
          const at = inHead
            ? 2 + Math.floor(random() * scan)
            : scan + 14 + Math.floor(random() * (jpeg.length - scan - 16))
          const bit = 1 << Math.floor(random() * 8)
          const isLost = round % 7 === 0
          const broken = isLost
            ? Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 1 + (round % 5))])
            : Buffer.from(jpeg)
          if (!isLost) broken[at]! ^= bit
          const { status, words } = judge('djpeg', ['-outfile', '/dev/null', fileOf('a.jpg', broken)])
          const { ok } = await inspect(broken)
          const where = `${name}, seed ${seed}, round ${round}, byte ${at}: djpeg ${status} ${words}`
          expect((await encode(broken)).ok, where).toBe(ok)
          // 2: it warned. Not what it warns of in the last rows: the library stops listening there.
          if (status === 1) expect(ok, where).toBe(false)
          if (status === 0 && broken.subarray(0, 3).equals(jpeg.subarray(0, 3))) expect(ok, where).toBe(true)
          verdicts.set(status, (verdicts.get(status) ?? 0) + 1)
        }
      }
      for (const status of [0, 1, 2]) expect(verdicts.get(status) ?? 0, `djpeg ${status}`).toBeGreaterThan(5)
    },
    120_000,
  )
})
