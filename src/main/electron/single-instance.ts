import process from 'node:process'
import type { App } from 'electron'
import { z } from 'zod'
import { PLACES } from '../../shared/presentation/shortcuts.ts'
import { ownArguments, startOptions, wantsWindow, type StartOptions, type Wish } from './start-options.ts'

/** What a second start sends to the first. */
const Handover: z.ZodType<Wish> = z.object({
  paths: z.array(z.string().min(1).max(32_767)).max(10_000),
  hidden: z.boolean(),
  place: z.enum(PLACES).nullable(),
  paused: z.boolean().nullable(),
})

/** False: another instance has the data folder, and got this request. */
export function takeInstance(app: App, { dataDir: _, ...wish }: StartOptions): boolean {
  return app.requestSingleInstanceLock({ request: encodeURIComponent(JSON.stringify(wish satisfies Wish)) })
}

/** The request is escaped, because Electron passes on ASCII alone. */
function readHandover(data: unknown): Wish | null {
  try {
    const { request } = z.object({ request: z.string() }).parse(data)
    return Handover.parse(JSON.parse(decodeURIComponent(request)))
  } catch {
    return null
  }
}

interface Takers {
  /** Never called with none. */
  take: (paths: string[]) => void
  /** Brings the window to the front, at `place` if there is one. */
  show: (wish: Pick<Wish, 'place'>) => void
  setPaused: (paused: boolean) => void
}

export interface HandedOver {
  start(takers: Takers): void
}

/** Collects requests from the very beginning: macOS names the double-clicked file before the app is ready. */
export function collectHandedOver(app: App, { paths }: Pick<Wish, 'paths'>): HandedOver {
  const early: Wish[] = [{ paths, hidden: true, place: null, paused: null }]
  let started: Takers | null = null
  const hand = (wish: Wish): void => {
    if (started === null) early.push(wish)
    else carryOut([wish], started)
  }
  app.on('open-file', (event, path) => {
    event.preventDefault()
    hand({ paths: [path], hidden: false, place: null, paused: null })
  })
  // Without its data, its command line still says what it wants, though Chromium may have changed its order.
  app.on('second-instance', (_event, argv, cwd, data) =>
    hand(readHandover(data) ?? startOptions(ownArguments(argv, app.isPackaged), cwd, process.env)),
  )
  return {
    start(takers) {
      started = takers
      carryOut(early, takers)
    },
  }
}

/** All files go together, as one preview. */
function carryOut(wishes: readonly Wish[], { take, show, setPaused }: Takers): void {
  const paths = wishes.flatMap((wish) => wish.paths)
  if (paths.length > 0) take(paths)
  for (const wish of wishes) {
    if (wish.paused !== null) setPaused(wish.paused)
    if (wantsWindow(wish)) show(wish)
  }
}
