import { SingleBar } from 'cli-progress'
import process from 'node:process'
import { rateFigure } from '../../shared/presentation/progress-figures.ts'
import { durationText } from '../core/english-figures.ts'
import { sizeText } from './figures.ts'
import type { Terminal } from './terminal.ts'

interface Progress {
  total: number
  /** In any end state. */
  ended: number
  savedBytes: number
  /** Estimates; null while there is too little data. */
  leftMs: number | null
  resultsPerMinute: number | null
  /** What it is doing or waiting for, as a short text. */
  doing: string
}

/** How often `--json` prints a `progress` line. */
export const PROGRESS_LINE_MS = 10_000

export function progressLine({ resultsPerMinute, ...figures }: Omit<Progress, 'doing'>) {
  const rounded = resultsPerMinute === null ? null : rateFigure(resultsPerMinute)
  return { event: 'progress', ...figures, resultsPerMinute: rounded }
}

/** Shows the progress of a run; draws nothing unless it is on a terminal. */
export interface ProgressView {
  update(progress: Progress): void
  stop(): void
}

const NONE: ProgressView = { update: () => undefined, stop: () => undefined }
const LONGEST_BAR = 24
const SHORTEST_BAR = 8

/** The text beside the bar, at most `columns` wide: the least important parts are left out first. */
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

export function progressView(terminal: Terminal, wanted: boolean): ProgressView {
  if (!wanted || !terminal.errIsTty) return NONE
  let now: Progress | null = null
  const bar = new SingleBar({
    stream: process.stderr,
    format: (_options, { progress }) => {
      if (now === null) return ''
      const columns = process.stderr.columns ?? 80
      const text = progressText(now, columns - SHORTEST_BAR - 2)
      const barsize = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, columns - text.length - 2))
      const filled = Math.round(progress * barsize)
      return `${'█'.repeat(filled)}${'░'.repeat(barsize - filled)} ${text}`
    },
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    noTTYOutput: false,
  })
  let isShown = false
  return {
    update: (progress) => {
      const { total, ended } = progress
      now = progress
      if (!isShown) {
        isShown = true
        // The bar redraws itself several times a second, so clearing the row is enough.
        terminal.drawing = { hide: () => process.stderr.write('\r\u001b[2K') }
        bar.start(Math.max(total, 1), ended)
        return
      }
      bar.setTotal(Math.max(total, ended, 1))
      bar.update(ended)
    },
    stop: () => {
      if (isShown) bar.stop()
      isShown = false
      terminal.drawing = null
    },
  }
}
