import { expect, it } from 'vitest'
import { altLength } from '../../../src/renderer/text/alt-length.ts'

it('counts what a person sees, and says when a text is long or very short for its language', () => {
  expect(altLength('👩‍✈️ at work', 'en')).toEqual({ length: 9, limit: 125, verdict: 'short' })
  expect(altLength('x'.repeat(140), 'en').verdict).toBe('long')
  expect(altLength('x'.repeat(140), 'de-CH')).toEqual({ length: 140, limit: 150, verdict: 'fine' })
  expect(altLength('跑道旁停着一架红色的小飞机', 'zh-Hans').verdict).toBe('fine')
  expect(altLength('跑'.repeat(60), 'zh').verdict).toBe('long')
  expect(altLength('  ', 'en').verdict).toBe('empty')
  expect(altLength('x'.repeat(100), 'tlh').limit).toBe(150)
})
