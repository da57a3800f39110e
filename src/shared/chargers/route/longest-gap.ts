import { distanceNm, type Point } from '../distance.ts'
import { NearIndex } from './near-index.ts'

/** The stretch that no detour makes shorter. Indices are into the given places. */
interface Gap {
  from: number
  to: number
  nm: number
}

/** Precision of the search. */
const EXACT_NM = 1e-4
const GROWTH = 1.3

/**
 * What keeps the last of these places from being reached from the first: the longest stretch of the path whose longest
 * stretch is shortest (minimax). With a usable range of that length there would be a path. `beyondNm`: a known lower bound.
 */
export function longestGap(places: readonly Point[], beyondNm = 0): Gap | null {
  const last = places.length - 1
  const whole = last < 1 ? null : distanceNm(places[0]!, places[last]!)
  if (whole === null) return null
  let low = Math.min(beyondNm, whole)
  let found: Gap | null = null
  // Short ranges are faster to search, and the answer is usually just above the lower bound: so start there and grow.
  for (let high = Math.max(low, 1); found === null;) {
    high = Math.min(high * GROWTH, whole + EXACT_NM)
    found = wayWithin(places, high)
    if (found === null) low = high
    if (found === null && high > whole) return null
  }
  while (found.nm - low > EXACT_NM) {
    // The search minimises the number of stretches, so the longest stretch found is rarely the shortest possible one; but it
    // may be.
    const middle: number = found.nm - low < 1 ? found.nm - EXACT_NM / 2 : (low + found.nm) / 2
    const way = wayWithin(places, middle)
    if (way === null) low = middle
    else found = way
  }
  return found
}

/** The longest stretch of some path whose stretches are all within `nm`; null when there is no such path. */
function wayWithin(places: readonly Point[], nm: number): Gap | null {
  const last = places.length - 1
  const index = new NearIndex(places, nm)
  const before = new Int32Array(places.length).fill(-1)
  const lengths = new Float64Array(places.length)
  const queue = [0]
  index.takeNear(places[0]!, 0, (at) => {
    if (at === 0) return
    before[at] = 0
    queue.push(at)
  })
  for (let next = 0; next < queue.length && before[last] === -1; next += 1) {
    const here = queue[next]!
    index.takeNear(places[here]!, nm, (at, length) => {
      if (at === 0) return
      before[at] = here
      lengths[at] = length
      queue.push(at)
    })
  }
  if (before[last] === -1) return null
  let longest: Gap = { from: 0, to: last, nm: -1 }
  for (let at = last; at !== 0; at = before[at]!)
    if (lengths[at]! > longest.nm) longest = { from: before[at]!, to: at, nm: lengths[at]! }
  return longest
}
