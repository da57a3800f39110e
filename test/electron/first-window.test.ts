import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../out/main')

/** A built module and all that it imports at once, by name, with its text. */
function loadedWith(name: string, loaded = new Map<string, string>()): Map<string, string> {
  if (loaded.has(name)) return loaded
  const text = readFileSync(join(MAIN, name), 'utf8')
  loaded.set(name, text)
  for (const [, other] of text.matchAll(/^(?:import|export)\b[^;]*?["']\.\/([^"']+)["'];?$/gm))
    loadedWith(other!, loaded)
  return loaded
}

it('the window opens before the engine is loaded', () => {
  const loaded = loadedWith('index.js')
  const bytes = [...loaded.values()].reduce((sum, text) => sum + text.length, 0)
  expect(loaded.size).toBeGreaterThan(1)
  expect(bytes).toBeLessThan(300_000)
  expect([...loaded.values()].filter((text) => text.includes('from "better-sqlite3"'))).toEqual([])
})
