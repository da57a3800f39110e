import { NEWEST_FIRST, type JobOrder } from '../../../shared/jobs/job-list.ts'

/** Every order that is offered, under the key of its text. */
export const ORDERS = {
  addedDown: NEWEST_FIRST,
  addedUp: { by: 'added', descending: false },
  nameUp: { by: 'name', descending: false },
  sizeDown: { by: 'size', descending: true },
  savingDown: { by: 'saving', descending: true },
  stateUp: { by: 'state', descending: false },
  changedDown: { by: 'changed', descending: true },
} as const satisfies Record<string, JobOrder>

type OrderName = keyof typeof ORDERS
export const ORDER_NAMES = Object.keys(ORDERS) as OrderName[]

export function orderName({ by, descending }: JobOrder): OrderName {
  return ORDER_NAMES.find((name) => ORDERS[name].by === by && ORDERS[name].descending === descending) ?? 'addedDown'
}
