import { existsSync } from 'node:fs'
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
