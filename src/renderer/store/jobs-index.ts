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

/** Prefix of a header's name. No job id begins with it. */
const HEAD = '#'

/** Whether one of the names of the list is that of a header. */
export const isHeadName = (name: string) => name.startsWith(HEAD)

const areSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id, n) => id === others[n])

/** The order of the jobs in the list. Items are counted from the top; finding a name is a linear search. */
export class JobsIndex {
  /** Headers (when grouped), as `#` and the key of a section, and the ids of jobs in sections that are not folded. */
  readonly names: readonly string[]
  /** All jobs, also those in folded sections. */
  readonly jobCount: number
  readonly #sections: readonly GivenSection[]
  readonly #grouped: boolean
  readonly #folded: ReadonlySet<string>
  /** The item with which each section begins. */
  readonly #starts: readonly number[]

  /** `folded` contains section keys. */
  constructor(sections: readonly GivenSection[], grouped: boolean, folded: ReadonlySet<string> = new Set()) {
    this.#sections = sections
    this.#grouped = grouped
    this.#folded = folded
    this.jobCount = sections.reduce((sum, { ids }) => sum + ids.length, 0)
    const names: string[] = []
    this.#starts = sections.map(({ key, ids }) => {
      const start = names.length
      if (grouped) names.push(HEAD + key)
      if (!this.isFolded(key)) for (const id of ids) names.push(id)
      return start
    })
    this.names = names
  }

  sectionOf(item: number): GivenSection | null {
    return this.#sections[this.#starts.findLastIndex((start) => start <= item)] ?? null
  }

  find(name: string): number {
    return this.names.indexOf(name)
  }

  /** Ids of the jobs between two items, both included, from the top down. */
  idsBetween(one: number, other: number): string[] {
    const [first, last] = [Math.max(0, Math.min(one, other)), Math.max(one, other)]
    return this.names.slice(first, last + 1).filter((name) => !isHeadName(name))
  }

  /** Every job from the top down, also in folded sections. */
  allIds(): string[] {
    return this.#sections.flatMap(({ ids }) => ids)
  }

  /** Without these jobs, and without sections that are empty then. */
  without(gone: ReadonlySet<string>): JobsIndex {
    const left = this.#sections.map((section) => ({ ...section, ids: section.ids.filter((id) => !gone.has(id)) }))
    const sections = left.filter(({ ids }) => ids.length > 0)
    return new JobsIndex(sections, this.#grouped, this.#folded)
  }

  withFolded(folded: ReadonlySet<string>): JobsIndex {
    return new JobsIndex(this.#sections, this.#grouped, folded)
  }

  isFolded(key: string): boolean {
    return this.#grouped && this.#folded.has(key)
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

  isSameAs(other: JobsIndex): boolean {
    const theirs = other.#sections
    return (
      this.#sections.length === theirs.length &&
      this.#sections.every(({ key, ids }, n) => key === theirs[n]!.key && areSame(ids, theirs[n]!.ids))
    )
  }
}

/** How the items of a list lie in lines: a header in one of its own, and up to `columns` jobs of one group beside each other. */
export class JobsLines {
  readonly columns: number
  readonly #names: readonly string[]
  /** The first item of each line. */
  readonly #starts: readonly number[]
  readonly #lineOf: readonly number[]

  constructor({ names }: JobsIndex, columns: number) {
    const starts: number[] = []
    let free = 0
    this.#lineOf = names.map((name, item) => {
      const isHead = isHeadName(name)
      if (isHead || free === 0) starts.push(item)
      free = isHead ? 0 : (free || columns) - 1
      return starts.length - 1
    })
    this.columns = columns
    this.#names = names
    this.#starts = starts
  }

  get count(): number {
    return this.#starts.length
  }

  isHead(line: number): boolean {
    return isHeadName(this.#names[this.itemsOf(line).item] ?? '')
  }

  /** The first item of a line, and how many it has; a header is alone in its line. */
  itemsOf(line: number): { item: number; count: number } {
    const item = this.#starts[line] ?? this.#names.length
    return { item, count: (this.#starts[line + 1] ?? this.#names.length) - item }
  }

  lineOf(item: number): number {
    return this.#lineOf[item] ?? 0
  }

  /** The item as many lines further down, in the same column where that line is so long; the same one past an end. */
  below(item: number, by: number): number {
    const line = this.lineOf(item)
    const to = this.itemsOf(Math.max(0, Math.min(this.count - 1, line + by)))
    return to.item + Math.min(item - this.itemsOf(line).item, to.count - 1)
  }
}
