import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_NAME_BYTES, collisionKey, nameKey, composeFileName, safeBaseName } from '../../src/main/core/naming.ts'

const wanted = { sourceName: 'photo.jpg', seoName: null, role: 'optimized', type: 'jpeg', n: 1 } as const

/** Everything the fuzzers of other tools tripped over, with what must come out. */
const TRAPS: [given: string, expected: string | null][] = [
  ['red-bicycle', 'red-bicycle'],
  ['Red Bicycle.JPG', 'Red-Bicycle'],
  ['photo.jpg.webp', 'photo'],
  ['v1.2 release', 'v1.2-release'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\win.ini', 'win.ini'],
  ['/', null],
  ['', null],
  ['.', null],
  ['..', null],
  ['.jpg', null],
  ['.hidden', 'hidden'],
  ['-rf', 'rf'],
  ['~root', 'root'],
  ['.-~. x', 'x'],
  ['name. ', 'name'],
  ['name...', 'name'],
  ['con', '_con'],
  ['CON.png', '_CON'],
  ['con.txt', '_con.txt'],
  ['CON .png', '_CON'],
  ['COM¹.png', '_COM¹'],
  ['lpt9', '_lpt9'],
  ['NUL', '_NUL'],
  ['conin$', '_conin$'],
  ['console', 'console'],
  ['a\u202Egpj.exe', 'agpj.exe'],
  ['a\u200Bb\u200Dc\uFEFFd', 'abcd'],
  ['\u0000\u0007bell\u007F', 'bell'],
  ['line\nbreak\u2028two', 'line-break-two'],
  ['a<b>c:d"e|f?g*h', 'a-b-c-d-e-f-g-h'],
  ['cafe\u0301', 'caf\u00E9'],
  ['\u0301', null],
  ['\uD800lone', 'lone'],
  ['\u3164\u2800', null],
  ['赤い自転車', '赤い自転車'],
  ['\u202E.\u202Dhidden', 'hidden'],
]

describe('safeBaseName', () => {
  it.each(TRAPS)('makes %j into %j', (given, expected) => {
    expect(safeBaseName(given)).toBe(expected)
  })

  it('cuts long names between graphemes and leaves room for every suffix', () => {
    const flags = '🇩🇪'.repeat(60)
    const cut = safeBaseName(flags)
    expect(cut).not.toBeNull()
    expect([...(cut ?? '')].length % 2).toBe(0)
    expect(Buffer.byteLength(cut ?? '')).toBeLessThanOrEqual(160)
    expect(Buffer.byteLength(safeBaseName('漢'.repeat(120)) ?? '')).toBe(159)
    expect(safeBaseName(`a${'\u0301'.repeat(400)}`)).toBeNull()
  })

  it('gives for any text null or one safe path component that it would leave alone', () => {
    const nasty = fc.constantFrom(...TRAPS.map(([text]) => text), ...'./\\-~ \u202E\u200D\u0301\uD800\uDC00', '.jpg')
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.oneof(nasty, fc.string({ unit: 'binary' })), { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const name = safeBaseName(given)
        if (name === null) return
        expect(name).toBe(name.normalize('NFC'))
        expect(name.isWellFormed()).toBe(true)
        expect(name).not.toMatch(/[<>:"/\\|?*\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
        expect(name).not.toMatch(/^[.\-~]|[.\- ]$/)
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(160)
        expect(safeBaseName(name)).toBe(name)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('composeFileName', () => {
  it('puts the role, then the number, then the extension behind the original name', () => {
    expect(composeFileName(wanted)).toBe('photo-optimized.jpg')
    expect(composeFileName({ ...wanted, n: 2 })).toBe('photo-optimized-2.jpg')
    expect(composeFileName({ ...wanted, role: 'converted', type: 'webp' })).toBe('photo.webp')
    expect(composeFileName({ ...wanted, role: 'converted', type: 'avif', n: 13 })).toBe('photo-13.avif')
  })

  it('prefers a usable SEO name and falls back to the original name', () => {
    expect(composeFileName({ ...wanted, seoName: 'red-bicycle.png' })).toBe('red-bicycle-optimized.jpg')
    expect(composeFileName({ ...wanted, seoName: '../..' })).toBe('photo-optimized.jpg')
  })

  it('never doubles the suffix', () => {
    expect(composeFileName({ ...wanted, sourceName: 'photo-optimized.jpg' })).toBe('photo-optimized.jpg')
    expect(composeFileName({ ...wanted, seoName: 'photo-optimized-optimized' })).toBe('photo-optimized.jpg')
    expect(composeFileName({ ...wanted, sourceName: '-optimized.jpg' })).toBe('-optimized-optimized.jpg')
  })

  it('takes the extension from the verified type and keeps the spelling of the source where it says the same', () => {
    expect(composeFileName({ ...wanted, sourceName: 'A.JPG' })).toBe('A-optimized.JPG')
    expect(composeFileName({ ...wanted, sourceName: 'a.jpeg' })).toBe('a-optimized.jpeg')
    expect(composeFileName({ ...wanted, sourceName: 'a.jpeg', type: 'png' })).toBe('a-optimized.png')
    expect(composeFileName({ ...wanted, sourceName: 'a.png', type: 'jpeg' })).toBe('a-optimized.jpg')
    expect(composeFileName({ ...wanted, sourceName: 'noextension' })).toBe('noextension-optimized.jpg')
  })

  it('is never longer than the limit, whatever the source is called', () => {
    const unit = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(unit, fc.option(unit), fc.integer({ min: 1, max: 9999 }), (sourceName, seoName, n) => {
        for (const role of ['optimized', 'converted'] as const) {
          const name = composeFileName({ sourceName, seoName, role, type: 'jpeg', n })
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES)
          expect(name).toMatch(/.\.(jpg|jpeg|jpe|jfif)$/i)
        }
      }),
      { numRuns: 500 },
    )
  })
})

it('collisionKey is one for names that a case-folding or normalising file system takes for one', () => {
  expect(collisionKey('PHOTO.JPG')).toBe(collisionKey('photo.jpg'))
  expect(collisionKey('Cafe\u0301.webp')).toBe(collisionKey('CAF\u00C9.webp'))
  expect(collisionKey('straße')).toBe(collisionKey('STRASSE'))
  expect(collisionKey('photo.jpg')).not.toBe(collisionKey('photo-2.jpg'))
})

describe('nameKey', () => {
  const inOrder = (names: readonly string[]) =>
    names.toSorted((one, other) => (nameKey(one) < nameKey(other) ? -1 : nameKey(one) > nameKey(other) ? 1 : 0))

  it('puts names in the order in which people read them', () => {
    const names = ['a.jpg', 'Ärger.jpg', 'b.jpg', 'IMG_2.jpg', 'img_0010.jpg', 'IMG_11.jpg', 'img_a.jpg']
    expect(inOrder(names.toReversed())).toEqual(names)
  })

  it('orders numbers of any length by their value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 90n }), fc.bigInt({ min: 0n, max: 10n ** 90n }), (one, other) => {
        expect(nameKey(`x${one}`) < nameKey(`x${other}`)).toBe(one < other)
      }),
    )
  })
})
