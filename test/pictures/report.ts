import { CHECKS, type Check, type Finding, type Judged } from './judge-picture.ts'

interface Row {
  asked: number
  wrong: number
}

/** Counts what was found, one picture after another, and keeps none of them but a few examples. */
export class Report {
  readonly #rows = new Map<Check, Row>(CHECKS.map((check) => [check, { asked: 0, wrong: 0 }]))
  readonly #types = new Map<string, number>()
  readonly #states = new Map<string, number>()
  readonly #notes = new Map<string, number>()
  readonly #notJudged = new Map<string, number>()
  readonly #wrong: string[] = []
  #pictures = 0

  add(judged: Judged): void {
    this.#pictures += 1
    count(this.#types, judged.type)
    count(this.#states, judged.reason === null ? judged.state : `${judged.state}: ${judged.reason}`)
    judged.notes.forEach((note) => count(this.#notes, note))
    judged.notJudged.forEach((what) => count(this.#notJudged, what))
    for (const finding of judged.findings) this.addFinding(judged.path, finding)
  }

  addFinding(path: string, { check, ok, role, why }: Finding): void {
    const row = this.#rows.get(check)!
    row.asked += 1
    if (ok) return
    row.wrong += 1
    this.#wrong.push(`${check}${role === undefined ? '' : ` (${role})`}: ${path}: ${why}`)
  }

  /** What is wrong with no picture in particular. */
  addWrong(what: string): void {
    this.#wrong.push(what)
  }

  get isClean(): boolean {
    return this.#wrong.length === 0
  }

  text(): string {
    const rows = [...this.#rows].map(([check, { asked, wrong }]) => [check, `${asked}`, `${wrong}`])
    return [
      `${this.#pictures} pictures: ${listed(this.#types)}`,
      `states: ${listed(this.#states)}`,
      `notes: ${listed(this.#notes)}`,
      `not judged: ${listed(this.#notJudged)}`,
      '',
      ...table(['asked of the results', 'asked', 'wrong'], rows),
      '',
      ...(this.isClean ? ['Nothing is wrong.'] : [`${this.#wrong.length} wrong:`, ...this.#wrong]),
    ].join('\n')
  }
}

export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The most frequent first. */
export function listed(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  return sorted.length === 0 ? 'none' : sorted.map(([key, times]) => `${times} ${key}`).join(', ')
}

function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)]
}
