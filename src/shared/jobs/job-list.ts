import type { NextStep } from '../sentences/reasons.ts'

/* Without zod, which stays out of the page. */
/** What a list of jobs can be sorted by. `saving`: the share of bytes saved; `changed`: the time of the last change. */
export const ORDERED_BY = ['added', 'name', 'size', 'saving', 'state', 'changed'] as const

export interface JobOrder {
  by: (typeof ORDERED_BY)[number]
  descending: boolean
}

export const NEWEST_FIRST: JobOrder = { by: 'added', descending: true }

export const isNewestFirst = ({ by, descending }: JobOrder): boolean => by === 'added' && descending

/** Of the filter of a list, in UTF-16 code units. */
export const MAX_SEARCH_CHARS = 500
export const MAX_ID_CHARS = 40

/** States that leave nothing to decide. */
export const SETTLED_STATES = ['done', 'skipped', 'cancelled'] as const
/** End states that need a person's decision: these jobs never leave the list together with others. */
export const UNSETTLED_STATES = ['failed', 'unknown'] as const

/** Steps that the list offers for many jobs at once; the others open something in the window. */
export const BULK_STEPS = [
  'retry',
  'resend',
  'ask_again',
  'fetch_again',
  'drop',
  'cancel',
] as const satisfies NextStep[]
export type BulkStep = (typeof BULK_STEPS)[number]
