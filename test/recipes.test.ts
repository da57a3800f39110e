import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const guide = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
const RECIPES = guide
  .split('\n## ')
  .filter((section) => section.startsWith('How to add '))
  .map((section) => ({ name: section.split('\n')[0]!, text: section }))

const isPath = (code: string) => /^(?:src|test|docs)\/[\w./<>-]+$/.test(code)
const isName = (code: string) => /^[a-z]+[A-Z]\w*$|^[A-Z][a-z]\w*$/.test(code)
const placeOf = (path: string) => join(ROOT, path.replace('<language>', 'en'))

/** The text of a file, or of all files in a folder. */
function textAt(place: string): string {
  if (!statSync(place).isDirectory()) return readFileSync(place, 'utf8')
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}

it('What CONTRIBUTING.md says where to find is there', () => {
  const rows = [...guide.matchAll(/^\| [^|]+ \| `(src\/[^`]+)` +\|$/gm)].map(([, path]) => path!)
  expect(rows).toHaveLength(14)
  expect(rows.filter((path) => !existsSync(placeOf(path)))).toEqual([])
})

describe('the recipes in CONTRIBUTING.md', () => {
  it('are found, so that they are checked', () => {
    expect(RECIPES).toHaveLength(8)
  })

  it.each(RECIPES)('$name names files that exist, and what is in them', ({ text }) => {
    const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
    const paths = codes.filter(isPath)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(placeOf(path)))).toEqual([])
    const inThem = paths.map((path) => textAt(placeOf(path))).join('\n')
    expect(codes.filter(isName).filter((name) => !new RegExp(`\\b${name}\\b`).test(inThem))).toEqual([])
  })
})
