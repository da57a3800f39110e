import { describe, expect, it } from 'vitest'
import { tailStart } from '../../../src/renderer/parts/tail-start.ts'

const parts = (name: string) => [name.slice(0, tailStart(name)), name.slice(tailStart(name))]

describe('a long name', () => {
  it('keeps its end with the extension', () => {
    expect(parts('airfield-at-dawn-with-mist.jpg')).toEqual(['airfield-at-dawn-with', '-mist.jpg'])
  })

  it('is not cut when it is short, or written from the right', () => {
    expect(tailStart('airfield.jpg')).toBe(0)
    expect(tailStart('صورة المطار عند الفجر مع طائرة.jpg')).toBe(0)
  })

  it('is never cut inside a letter', () => {
    const pilot = '👩🏽‍✈️'
    expect(parts(`a-long-name-of-a-picture-${pilot}${pilot}1.jpg`).join('')).toContain(pilot + pilot)
    expect(parts(`a-long-name-of-a-picture-${pilot}.jpg`)[1]).toBe(`-${pilot}.jpg`.slice(1))
    expect(parts('a-long-name-of-a-picture-e\u0301e\u0301e\u0301e\u0301.jpg')[1]).toMatch(/^e\u0301/)
  })
})
