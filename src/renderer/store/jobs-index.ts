/** A part of the list as the engine gives it: ids newest first. */
export interface GivenSection {
  key: string
  title: string | null
  atMs: number | null
  ids: readonly string[]
}

/** A header of the list. `count`: its jobs, folded or not. */
interface SectionHead {
  key: string
  title: string | null
  atMs: number | null
  count: number
}

type ListItem = { kind: 'section'; section: SectionHead } | { kind: 'job'; id: string }

interface Section extends SectionHead {
  /** Oldest first, so that adding a new job on top appends and does not copy a hundred thousand ids. */
  ids: string[]
  /** Item index of its first line, which is the header if there is one. */
  start: number
  folded: boolean
}

/** Prefix of a header's name. No job id begins with it. */
const HEAD = '#'

/** Whether a name from `nameAt` is that of a header. */
export const isHeadName = (name: string) => name.startsWith(HEAD)

/**
 * The order of the jobs in the list. Items are counted from the top: headers (when grouped) and the jobs of sections that are
 * not folded. Adding on top takes constant time; finding an id is a linear search.
 */
export class JobsIndex {
  readonly grouped: boolean
  readonly #sections: Section[]
  readonly #heads = new Set<number>()
  #itemCount = 0
  #jobCount = 0

  /** Takes ownership of the sections' ids and reverses them; `folded` contains section keys. */
  constructor(given: readonly GivenSection[], grouped: boolean, folded: ReadonlySet<string> = new Set()) {
    this.grouped = grouped
    this.#sections = given.map(({ key, title, atMs, ids }) => ({
      key,
      title,
      atMs,
      start: 0,
      count: ids.length,
      ids: ids.toReversed(),
      folded: grouped && folded.has(key),
    }))
    this.#layOut()
  }

  /** Headers and jobs that have a line. */
  get itemCount(): number {
    return this.#itemCount
  }

  /** All jobs, also those in folded sections. */
  get jobCount(): number {
    return this.#jobCount
  }

  isHead(item: number): boolean {
    return this.#heads.has(item)
  }

  itemAt(item: number): ListItem | null {
    const section = this.#sectionAt(item)
    if (section === null) return null
    if (this.grouped && item === section.start) return { kind: 'section', section }
    const fromTop = item - section.start - (this.grouped ? 1 : 0)
    const id = section.ids[section.ids.length - 1 - fromTop]
    return id === undefined ? null : { kind: 'job', id }
  }

  /** The name of an item: a job's id, or `#` and a section's key. */
  nameAt(item: number): string | null {
    const found = this.itemAt(item)
    if (found === null) return null
    return found.kind === 'job' ? found.id : HEAD + found.section.key
  }

  /** The index of a named item, or -1. `hint` is its last known index, which saves the search if it is still right. */
  find(name: string, hint = -1): number {
    if (hint >= 0 && this.nameAt(hint) === name) return hint
    if (isHeadName(name)) return this.#sections.find(({ key }) => key === name.slice(HEAD.length))?.start ?? -1
    for (const section of this.#sections) {
      if (section.folded) continue
      const at = section.ids.lastIndexOf(name)
      if (at >= 0) return section.start + (this.grouped ? 1 : 0) + section.ids.length - 1 - at
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
    return this.#sections.flatMap(({ ids }) => ids.toReversed())
  }

  /** Puts new jobs, given oldest first, on top of a list that is not grouped; those already in it are skipped. */
  add(ids: readonly string[]): void {
    if (this.grouped) throw new Error('jobs are added to a list without groups only')
    let section = this.#sections[0]
    if (section === undefined) {
      section = { key: '', title: null, atMs: null, count: 0, ids: [], start: 0, folded: false }
      this.#sections.push(section)
    }
    // An index that was requested while they were announced already contains them, close to the top.
    const newest = new Set(section.ids.slice(-ids.length - RECENT))
    for (const id of ids) if (!newest.has(id)) section.ids.push(id)
    this.#layOut()
  }

  /** Removes jobs from the list, and sections that become empty. */
  remove(ids: ReadonlySet<string>): void {
    for (const section of this.#sections) section.ids = section.ids.filter((id) => !ids.has(id))
    const left = this.#sections.filter((section) => section.ids.length > 0)
    this.#sections.splice(0, this.#sections.length, ...left)
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

  /** How many jobs `other` has on top of what is here, section by section: new jobs come on top. */
  newIn(other: JobsIndex): number {
    const newest = new Map(this.#sections.map(({ key, ids }) => [key, ids.at(-1)]))
    let count = 0
    for (const { key, ids } of other.#sections) {
      const known = newest.get(key)
      const at = known === undefined ? -1 : ids.lastIndexOf(known)
      // When the newest known job has left the list, compare by age: ids sort by time.
      const from = at >= 0 || known === undefined ? at : ids.findLastIndex((id) => id < known)
      count += ids.length - 1 - from
    }
    return count
  }

  /** How many jobs `other` has that are not here, in whatever order. */
  lackingOf(other: JobsIndex): number {
    const known = new Set(this.#sections.flatMap(({ ids }) => ids))
    return other.#sections.reduce((count, { ids }) => count + ids.filter((id) => !known.has(id)).length, 0)
  }

  /** The same jobs in the same places. */
  isSameAs(other: JobsIndex): boolean {
    if (this.#sections.length !== other.#sections.length || this.#jobCount !== other.#jobCount) return false
    return this.#sections.every((section, n) => {
      const theirs = other.#sections[n]!
      return (
        section.key === theirs.key &&
        section.ids.length === theirs.ids.length &&
        section.ids.every((id, at) => id === theirs.ids[at])
      )
    })
  }

  #layOut(): void {
    let item = 0
    this.#jobCount = 0
    this.#heads.clear()
    for (const section of this.#sections) {
      section.start = item
      section.count = section.ids.length
      this.#jobCount += section.count
      if (this.grouped) this.#heads.add(item)
      item += (this.grouped ? 1 : 0) + (section.folded ? 0 : section.count)
    }
    this.#itemCount = item
  }

  #sectionAt(item: number): Section | null {
    if (item < 0 || item >= this.#itemCount) return null
    let low = 0
    let high = this.#sections.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#sections[middle]!.start <= item) low = middle
      else high = middle - 1
    }
    return this.#sections[low] ?? null
  }
}

/** How far below the top a job may be that is announced although it is already in the list. */
const RECENT = 1000
