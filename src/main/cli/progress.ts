import { SingleBar } from 'cli-progress'
import process from 'node:process'
import type { Progress as WorkProgress } from '../../shared/contract/queue.ts'
import { rateFigure } from '../../shared/presentation/progress-figures.ts'
import { durationText } from '../core/english-figures.ts'
import { sizeText } from './figures.ts'
import type { Terminal } from './terminal.ts'

/** `doing`: what it is doing or waiting for, as a short text. */
type Progress = Omit<WorkProgress, 'done'> & { doing: string }

/** With `--json`. */
const LINE_MS = 10_000
const MAX_BAR = 24
const MIN_BAR = 8

/** Fits `columns`: the least important parts are left out first. */
export function progressText(progress: Progress, columns: number): string {
  const { total, ended, savedBytes, leftMs, resultsPerMinute, doing } = progress
  const left = leftMs === null ? '' : `${durationText(leftMs)} left`
  const rate = resultsPerMinute === null ? '' : `${rateFigure(resultsPerMinute)} a minute`
  const saved = `${sizeText(savedBytes)} saved`
  const facts = [`${ended} of ${total}`, left, rate, saved, doing]
  for (const dropped of [[], [saved], [saved, doing], [saved, doing, rate]]) {
    const text = facts.filter((fact) => fact !== '' && !dropped.includes(fact)).join(' · ')
    if (text.length <= columns) return text
  }
  return facts[0]!
}

/** A line that is redrawn on a terminal, an object every ten seconds with `--json`, else nothing. */
export class ProgressReport {
  readonly #terminal: Terminal
  readonly #bar: SingleBar | null
  #isDrawn = false
  #saidMs = performance.now()

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#bar = terminal.isJson || !terminal.errIsTty ? null : makeBar()
  }

  update(progress: Progress): void {
    if (this.#bar !== null) this.#draw(this.#bar, progress)
    const nowMs = performance.now()
    if (progress.ended >= progress.total || nowMs - this.#saidMs < LINE_MS) return
    this.#saidMs = nowMs
    const { doing: _, resultsPerMinute, ...figures } = progress
    const rounded = resultsPerMinute === null ? null : rateFigure(resultsPerMinute)
    this.#terminal.json({ event: 'progress', ...figures, resultsPerMinute: rounded })
  }

  stop(): void {
    if (this.#isDrawn) this.#bar?.stop()
    this.#isDrawn = false
    this.#terminal.drawing = null
  }

  #draw(bar: SingleBar, progress: Progress): void {
    // The bar redraws itself several times a second, so clearing the row is enough.
    this.#terminal.drawing = { hide: () => process.stderr.write('\r\u001b[2K') }
    const [total, ended] = [Math.max(progress.total, progress.ended, 1), progress.ended]
    if (!this.#isDrawn) bar.start(total, ended, { now: progress })
    this.#isDrawn = true
    bar.setTotal(total)
    bar.update(ended, { now: progress })
  }
}

function makeBar(): SingleBar {
  return new SingleBar({
    stream: process.stderr,
    format: (_options, { progress }, { now }: { now: Progress }) => {
      const columns = process.stderr.columns ?? 80
      const text = progressText(now, columns - MIN_BAR - 2)
      const barsize = Math.max(MIN_BAR, Math.min(MAX_BAR, columns - text.length - 2))
      const filled = Math.round(progress * barsize)
      return `${'█'.repeat(filled)}${'░'.repeat(barsize - filled)} ${text}`
    },
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    noTTYOutput: false,
  })
}
