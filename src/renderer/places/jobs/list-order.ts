import { isNewestFirst, NEWEST_FIRST, type JobOrder } from '../../../shared/jobs/job-list.ts'

/** Every order, under the key of its text; the direction that a first click on a heading gives comes before its reverse. */
export const ORDERS = {
  addedDown: NEWEST_FIRST,
  addedUp: { by: 'added', descending: false },
  nameUp: { by: 'name', descending: false },
  nameDown: { by: 'name', descending: true },
  sizeDown: { by: 'size', descending: true },
  sizeUp: { by: 'size', descending: false },
  savingDown: { by: 'saving', descending: true },
  savingUp: { by: 'saving', descending: false },
  stateUp: { by: 'state', descending: false },
  stateDown: { by: 'state', descending: true },
  changedDown: { by: 'changed', descending: true },
  changedUp: { by: 'changed', descending: false },
} as const satisfies Record<string, JobOrder>

type OrderName = keyof typeof ORDERS
export const ORDER_NAMES = Object.keys(ORDERS) as OrderName[]

export function orderName({ by, descending }: JobOrder): OrderName {
  return ORDER_NAMES.find((name) => ORDERS[name].by === by && ORDERS[name].descending === descending) ?? 'addedDown'
}

/** A click on a heading sorts by it, a second one reverses the order, a third one restores the default. */
export function nextOrder(order: JobOrder, by: JobOrder['by']): JobOrder {
  const [first, second] = ORDER_NAMES.map((name) => ORDERS[name]).filter((one) => one.by === by)
  if (order.by !== by) return first ?? NEWEST_FIRST
  return order.descending === first?.descending && !isNewestFirst(order) ? (second ?? NEWEST_FIRST) : NEWEST_FIRST
}
