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
  theme: z.enum(['system', 'light', 'dark']).default('system'),
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

/** The last bounds, moved and fitted so that the work area shows all of the window. Without any, the system chooses the position. */
export function chooseBounds(left: WindowPlace | null, area: Area): Size & { x?: number; y?: number } {
  const { width, height } = fitSize(left ?? DEFAULT_SIZE, area)
  if (left === null) return { width, height }
  const within = (at: number, min: number, max: number) => Math.max(min, Math.min(at, max))
  return {
    x: within(left.x, area.x, area.x + area.width - width),
    y: within(left.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

/** Never larger than the display. */
export function minSize(area: Size): Size {
  return { width: Math.min(MIN_WIDTH, area.width), height: Math.min(MIN_HEIGHT, area.height) }
}

function fitSize(size: Size, area: Size): Size {
  const min = minSize(area)
  return {
    width: Math.max(min.width, Math.min(size.width, area.width)),
    height: Math.max(min.height, Math.min(size.height, area.height)),
  }
}

const NAME = 'window.json'

export interface WindowPlaceFile {
  /** Null when there is none or it cannot be read: the system chooses the position. */
  read(): WindowPlace | null
  /** Synchronous, because a closing window does not wait. Throws the disk's error. */
  write(place: WindowPlace): void
}

/** The window's last bounds, in the data folder. */
export function windowPlaceFile(dataDir: string): WindowPlaceFile {
  const path = join(dataDir, NAME)
  return {
    read() {
      try {
        return WindowPlace.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch {
        return null
      }
    },
    write(place) {
      const part = `${path}.new`
      // Never through a link: what has the name is removed first.
      rmSync(part, { force: true })
      writeFileSync(part, `${JSON.stringify(place)}\n`, { flag: 'wx', mode: 0o600 })
      renameSync(part, path)
    },
  }
}
