import { expect, it } from 'vitest'
import { toDiskError } from '../../../src/main/files/disk-error.ts'
import { journalTrouble } from '../../../src/main/journal/journal-trouble.ts'
import { errorCode } from '../../../src/shared/runtime/error-code.ts'

/** As Node makes it for an error that it has no name for; `code` as from its functions that return no promise. */
const unnamed = (errno: number, code = `Unknown system error ${errno}`) =>
  Object.assign(new Error(`${code}: ${code}, open 'a.part'`), { errno, code, syscall: 'open' })

it.each([-122, -69])('A full quota is a full disk, although Node has no name for it: %s', (errno) => {
  expect(toDiskError(unnamed(errno), '/pictures')).toMatchObject({ code: 'disk_full', sentence: { code: 'no_space' } })
  expect(journalTrouble(unnamed(errno), '/data/journal.db')).toMatchObject({ code: 'disk_full' })
  expect(errorCode(unnamed(errno, 'UNKNOWN'))).toBe('EDQUOT')
})

it.each([-116, -70])('A file of a network file system that is gone has a name: %s', (errno) => {
  expect(errorCode(unnamed(errno))).toBe('ESTALE')
})

it('Any other error keeps its code, and may have none', () => {
  expect(errorCode(unnamed(-4094, 'UNKNOWN'))).toBe('UNKNOWN')
  expect(errorCode(unnamed(-123))).toBe('Unknown system error -123')
  expect(errorCode(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toBe('ENOSPC')
  expect(errorCode(new Error('anything'))).toBe('')
  expect(errorCode('anything')).toBe('')
})
