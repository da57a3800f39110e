import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carryAccess, type Access, type Acl } from '../../src/main/core/carry-access.ts'

/** A file as the kernel sees it. */
interface File {
  uid: number
  gid: number
  acl: Acl
}
interface Person {
  uid: number
  groups: readonly number[]
}

/** What acl(5) says: which entry applies, and whether the mask limits it. Written from there, not from Hangar's code. */
function allowed(person: Person, { uid, gid, acl }: File): number {
  const mask = acl.mask ?? 7
  if (person.uid === uid) return acl.owner
  const byName = acl.named.find(({ kind, id }) => kind === 'user' && id === person.uid)
  if (byName !== undefined) return byName.perms & mask
  const groups = [{ id: gid, perms: acl.group }, ...acl.named.filter(({ kind }) => kind === 'group')]
  const matching = groups.filter(({ id }) => person.groups.includes(id))
  if (matching.length === 0) return acl.other
  // Each right of its own: one entry must grant all that is asked for, and each right is asked for alone here.
  return matching.reduce((all, { perms }) => all | (perms & mask), 0)
}

const ofMode = (mode: number): Acl => ({
  owner: (mode >> 6) & 7,
  group: (mode >> 3) & 7,
  other: mode & 7,
  mask: null,
  named: [],
})
const aclOf = ({ mode, acl }: Access): Acl => (acl === null || typeof acl === 'string' ? ofMode(mode) : acl)

const IDS = [1, 2, 3, 4]
const id = fc.constantFrom(...IDS)
const perms = fc.integer({ min: 0, max: 7 })
const list = fc
  .record({
    owner: perms,
    group: perms,
    other: perms,
    mask: perms,
    named: fc.uniqueArray(fc.record({ kind: fc.constantFrom('user' as const, 'group' as const), id, perms }), {
      selector: ({ kind, id: of }) => `${kind} ${of}`,
      maxLength: 4,
    }),
  })
  .map((acl): Pick<Access, 'mode' | 'acl'> => ({ mode: (acl.owner << 6) | (acl.mask << 3) | acl.other, acl }))
const bare = fc.integer({ min: 0, max: 0o777 }).map((mode): Pick<Access, 'mode' | 'acl'> => ({ mode, acl: null }))
const original = fc.tuple(id, id, fc.oneof(list, bare)).map(([uid, gid, rest]): Access => ({ uid, gid, ...rest }))
const after = fc.record({ uid: id, gid: id })
const most = fc.constantFrom(6 as const, 7 as const)

const people: Person[] = IDS.flatMap((uid) =>
  Array.from({ length: 2 ** IDS.length }, (_, set) => ({ uid, groups: IDS.filter((_group, nth) => set & (2 ** nth)) })),
)

describe('the access that a file takes over from another', () => {
  it('lets nobody do what they could not do with the other, but for its new owner', () => {
    fc.assert(
      fc.property(original, after, most, (from, to, limit) => {
        const { acl, mode } = carryAccess(from, to, limit)
        const before = { ...from, acl: aclOf(from) }
        // Neither is the former owner, who could have changed the mode.
        for (const made of [ofMode(mode), ...(acl === null ? [] : [acl])])
          for (const person of people.filter(({ uid }) => uid !== to.uid && uid !== from.uid))
            expect(allowed(person, { ...to, acl: made }) & ~(allowed(person, before) & limit)).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('takes nothing from anybody where it has a list, or says that nobody loses; only members of a new group may lose', () => {
    fc.assert(
      fc.property(original, after, most, (from, to, limit) => {
        const { acl, mode, loses } = carryAccess(from, to, limit)
        if (acl === null && loses !== null) return
        const before = { ...from, acl: aclOf(from) }
        const made = { ...to, acl: acl ?? ofMode(mode) }
        const isNew = ({ groups }: Person) => to.gid !== from.gid && groups.includes(to.gid)
        for (const person of people.filter((each) => each.uid !== to.uid && !isNew(each)))
          expect(allowed(person, before) & limit & ~allowed(person, made)).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('is for the owner alone where the list cannot be read', () => {
    const from: Access = { uid: 1, gid: 2, mode: 0o664, acl: 'hidden' }
    expect(carryAccess(from, { uid: 1, gid: 2 }, 6)).toEqual({ acl: null, mode: 0o600, loses: 'others' })
  })

  it('gives the group only what everybody has where nothing tells whether there is a list', () => {
    const from: Access = { uid: 1, gid: 2, mode: 0o664, acl: 'unknown' }
    expect(carryAccess(from, { uid: 1, gid: 2 }, 6)).toEqual({ acl: null, mode: 0o644, loses: 'others' })
  })
})
