import { expect, it } from 'vitest'
import { balancesSince, latestBalance, recordBalance } from '../../src/main/journal/history.ts'
import { bench, makeBenchForEachTest } from './bench-for-each-test.ts'

const SERVICE = 'https://images.example.com'

makeBenchForEachTest()

it('balances that the service said are kept from when and until when they were so, however often they are asked for', () => {
  const { db } = bench
  const answers = [500, 500, 500, 480, 480, 480, 480, 500]
  for (const [hour, credits] of answers.entries()) recordBalance(db, SERVICE, credits, hour)
  recordBalance(db, 'https://other.example.com', 7, 9)
  expect(balancesSince(db, SERVICE, 0).map(({ atMs, credits }) => [atMs, credits])).toEqual([
    [0, 500],
    [2, 500],
    [3, 480],
    [6, 480],
    [7, 500],
  ])
  expect(latestBalance(db, SERVICE)).toEqual({ credits: 500, atMs: 7 })
})
