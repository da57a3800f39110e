import { useEffect, useState } from 'react'

/** Lines filled in one frame at most. A jump brings thirty at once. */
const MOST = 16
/** A frame of a screen that shows sixty in a second, and a little. Where one took longer, the next fills fewer lines. */
const LONG_FRAME_MS = 20
/** However long the frames are, after so long without any, some lines are filled. */
const LONGEST_EMPTY_MS = 100
const FEWEST_THEN = 4

/** Before anything is known of this machine. */
const AT_FIRST = 8

let allowed = AT_FIRST
let left = allowed
let frameAtMs: number | null = null
let filledAtMs = 0
const waiting = new Set<() => void>()

/** Whether a line that has just come into the list is to be filled by now. Once true it stays so. */
export function useLineTurn(): boolean {
  const [isDue, setDue] = useState(takeTurn)
  useEffect(() => {
    if (isDue) return
    const fill = () => setDue(true)
    waiting.add(fill)
    // On a busy machine the frames may have ended before this line got to wait for one.
    keepCounting()
    return () => {
      waiting.delete(fill)
    }
  }, [isDue])
  return isDue
}

function keepCounting(): void {
  if (frameAtMs !== null) return
  frameAtMs = filledAtMs = performance.now()
  requestAnimationFrame(nextFrame)
}

function takeTurn(): boolean {
  keepCounting()
  if (left === 0) return false
  left -= 1
  return true
}

function nextFrame(nowMs: number): void {
  const isLong = nowMs - (frameAtMs ?? nowMs) > LONG_FRAME_MS
  allowed = isLong ? allowed >> 1 : Math.min(MOST, allowed + 1)
  if (nowMs - filledAtMs >= LONGEST_EMPTY_MS) allowed = Math.max(FEWEST_THEN, allowed)
  left = allowed
  for (const fill of waiting) {
    if (left === 0) break
    left -= 1
    waiting.delete(fill)
    fill()
  }
  if (left < allowed || waiting.size === 0) filledAtMs = nowMs
  // Goes on as long as lines came or wait, so that how long frames take is known.
  frameAtMs = left < allowed || waiting.size > 0 ? nowMs : null
  if (frameAtMs !== null) requestAnimationFrame(nextFrame)
  else allowed = left = AT_FIRST
}
