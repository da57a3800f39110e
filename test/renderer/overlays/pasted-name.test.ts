import { describe, expect, it } from 'vitest'
import { pastedName } from '../../../src/renderer/overlays/pasted-name.ts'

const NOW = new Date(2026, 10, 6, 9, 3, 5)
const name = (file: Partial<File>) =>
  pastedName(
    { name: 'image.png', type: 'image/png', lastModified: NOW.getTime() - 20, ...file },
    NOW,
    (date, time) => `Pasted ${date} at ${time}`,
  )

describe('a picture of the clipboard', () => {
  it('is named after the moment, whatever its type', () => {
    expect(name({})).toBe('Pasted 2026-11-06 at 09.03.05.png')
    expect(name({ name: 'image.jpeg', type: 'image/jpeg' })).toBe('Pasted 2026-11-06 at 09.03.05.jpg')
  })

  it('keeps its name when it is a copied file', () => {
    expect(name({ name: 'red.png' })).toBe(null)
    expect(name({ lastModified: NOW.getTime() - 60_000 })).toBe(null)
    expect(name({ name: 'image.txt', type: 'text/plain' })).toBe(null)
    expect(name({ name: 'image.png', type: '' })).toBe(null)
  })
})
