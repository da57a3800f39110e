import { z } from 'zod'
import { join } from 'node:path'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const pixels = z.number().int().min(-100_000).max(100_000)

/** How the window was left, in device-independent pixels. */
export const WindowPlace = z.object({
  x: pixels,
  y: pixels,
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
  theme: z.enum(['system', 'light', 'dark']),
})
export type WindowPlace = z.infer<typeof WindowPlace>

interface Size {
  width: number
  height: number
}
interface Area extends Size {
  x: number
  y: number
}

export const MIN_WIDTH = 760
export const MIN_HEIGHT = 520
const DEFAULT_SIZE = { width: 1200, height: 800 }

/**
 * The bounds of a new window on the display with this work area: the last ones, moved and fitted so that all of it shows, or for the
 * first one without `x` and `y`, so that the system chooses the position.
 */
export function chooseBounds(left: WindowPlace | null, area: Area): Size & { x?: number; y?: number } {
  const { width, height } = fitSize(left ?? DEFAULT_SIZE, area)
  if (left === null) return { width, height }
  const within = (at: number, least: number, most: number) => Math.max(least, Math.min(at, most))
  return {
    x: within(left.x, area.x, area.x + area.width - width),
    y: within(left.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

/** How small a window may be made: never larger than the display, such as a small one with large pixels. */
export function leastSize(area: Size): Size {
  return { width: Math.min(MIN_WIDTH, area.width), height: Math.min(MIN_HEIGHT, area.height) }
}

function fitSize(size: Size, area: Size): Size {
  const least = leastSize(area)
  return {
    width: Math.max(least.width, Math.min(size.width, area.width)),
    height: Math.max(least.height, Math.min(size.height, area.height)),
  }
}

const NAME = 'window.json'

export interface WindowPlaceFile {
  /** Null when there is none or it cannot be parsed: the system chooses the position. */
  read(): WindowPlace | null
  /** Throws the disk's error. */
  write(place: WindowPlace): void
}

/** The window's last bounds, in the data folder. */
export function windowPlaceFile(dataDir: string): WindowPlaceFile {
  const path = join(dataDir, NAME)
  return {
    read: () => WindowPlace.safeParse(readOwnFile(path)).data ?? null,
    write: (place) => writeOwnFile(path, place),
  }
}

const MAX_BYTES = 65_536

/** What a small file of the data folder holds; null when it is missing, damaged or larger than Hangar writes one. */
export function readOwnFile(path: string): unknown {
  try {
    const text = readFileSync(path, 'utf8')
    return text.length > MAX_BYTES ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** Writes all of it or nothing, for this person alone. Synchronous, because a closing window does not wait. Throws the disk's error. */
export function writeOwnFile(path: string, value: unknown): void {
  const part = `${path}.new`
  // Never through a link: what has the name is removed first.
  rmSync(part, { force: true })
  writeFileSync(part, `${JSON.stringify(value)}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(part, path)
}
