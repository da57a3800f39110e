import { expect, it } from 'vitest'
import { NEWEST_FIRST } from '../../../src/shared/jobs/job-list.ts'
import { readLook, readOrder, readTile } from '../../../src/renderer/store/remembered-look.ts'

it('reads what was remembered with care', () => {
  expect(readOrder({ by: 'saving', descending: true })).toEqual({ by: 'saving', descending: true })
  for (const odd of [null, 7, 'name', {}, { by: 'price', descending: true }])
    expect(readOrder(odd)).toEqual(NEWEST_FIRST)
  expect([readLook('list'), readLook(3)]).toEqual(['list', 'grid'])
  expect([readTile(320), readTile(9000), readTile('320')]).toEqual([320, 200, 200])
})
