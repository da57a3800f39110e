import type { ReactNode } from 'react'
import { fieldTime, LAST_FIELD_TIME, readPlanTime } from '../../../shared/chargers/route/plan-time.ts'
import { TextField } from '../../parts/field.tsx'

/** A date and time in UTC; null while there is none that a plan can have. */
export function UtcField({
  label,
  hint,
  atMs,
  onTime,
}: {
  label: string
  hint?: ReactNode
  atMs: number | null
  onTime: (atMs: number | null) => void
}) {
  return (
    <TextField
      label={label}
      hint={hint}
      type="datetime-local"
      min="1970-01-01T00:00"
      max={LAST_FIELD_TIME}
      value={atMs === null ? '' : fieldTime(atMs)}
      onChange={(event) => onTime(readPlanTime(`${event.target.value}Z`))}
    />
  )
}
