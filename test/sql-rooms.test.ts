import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../src/main')
/** Where databases are owned. */
const OWNERS = /^journal[\\/]/

it('only what owns a database says SQL to it', () => {
  const files = globSync('**/*.ts', { cwd: MAIN }).filter((path) => !OWNERS.test(path))
  const others = files.filter((path) =>
    /\bprepared[<(]|(?<!\.)\.prepare[<(]|\.pragma\(/.test(readFileSync(join(MAIN, path), 'utf8')),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(others).toEqual([])
})
