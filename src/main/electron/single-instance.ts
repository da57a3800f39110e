import process from 'node:process'
import type { App } from 'electron'
import { z } from 'zod'
import { ownArguments, startOptions } from './start-options.ts'

/**
 * What a second start sends to the first. Any program of this person could send it, so it is validated like any input.
 */
const Handover = z.object({ paths: z.array(z.string().min(1).max(32_767)).max(10_000), hidden: z.boolean() })
type Handover = z.infer<typeof Handover>

/**
 * Claims the single-instance lock of this data folder. False: another instance has it and was sent this one's request.
 */
export function claimInstance(app: App, handover: Handover): boolean {
  return app.requestSingleInstanceLock(handover)
}

export interface HandedOver {
  /** Starts handing over requests, earlier ones first. */
  start(take: (paths: string[]) => void, show: () => void): void
}

/**
 * Collects what the system and later starts hand over, from the very beginning: macOS names the double-clicked file
 * before the app is ready.
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
      : // Its data cannot be read, but its command line still says what it wants.
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
