import { expect, it } from 'vitest'
import { describeWith, LINUX_ROOT } from '../needs.ts'
import { ALL, CAMPAIGN_MS, SEED } from './campaign.ts'
import { meetDamaged } from './damaged-journals.ts'

const JOURNALS = ALL ? 10_000 : 30

describeWith(LINUX_ROOT)('A journal with random damage', () => {
  it(
    `is refused by name or pays nothing again, in bounded time and memory: ${JOURNALS} from seed ${SEED}`,
    async () => {
      const { problems, ...figures } = await meetDamaged({ count: JOURNALS, firstSeed: SEED, atOnce: 2 })
      console.log(JSON.stringify(figures))
      expect(problems).toEqual([])
    },
    CAMPAIGN_MS,
  )
})
