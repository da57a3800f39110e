import { useEffect, useState } from 'react'

/** Max lines filled per frame. A jump makes about thirty appear. */
const MOST = 16
/** A little more than a frame at 60 Hz. After a longer frame fewer lines are filled. */
const LONG_FRAME_MS = 20
/** After this long without a filled line some are filled, even if frames are slow. */
const LONGEST_EMPTY_MS = 100
const FEWEST_THEN = 4

/** Initial value, before any frame is measured. */
const AT_FIRST = 8

let allowed = AT_FIRST
let left = allowed
let frameAtMs: number | null = null
let filledAtMs = 0
const waiting = new Set<() => void>()

/** Whether it is the turn of a new line to be filled. Once true it stays true. */
export function useLineTurn(): boolean {
  const [isDue, setDue] = useState(takeTurn)
  useEffect(() => {
    if (isDue) return
    const fill = () => setDue(true)
    waiting.add(fill)
    // On a busy machine the counting may have stopped before this line started to wait.
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
  // Continues while lines appear or wait, to measure the frames.
  frameAtMs = left < allowed || waiting.size > 0 ? nowMs : null
  if (frameAtMs !== null) requestAnimationFrame(nextFrame)
  else allowed = left = AT_FIRST
}
