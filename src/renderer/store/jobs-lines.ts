import type { JobsIndex } from './jobs-index.ts'

/** How the items of a list lie in lines: a header in one of its own, and up to `columns` jobs of one group beside each other. */
export class JobsLines {
  readonly columns: number
  readonly count: number
  readonly #heads: ReadonlySet<number>
  readonly #blocks: readonly { line: number; item: number; head: 0 | 1; jobs: number }[]

  constructor(index: JobsIndex, columns: number) {
    this.columns = columns
    let line = 0
    this.#blocks = index.blocks().map((block) => {
      const at = { ...block, line }
      line += block.head + Math.ceil(block.jobs / columns)
      return at
    })
    this.count = line
    this.#heads = new Set(this.#blocks.flatMap(({ line: first, head }) => (head === 1 ? [first] : [])))
  }

  isHead(line: number): boolean {
    return this.#heads.has(line)
  }

  /** The first item of a line, and how many it has; a header is alone in its line. */
  itemsOf(line: number): { item: number; count: number } {
    const block = this.#blocks.findLast((one) => one.line <= line)
    if (block === undefined) return { item: 0, count: 0 }
    if (line - block.line < block.head) return { item: block.item, count: 1 }
    const before = (line - block.line - block.head) * this.columns
    const count = Math.min(this.columns, block.jobs - before)
    return { item: block.item + block.head + before, count }
  }

  lineOf(item: number): number {
    const block = this.#blocks.findLast((one) => one.item <= item)
    if (block === undefined) return 0
    const job = item - block.item - block.head
    return job < 0 ? block.line : block.line + block.head + Math.floor(job / this.columns)
  }

  /** The item as many lines further down, in the same column where that line is so long; the same one past an end. */
  below(item: number, by: number): number {
    const line = this.lineOf(item)
    const to = this.itemsOf(Math.max(0, Math.min(this.count - 1, line + by)))
    return to.item + Math.min(item - this.itemsOf(line).item, to.count - 1)
  }
}
