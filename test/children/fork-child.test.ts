import { expect, it } from 'vitest'
import { childEnvironment, environmentOf } from '../../src/main/children/fork-child.ts'

it('A child gets no key, proxy or Node option of ours', () => {
  const given = { PATH: '/bin', LC_ALL: 'C', HANGAR_API_KEY: 'k', HTTPS_PROXY: 'p', NODE_OPTIONS: '-r x', FOO: 'y' }
  expect(childEnvironment(given)).toEqual({ PATH: '/bin', LC_ALL: 'C' })
  expect(environmentOf('practice', given)).toEqual({ PATH: '/bin', LC_ALL: 'C' })
  const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_, ...rest } = environmentOf(
    'image-worker',
    given,
  )
  expect(rest).toEqual({ PATH: '/bin', LC_ALL: 'C' })
  expect([MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_, MALLOC_TRIM_THRESHOLD_]).not.toContain(undefined)
})
