import { memoryKb } from '../footprint/process-figures.ts'

interface Row {
  minute: number
  label: string
  mib: Map<string, number>
  total: number
}

/** The memory of every process, in MiB of PSS, minute by minute. */
export class MemoryTable {
  readonly #rows: Row[] = []
  readonly #what: string

  /** `what` is what the second column says. */
  constructor(what: string) {
    this.#what = what
  }

  add(minute: number, label: string, processes: readonly { pid: number; kind: string }[]): void {
    const mib = new Map<string, number>()
    for (const { pid, kind } of processes) {
      try {
        mib.set(kind, (mib.get(kind) ?? 0) + memoryKb([pid]) / 1024)
      } catch {
        // It has ended.
      }
    }
    this.#rows.push({ minute, label, mib, total: [...mib.values()].reduce((sum, each) => sum + each, 0) })
  }

  /** How many times as much the last row has as the first one that `isWarm` takes. */
  growth(isWarm: (label: string) => boolean): number {
    const warm = this.#rows.find(({ label }) => isWarm(label))
    return warm === undefined ? 1 : this.#rows.at(-1)!.total / warm.total
  }

  text(): string {
    const kinds = [...new Set(this.#rows.flatMap(({ mib }) => [...mib.keys()]))]
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const rows = this.#rows.map(({ minute, label, mib, total }) =>
      line([minute.toFixed(0), label, ...kinds.map((kind) => mib.get(kind)?.toFixed(0) ?? '–'), total.toFixed(0)]),
    )
    const head = ['minute', this.#what, ...kinds, 'all']
    return [line(head), line(head.map(() => '---')), ...rows].join('\n')
  }
}
