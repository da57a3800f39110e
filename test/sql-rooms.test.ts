import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../src/main')
/** Where databases are owned: the journal, and the history of chargers. */
const OWNERS = /^(journal|chargers)[\\/]/

it('only what owns a database says SQL to it', () => {
  const files = globSync('**/*.ts', { cwd: MAIN }).filter((path) => !OWNERS.test(path))
  const others = files.filter((path) =>
    /\bprepared[<(]|\.prepare[<(]|\.pragma\(/.test(readFileSync(join(MAIN, path), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(400)
  expect(others).toEqual([])
})
