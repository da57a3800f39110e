import { describe, expect, it } from 'vitest'
import { tileOrigin } from '../../src/main/page/page-policy.ts'

const of = (url: string, enabled = true) => tileOrigin({ enabled, url, attribution: '' })

describe('where pictures of streets may come from', () => {
  it('is nowhere while they are switched off', () => {
    expect(of('https://tile.openstreetmap.org/{z}/{x}/{y}.png', false)).toBeNull()
  })

  it('is the origin of the address, with its port and without its path', () => {
    expect(of('https://tile.openstreetmap.org/{z}/{x}/{y}.png')).toBe('https://tile.openstreetmap.org')
    expect(of('https://maps.example:8443/a/{z}/{x}/{y}?key=1')).toBe('https://maps.example:8443')
  })

  it.each([
    'https://a;script-src/{z}/{x}/{y}',
    'https://a,b/{z}/{x}/{y}',
    "https://a'b/{z}/{x}/{y}",
    'no address',
    'http://a/{z}',
  ])('is nowhere for %s, which a policy could misread', (url) => expect(of(url)).toBeNull())
})
