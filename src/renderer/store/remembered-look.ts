import { NEWEST_FIRST, ORDERED_BY, type JobOrder } from '../../shared/jobs/job-list.ts'

export type ListLook = 'grid' | 'list'

export const TILE_PX = { least: 120, most: 320 } as const

/** How a place looked last, in this browser or on this desktop. */
export function remembered<Value>(what: string, read: (value: unknown) => Value): Value {
  try {
    return read(JSON.parse(localStorage.getItem(`hangar.${what}`) ?? 'null'))
  } catch {
    // Storage may be blocked or contain something else.
    return read(null)
  }
}

export function remember(what: string, value: unknown): void {
  try {
    localStorage.setItem(`hangar.${what}`, JSON.stringify(value))
  } catch {
    // Without storage the next start shows the default.
  }
}

export function readOrder(value: unknown): JobOrder {
  if (typeof value !== 'object' || value === null) return NEWEST_FIRST
  const { by, descending } = value as Record<string, unknown>
  const known = ORDERED_BY.find((one) => one === by)
  return known === undefined ? NEWEST_FIRST : { by: known, descending: descending === true }
}

export const readLook = (value: unknown): ListLook => (value === 'list' ? 'list' : 'grid')

export function readTile(value: unknown): number {
  const isSize = typeof value === 'number' && value >= TILE_PX.least && value <= TILE_PX.most
  return isSize ? value : 200
}
