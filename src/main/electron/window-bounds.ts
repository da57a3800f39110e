import { z } from 'zod'
import { join } from 'node:path'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const pixels = z.number().int().min(-100_000).max(100_000)

/** The window's last bounds, in device-independent pixels. */
export const WindowPlace = z.object({
  x: pixels,
  y: pixels,
  width: pixels,
  height: pixels,
  maximized: z.boolean(),
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

/** This much of the top edge must be on a display so that a person can grab the window. */
const GRIP_WIDTH = 120
const GRIP_HEIGHT = 40

/**
 * The bounds of a new window: the last ones if a person can still reach the window there, fitted to the display;
 * otherwise without `x` and `y`, so that the system chooses the position. `areas` are the work areas of the current
 * displays, the primary one first.
 */
export function chooseBounds(
  left: WindowPlace | null,
  areas: readonly Area[],
): { x?: number; y?: number; width: number; height: number } {
  const [primary] = areas
  if (left === null) return fitSize(DEFAULT_SIZE, primary)
  for (const area of areas) {
    const { width, height } = fitSize(left, area)
    if (reachable({ ...left, width }, area)) return { x: left.x, y: Math.max(left.y, area.y), width, height }
  }
  return fitSize(left, primary)
}

function reachable({ x, y, width }: { x: number; y: number; width: number }, area: Area): boolean {
  const shownWidth = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  const gripY = y + GRIP_HEIGHT
  return shownWidth >= GRIP_WIDTH && gripY >= area.y && gripY <= area.y + area.height
}

/** How small a window may be made: never larger than the display, such as a small one with large pixels. */
export function leastSize(area: Size | undefined): Size {
  if (area === undefined) return { width: MIN_WIDTH, height: MIN_HEIGHT }
  return { width: Math.min(MIN_WIDTH, area.width), height: Math.min(MIN_HEIGHT, area.height) }
}

function fitSize(size: Size, area: Area | undefined): Size {
  const most = area ?? DEFAULT_SIZE
  const least = leastSize(area)
  return {
    width: Math.max(least.width, Math.min(size.width, most.width)),
    height: Math.max(least.height, Math.min(size.height, most.height)),
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
