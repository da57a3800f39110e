import { useState, type ReactNode } from 'react'
import { fieldTime, LAST_FIELD_TIME, readPlanTime } from '../../../shared/chargers/route/plan-time.ts'
import { TextField } from '../../parts/field.tsx'

/** A date and time in UTC; null once it is cleared. A time that no plan can have is not passed on. */
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
  // A year that is being typed is out of range until its last digit: the field keeps what was typed until it is left.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={label}
      hint={hint}
      type="datetime-local"
      min="1970-01-01T00:00"
      max={LAST_FIELD_TIME}
      value={typed ?? (atMs === null ? '' : fieldTime(atMs))}
      onChange={({ target: { value } }) => {
        setTyped(value)
        const ms = readPlanTime(`${value}Z`)
        if (ms !== null || value === '') onTime(ms)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
