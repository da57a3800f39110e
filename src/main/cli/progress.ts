import { Presets, SingleBar } from 'cli-progress'
import process from 'node:process'
import { sizeText } from './figures.ts'
import type { Terminal } from './terminal.ts'

/** How far a run is. */
export interface Progress {
  total: number
  /** Ended in any way. */
  ended: number
  savedBytes: number
  /** What it is doing or waiting for, in a few words. */
  doing: string
}

/** Shows how far a run is while it lasts. Only a terminal gets a bar; elsewhere nothing is drawn. */
export interface ProgressView {
  update(progress: Progress): void
  stop(): void
}

const NONE: ProgressView = { update: () => undefined, stop: () => undefined }

export function progressView(terminal: Terminal, wanted: boolean): ProgressView {
  if (!wanted || !terminal.errIsTty) return NONE
  const bar = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {value} of {total} · {saved} saved · {doing}',
      barsize: 24,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
      etaBuffer: 20,
      noTTYOutput: false,
    },
    Presets.shades_classic,
  )
  let isShown = false
  return {
    update: ({ total, ended, savedBytes, doing }) => {
      const payload = { saved: sizeText(savedBytes), doing }
      if (!isShown) {
        isShown = true
        // It redraws itself several times a second, so a line only has to clear its own row.
        terminal.drawing = { hide: () => process.stderr.write('\r\u001b[2K') }
        bar.start(Math.max(total, 1), ended, payload)
        return
      }
      bar.setTotal(Math.max(total, ended, 1))
      bar.update(ended, payload)
    },
    stop: () => {
      if (isShown) bar.stop()
      isShown = false
      terminal.drawing = null
    },
  }
}
