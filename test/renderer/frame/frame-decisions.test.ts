import { describe, expect, it } from 'vitest'
import { keysText, matchesKeys, type Press } from '../../../src/renderer/parts/shortcut-keys.ts'
import common from '../../../src/shared/text/en/common.json' with { type: 'json' }

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('shortcuts', () => {
  it('take Control for mod, and Command on an Apple keyboard', () => {
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKeys('mod+k', press('k', { metaKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+k', press('k', { metaKey: true }), true)).toBe(true)
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }), true)).toBe(false)
  })

  it('do not fire with more keys held than they name', () => {
    expect(matchesKeys('k', press('k', { ctrlKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+k', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+1', press('1', { ctrlKey: true, altKey: true }), false)).toBe(false)
  })

  it('are written as the keyboard has them', () => {
    const name = (key: string) => (common as Partial<Record<string, string>>)[`keys.${key}`] ?? key.toUpperCase()
    expect(keysText('mod+k', false, name)).toBe('Ctrl+K')
    expect(keysText('mod+k', true, name)).toBe('⌘K')
    expect(keysText('space', true, name)).toBe('Space')
  })
})
