import process from 'node:process'
import type { App } from 'electron'
import { z } from 'zod'
import { ownArguments, startOptions } from './start-options.ts'

/** What a second start tells the first. Another program of this person could send it, so it is checked like any input. */
const Handover = z.object({ paths: z.array(z.string().min(1).max(32_767)).max(10_000), hidden: z.boolean() })
type Handover = z.infer<typeof Handover>

/** Claims to be the only Hangar of this data folder. False: another one runs, and has been told what this one was to do. */
export function claimInstance(app: App, handover: Handover): boolean {
  return app.requestSingleInstanceLock(handover)
}

export interface HandedOver {
  /** Begins to hand over, first what came before. */
  start(take: (paths: string[]) => void, show: () => void): void
}

/**
 * Collects what the system and later starts hand over, from the very first moment: macOS names the file that was
 * double-clicked before the app is ready.
 */
export function collectHandedOver(app: App, first: readonly string[]): HandedOver {
  let waiting: string[] = [...first]
  let started: { take: (paths: string[]) => void; show: () => void } | null = null
  const hand = (paths: readonly string[]): void => {
    if (paths.length === 0) return
    if (started === null) waiting.push(...paths)
    else started.take([...paths])
  }
  app.on('open-file', (event, path) => {
    event.preventDefault()
    hand([path])
    started?.show()
  })
  app.on('second-instance', (_event, argv, cwd, data) => {
    const handover = Handover.safeParse(data)
    const { paths, hidden } = handover.success
      ? handover.data
      : // Told nothing that can be read: what it was called with still says it.
        startOptions(ownArguments(argv, app.isPackaged), cwd, process.env)
    hand(paths)
    if (!hidden) started?.show()
  })
  return {
    start(take, show) {
      started = { take, show }
      const early = waiting
      waiting = []
      hand(early)
    },
  }
}
