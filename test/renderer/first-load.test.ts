import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { firstLoadSize, MOST_BYTES } from '../../scripts/check-size.mjs'

const BUILT = resolve(import.meta.dirname, '../../out/renderer')

test.skipIf(!existsSync(join(BUILT, 'index.html')))(
  'the scripts that the page loads first stay within their limit (skipped: not built)',
  () => {
    expect(firstLoadSize(BUILT).gzipBytes).toBeLessThanOrEqual(MOST_BYTES)
  },
)

test.skipIf(!existsSync(join(BUILT, 'index.html')))(
  'no script of the page brings zod, which tries to make code from text when it loads (skipped: not built)',
  () => {
    const scripts = readdirSync(join(BUILT, 'assets')).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((name) => readFileSync(join(BUILT, 'assets', name), 'utf8').includes('ZodError'))).toEqual([])
  },
)
