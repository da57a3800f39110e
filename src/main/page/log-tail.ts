import type { LogLine } from '../../shared/contract/app.ts'

const MAX_LINES = 2000

/** A parsed line of the log. */
export interface LogEntry {
  atMs: number
  level: LogLine['level']
  message: string
  facts: Record<string, unknown>
}

/** The last lines of this process's log, as written: only what passed the redactor. */
export class LogTail {
  readonly #most: number
  #entries: LogEntry[] = []
  #seq = 0

  constructor(most = MAX_LINES) {
    this.#most = most
  }

  /** Takes a complete line of JSON; ignores anything else. */
  write(line: string): void {
    const entry = parse(line)
    if (entry === null) return
    this.#seq += 1
    this.#entries.push(entry)
    // Trimmed in steps: moving two thousand entries per line would cost more than writing it.
    if (this.#entries.length > this.#most * 1.25) this.#entries = this.#entries.slice(-this.#most)
  }

  /** Lines after this one, oldest first. */
  since(afterSeq: number): LogLine[] {
    const kept = this.last(this.#most)
    const firstSeq = this.#seq - kept.length + 1
    return kept
      .map(({ atMs, level, message, facts }, n) => ({ seq: firstSeq + n, atMs, level, text: textOf(message, facts) }))
      .filter(({ seq }) => seq > afterSeq)
  }

  last(count: number): LogEntry[] {
    return count === 0 ? [] : this.#entries.slice(-Math.min(count, this.#most))
  }
}

const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error']

function parse(line: string): LogEntry | null {
  try {
    const { time, level, message, facts } = JSON.parse(line) as Record<string, unknown>
    if (typeof level !== 'string' || !LEVELS.includes(level) || typeof message !== 'string') return null
    const atMs = typeof time === 'string' ? Date.parse(time) : Number.NaN
    return {
      atMs: Number.isNaN(atMs) ? 0 : atMs,
      level: level as LogEntry['level'],
      message,
      facts: typeof facts === 'object' && facts !== null ? (facts as Record<string, unknown>) : {},
    }
  } catch {
    return null
  }
}

function textOf(message: string, facts: Record<string, unknown>): string {
  const tail = Object.entries(facts).map(([name, value]) => `  ${name}=${JSON.stringify(value)}`)
  return message + tail.join('')
}
