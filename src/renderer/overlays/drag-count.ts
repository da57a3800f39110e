import { MEDIA_TYPES } from '../../shared/jobs/picture-name.ts'

/** What a browser reveals of a drag before the drop: kinds and types, no names. */
interface DraggedItem {
  kind: string
  type: string
}

export interface DragCount {
  pictures: number
  /** Without a type: folders, and files of unknown types. */
  untyped: number
  /** Files of other types. */
  others: number
}

export function countDragged(items: Iterable<DraggedItem>): DragCount {
  const count: DragCount = { pictures: 0, untyped: 0, others: 0 }
  for (const { kind, type } of items) {
    if (kind !== 'file') continue
    if (MEDIA_TYPES.includes(type)) count.pictures += 1
    else if (type === '') count.untyped += 1
    else count.others += 1
  }
  return count
}
