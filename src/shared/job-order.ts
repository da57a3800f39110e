/** What a list of jobs can be sorted by. `saving`: the share of bytes saved; `changed`: the time of the last change. */
export const ORDERED_BY = ['added', 'name', 'size', 'saving', 'state', 'changed'] as const

export interface JobOrder {
  by: (typeof ORDERED_BY)[number]
  descending: boolean
}

export const NEWEST_FIRST: JobOrder = { by: 'added', descending: true }

export const isNewestFirst = ({ by, descending }: JobOrder): boolean => by === 'added' && descending
