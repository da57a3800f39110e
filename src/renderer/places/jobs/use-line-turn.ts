import { useEffect, useState } from 'react'

/** Lines filled in one frame: the fewer, the longer the frames before took. A jump brings thirty at once. */
const FEWEST = 3
const MOST = 16
/** Two frames of a screen that shows sixty in a second, less a little. */
const LONG_FRAME_MS = 30

let allowed = 8
let left = allowed
let frameAtMs: number | null = null
const waiting = new Set<() => void>()

/** Whether a line that has just come into the list is to be filled by now. Once true it stays so. */
export function useLineTurn(): boolean {
  const [isDue, setDue] = useState(takeTurn)
  useEffect(() => {
    if (isDue) return
    const fill = () => setDue(true)
    waiting.add(fill)
    return () => void waiting.delete(fill)
  }, [isDue])
  return isDue
}

function takeTurn(): boolean {
  if (frameAtMs === null) {
    frameAtMs = performance.now()
    requestAnimationFrame(nextFrame)
  }
  if (left === 0) return false
  left -= 1
  return true
}

function nextFrame(): void {
  const nowMs = performance.now()
  const isLong = frameAtMs !== null && nowMs - frameAtMs > LONG_FRAME_MS
  allowed = isLong ? Math.max(FEWEST, allowed >> 1) : Math.min(MOST, allowed + 1)
  left = allowed
  for (const fill of waiting) {
    if (left === 0) break
    left -= 1
    waiting.delete(fill)
    fill()
  }
  frameAtMs = left < allowed ? nowMs : null
  if (frameAtMs !== null) requestAnimationFrame(nextFrame)
}
