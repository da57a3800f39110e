import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fragmentOf, NOTHING_OPEN, readFragment, type Address } from '../../src/renderer/store/address.ts'
import { CHIPS, NO_FILTER, STATE_CHIPS } from '../../src/renderer/store/jobs-filter.ts'
import { PLACES } from '../../src/renderer/store/view-store.ts'

const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const nameOrNone = fc.option(name)
const filter = fc
  .record({
    chip: fc.constantFrom('all' as const, 'review' as const, 'removed' as const, ...STATE_CHIPS),
    states: fc.option(fc.subarray(Object.values(CHIPS).flat(), { minLength: 1 })),
    search: fc.string({ maxLength: 40, unit: 'grapheme' }),
    folderId: nameOrNone,
    batchId: nameOrNone,
  })
  .map((given) => (given.states === null ? given : { ...given, chip: 'all' as const }))
const charger = fc.oneof(
  fc.record({ kind: fc.constant('charger' as const), id: fc.nat(), fromSite: fc.constant(null) }),
  fc.record({ kind: fc.constant('site' as const), key: name }),
)
const addresses: fc.Arbitrary<Address> = fc.constantFrom(...PLACES).chain((place) =>
  fc.record({
    place: fc.constant(place),
    openJob: place === 'jobs' ? nameOrNone : fc.constant(null),
    filter: place === 'jobs' ? filter : fc.constant(NO_FILTER),
    folder: place === 'folders' ? nameOrNone : fc.constant(null),
    charger: place === 'chargers' ? fc.option(charger) : fc.constant(null),
    section: place === 'settings' ? nameOrNone : fc.constant(null),
  }),
)

describe('The address of what the window shows', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(readFragment(fragmentOf(address))).toEqual(address)
      }),
    )
  })

  it('is plain to read', () => {
    const at = (part: Partial<Address>) => fragmentOf({ ...NOTHING_OPEN, place: 'jobs', ...part })
    expect(at({})).toBe('#/jobs')
    expect(at({ openJob: 'j1', filter: { ...NO_FILTER, chip: 'failed' } })).toBe('#/jobs/j1?show=failed')
    expect(at({ place: 'settings', section: 'recipes' })).toBe('#/settings/recipes')
    expect(at({ place: 'chargers', charger: { kind: 'site', key: 'EDNY' } })).toBe('#/chargers/at/EDNY')
  })

  it('holds nothing of other places', () => {
    const elsewhere = { openJob: 'j1', filter: { ...NO_FILTER, search: 'beach' }, section: 'log' }
    expect(fragmentOf({ ...NOTHING_OPEN, ...elsewhere, place: 'credits' })).toBe('#/credits')
  })

  it.each([
    ['', null],
    ['#link=abc', null],
    ['#/nowhere', null],
    [
      '#/jobs?show=nothing&states=flying.done',
      { ...NOTHING_OPEN, place: 'jobs', filter: { ...NO_FILTER, states: ['done'] } },
    ],
    ['#/chargers/7e3', { ...NOTHING_OPEN, place: 'chargers' }],
    ['#/settings/%E0%A4%A', { ...NOTHING_OPEN, place: 'settings' }],
  ])('leaves out what it cannot read: %s', (fragment, address) => {
    expect(readFragment(fragment)).toEqual(address)
  })
})
