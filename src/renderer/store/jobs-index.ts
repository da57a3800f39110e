/** A part of the list as the engine gives it: ids from the top down. */
export interface GivenSection {
  key: string
  /** The folder that its pictures share. */
  title: string | null
  /** The watched folder that brought them; null for what a person started. */
  folderId: string | null
  atMs: number | null
  ids: readonly string[]
}

interface Section extends GivenSection {
  /** Item index of its first line, which is the header if there is one. */
  start: number
  folded: boolean
}

type ListItem = { section: GivenSection } & ({ kind: 'section' } | { kind: 'job'; id: string })

/** Prefix of a header's name. No job id begins with it. */
const HEAD = '#'

/** Whether a name from `nameAt` is that of a header. */
export const isHeadName = (name: string) => name.startsWith(HEAD)

const areSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id, n) => id === others[n])

/**
 * The order of the jobs in the list. Items are counted from the top: headers (when grouped) and the jobs of sections that are
 * not folded. Finding an id is a linear search.
 */
export class JobsIndex {
  readonly grouped: boolean
  #sections: Section[]
  #itemCount = 0
  #jobCount = 0

  /** `folded` contains section keys. */
  constructor(given: readonly GivenSection[], grouped: boolean, folded: ReadonlySet<string> = new Set()) {
    this.grouped = grouped
    this.#sections = given.map((section) => ({ ...section, start: 0, folded: grouped && folded.has(section.key) }))
    this.#layOut()
  }

  /** Headers and jobs that are not folded away. */
  get itemCount(): number {
    return this.#itemCount
  }

  /** All jobs, also those in folded sections. */
  get jobCount(): number {
    return this.#jobCount
  }

  /** Where each section begins, whether with a header, and how many jobs follow. */
  blocks(): { item: number; head: 0 | 1; jobs: number }[] {
    const head = this.grouped ? 1 : 0
    return this.#sections.map(({ start, folded, ids }) => ({ item: start, head, jobs: folded ? 0 : ids.length }))
  }

  itemAt(item: number): ListItem | null {
    const section = this.#sectionAt(item)
    if (section === null) return null
    if (this.grouped && item === section.start) return { kind: 'section', section }
    const id = section.ids[item - section.start - (this.grouped ? 1 : 0)]
    return id === undefined ? null : { kind: 'job', id, section }
  }

  /** The name of an item: a job's id, or `#` and a section's key. */
  nameAt(item: number): string | null {
    const found = this.itemAt(item)
    if (found === null) return null
    return found.kind === 'job' ? found.id : HEAD + found.section.key
  }

  /** The index of a named item, or -1. */
  find(name: string): number {
    if (isHeadName(name)) return this.#sections.find(({ key }) => key === name.slice(HEAD.length))?.start ?? -1
    for (const section of this.#sections) {
      const at = section.folded ? -1 : section.ids.indexOf(name)
      if (at >= 0) return section.start + (this.grouped ? 1 : 0) + at
    }
    return -1
  }

  /** Ids of the jobs between two items, both included, from the top down. */
  idsBetween(one: number, other: number): string[] {
    const ids: string[] = []
    for (let item = Math.max(0, Math.min(one, other)); item <= Math.max(one, other); item += 1) {
      const found = this.itemAt(item)
      if (found?.kind === 'job') ids.push(found.id)
    }
    return ids
  }

  /** Every job from the top down, also in folded sections. */
  allIds(): string[] {
    return this.#sections.flatMap(({ ids }) => ids)
  }

  /** Removes jobs from the list, and sections that become empty. */
  remove(ids: ReadonlySet<string>): void {
    for (const section of this.#sections) section.ids = section.ids.filter((id) => !ids.has(id))
    this.#sections = this.#sections.filter((section) => section.ids.length > 0)
    this.#layOut()
  }

  fold(key: string, folded: boolean): void {
    const section = this.#sections.find((one) => one.key === key)
    if (section === undefined || !this.grouped) return
    section.folded = folded
    this.#layOut()
  }

  isFolded(key: string): boolean {
    return this.#sections.find((section) => section.key === key)?.folded ?? false
  }

  /** How many jobs `other` has that are not in the same section here: brought by watched folders, and started by a person. */
  newIn(other: JobsIndex): { watched: number; started: number } {
    const known = new Map(this.#sections.map(({ key, ids }) => [key, ids]))
    const count = { watched: 0, started: 0 }
    for (const { key, folderId, ids } of other.#sections) {
      const before = known.get(key) ?? []
      if (areSame(before, ids)) continue
      const held = new Set(before)
      count[folderId === null ? 'started' : 'watched'] += ids.filter((id) => !held.has(id)).length
    }
    return count
  }

  /** The same jobs in the same places. */
  isSameAs(other: JobsIndex): boolean {
    return (
      this.#sections.length === other.#sections.length &&
      this.#sections.every(({ key, ids }, n) => {
        const theirs = other.#sections[n]!
        return key === theirs.key && areSame(ids, theirs.ids)
      })
    )
  }

  #layOut(): void {
    let item = 0
    this.#jobCount = 0
    for (const section of this.#sections) {
      section.start = item
      this.#jobCount += section.ids.length
      item += (this.grouped ? 1 : 0) + (section.folded ? 0 : section.ids.length)
    }
    this.#itemCount = item
  }

  #sectionAt(item: number): Section | null {
    if (item < 0 || item >= this.#itemCount) return null
    return this.#sections.findLast(({ start }) => start <= item) ?? null
  }
}
