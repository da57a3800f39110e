import { expect, it } from 'vitest'
import { ORDERED_BY, NEWEST_FIRST } from '../../../../src/shared/jobs/job-list.ts'
import { nextOrder, orderName, ORDERS, ORDER_NAMES } from '../../../../src/renderer/places/jobs/list-order.ts'
import { readOrder } from '../../../../src/renderer/store/remembered-order.ts'

it('sorts by a heading, then the other way round, then newest first again', () => {
  const once = nextOrder(NEWEST_FIRST, 'size')
  expect(once).toEqual({ by: 'size', descending: true })
  expect(nextOrder(once, 'size')).toEqual({ by: 'size', descending: false })
  expect(nextOrder(nextOrder(once, 'size'), 'size')).toEqual(NEWEST_FIRST)
  expect(nextOrder(once, 'name')).toEqual({ by: 'name', descending: false })
})

it('has a name for every order', () => {
  expect(ORDER_NAMES).toHaveLength(2 * ORDERED_BY.length)
  for (const name of ORDER_NAMES) expect(orderName(ORDERS[name])).toBe(name)
})

it('reads what was remembered with care', () => {
  expect(readOrder({ by: 'saving', descending: true })).toEqual({ by: 'saving', descending: true })
  for (const odd of [null, 7, 'name', {}, { by: 'price', descending: true }])
    expect(readOrder(odd)).toEqual(NEWEST_FIRST)
})
