import { expect, it } from 'vitest'
import { spendGroups } from '../../src/main/core/spend-guard.ts'

const SERVICE = 'https://images.example'

it('groups what would be sent by operation, number of languages and format', () => {
  const keys = [
    `${SERVICE}|a|process|de,en|webp`,
    `${SERVICE}|b|process|de,fr|webp`,
    `${SERVICE}|c|process|de,fr|avif`,
    `${SERVICE}|d|analyze|en|-`,
    `${SERVICE}|e|optimize|-|-`,
  ]
  expect(spendGroups(keys, 'avif')).toEqual([
    { operation: 'process', languageCount: 2, format: 'webp', images: 1 },
    { operation: 'process', languageCount: 2, format: 'webp', images: 1 },
    { operation: 'process', languageCount: 2, format: 'avif', images: 1 },
    { operation: 'analyze', languageCount: 1, format: 'avif', images: 1 },
    { operation: 'optimize', languageCount: 1, format: 'avif', images: 1 },
  ])
})

it('counts the same content once: it is sent once', () => {
  const key = 'practice|a|process|en|webp'
  expect(spendGroups([key, key, 'practice|b|process|en|webp'], 'webp')).toEqual([
    { operation: 'process', languageCount: 1, format: 'webp', images: 2 },
  ])
})
