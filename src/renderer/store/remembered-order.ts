import { NEWEST_FIRST, ORDERED_BY, type JobOrder } from '../../shared/jobs/job-list.ts'

const REMEMBERED = 'hangar.jobs.order'

/** The last sort order, in this browser or on this desktop. */
export function rememberedOrder(): JobOrder {
  try {
    return readOrder(JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null'))
  } catch {
    // Storage may be blocked or contain something else.
    return NEWEST_FIRST
  }
}

export function readOrder(value: unknown): JobOrder {
  if (typeof value !== 'object' || value === null) return NEWEST_FIRST
  const { by, descending } = value as Record<string, unknown>
  const known = ORDERED_BY.find((one) => one === by)
  return known === undefined ? NEWEST_FIRST : { by: known, descending: descending === true }
}

export function rememberOrder(order: JobOrder): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(order))
  } catch {
    // Without storage the next start shows the newest first.
  }
}
