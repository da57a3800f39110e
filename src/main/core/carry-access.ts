/** Permissions of one class or entry: 4 to read, 2 to write, 1 to execute. */
type Perms = number

interface NamedEntry {
  kind: 'user' | 'group'
  id: number
  perms: Perms
}

/** A POSIX access control list. `mask` limits what `group` and the named entries grant; files with named entries have one. */
export interface Acl {
  owner: Perms
  group: Perms
  other: Perms
  mask: Perms | null
  named: readonly NamedEntry[]
}

/** Who may do what with a file. `acl`: null without one; `hidden`: there is one that cannot be read; `unknown`: perhaps one. */
export interface Access {
  uid: number
  gid: number
  /** Where there is an access control list, the group's bits are its mask. */
  mode: number
  acl: Acl | null | 'hidden' | 'unknown'
}

/** Who may do less with the copy. `others` includes the group. */
export type Loser = 'owner' | 'others'

export interface CarriedAccess {
  /** The list that gives the same access; null where a mode does, or where none is known to. */
  acl: Acl | null
  /** The most open mode that without a list opens the file to nobody new. */
  mode: number
  /** Who loses access where the file has the mode alone. */
  loses: Loser | null
}

/**
 * How a file that now has the owner and group `after` gets the access of the original. Nobody gains any: without the original's
 * list or group, all who may have been excluded by them are excluded. Only the new owner, who wrote the file, is not. With a list,
 * the former owner and group are named in it.
 */
export function carryAccess(
  original: Access,
  after: { uid: number; gid: number },
  /** What may be granted at all: 6 leaves out the execute bits. */
  most: 6 | 7,
): CarriedAccess {
  const { uid, gid } = original
  const limited = limit(original, most)
  const { owner, other, mask } = limited
  const group = limited.group & (mask ?? 7)
  // The superuser needs no permission.
  const keepsOwner = after.uid === uid || uid === 0
  const keepsGroup = after.gid === gid
  if (original.acl === 'hidden') return { acl: null, mode: owner << 6, loses: keepsOwner ? 'others' : 'owner' }
  const granted = limited.named.map(({ perms }) => perms & (mask ?? 7))
  const deniedByName = original.acl === 'unknown' ? other : granted.reduce((all, perms) => all & perms, 7)
  const bareGroup = group & deniedByName & (keepsGroup ? 7 : other)
  const bareOther = other & deniedByName & (keepsGroup ? 7 : group)
  const mode = (owner << 6) | (bareGroup << 3) | bareOther
  const isLess = bareGroup !== group || bareOther !== other || limited.named.length > 0
  const ownerLoses = !keepsOwner && (owner & ~(bareGroup & bareOther)) !== 0
  const loses = ownerLoses ? 'owner' : isLess ? 'others' : null
  if (loses === null || original.acl === 'unknown') return { acl: null, mode, loses }
  if (after.uid === uid && keepsGroup) return { acl: limited, mode, loses }
  return { acl: named(limited, original, { keepsOwner, keepsGroup }), mode, loses }
}

/** The list with the former owner and group named in it; what was masked before is left out. */
function named(
  { owner, group, other, mask, named: entries }: Acl,
  { uid, gid }: Access,
  { keepsOwner, keepsGroup }: { keepsOwner: boolean; keepsGroup: boolean },
): Acl {
  const unmasked = (perms: Perms) => perms & (mask ?? 7)
  const before = entries.map((entry) => ({ ...entry, perms: unmasked(entry.perms) }))
  const formerGroup = before.find(({ kind, id }) => kind === 'group' && id === gid)?.perms ?? 0
  const added: NamedEntry[] = [
    ...(keepsOwner ? [] : [{ kind: 'user' as const, id: uid, perms: owner }]),
    ...(keepsGroup ? [] : [{ kind: 'group' as const, id: gid, perms: unmasked(group) | formerGroup }]),
  ]
  const isAdded = ({ kind, id }: NamedEntry) => added.some((entry) => entry.kind === kind && entry.id === id)
  const all = [...before.filter((entry) => !isAdded(entry)), ...added]
  // Members of the new group may belong to another one that grants less: matching both, they get what either grants.
  const byGroups = before.filter(({ kind }) => kind === 'group').reduce((least, { perms }) => least & perms, 7)
  const newGroup = keepsGroup ? unmasked(group) : unmasked(group) & other & byGroups
  return { owner, group: newGroup, other, mask: all.reduce((most, { perms }) => most | perms, newGroup), named: all }
}

function limit({ mode, acl }: Access, most: Perms): Acl {
  const of = (perms: Perms) => perms & most
  if (acl === null || acl === 'hidden' || acl === 'unknown')
    return { owner: of(mode >> 6), group: of(mode >> 3), other: of(mode), mask: null, named: [] }
  return {
    owner: of(acl.owner),
    group: of(acl.group),
    other: of(acl.other),
    mask: acl.mask === null ? null : of(acl.mask),
    named: acl.named.map((entry) => ({ ...entry, perms: of(entry.perms) })),
  }
}
