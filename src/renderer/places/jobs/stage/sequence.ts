import { useTextWork } from '../../../store/text-work.ts'
import { neighbour } from '../list-moves.ts'

/** The picture `by` places after this one among those under review, or else in the list; null past an end. */
export function pictureAt(id: string, by: number): string | null {
  const { review } = useTextWork.getState()
  const at = review?.indexOf(id) ?? -1
  if (review !== null && at >= 0) return review[at + by] ?? null
  let found: string | null = id
  for (let n = 0; n < Math.abs(by) && found !== null; n += 1) found = neighbour(found, by < 0 ? -1 : 1)
  return found
}
