import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import { BUILT, itWith } from '../needs.ts'
import { firstLoadSize, MAX_BYTES } from '../../scripts/check-size.mjs'

const OUT = resolve(import.meta.dirname, '../../out/renderer')

itWith(BUILT)('the scripts that the page loads first stay within their limit', () => {
  expect(firstLoadSize(OUT).gzipBytes).toBeLessThanOrEqual(MAX_BYTES)
})

itWith(BUILT)('the scripts that the page loads first are few files, because each is a request', () => {
  expect(firstLoadSize(OUT).files.length).toBeLessThanOrEqual(3)
})

itWith(BUILT)('no script of the page brings zod, which tries to make code from text when it loads', () => {
  const scripts = readdirSync(join(OUT, 'assets')).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((name) => readFileSync(join(OUT, 'assets', name), 'utf8').includes('ZodError'))).toEqual([])
})
