import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LONG_PROGRAMS } from '../scripts/install-system-packages.mjs'

const filesThatHave = (what: RegExp) =>
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && name !== 'needs.test.ts')
    .filter((name) => what.test(readFileSync(join(import.meta.dirname, name), 'utf8')))

it('every test that is skipped says what it needs, by the one helper', () => {
  const skips = /\b(?:describe|it|test)(?:\.\w+)*\.(?:skipIf|runIf|skip|todo)\b|\.skip\(/
  expect(filesThatHave(skips)).toEqual([])
})

it('no test of the quick suite needs a program that is installed for the long suite alone', () => {
  const users = filesThatHave(new RegExp(`'(?:${LONG_PROGRAMS.join('|')})'|\\bPOSTGRES\\b|\\bwhatIsLacking\\b`))
  expect(users).toContain(join('packaging', 'deb.long.test.ts'))
  expect(users.filter((name) => !name.endsWith('.long.test.ts'))).toEqual([])
})
