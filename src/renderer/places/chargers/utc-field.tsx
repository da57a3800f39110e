import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldTime, LAST_FIELD_TIME, readPlanTime } from '../../../shared/chargers/route/route-plan.ts'
import { TextField } from '../../parts/field.tsx'

/** A date and time in UTC; null once it is cleared. A time that no plan can have is not passed on, and the field says so. */
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
  const [refusedFor, setRefusedFor] = useState<{ atMs: number | null } | null>(null)
  const isRefused = typed !== null && refusedFor?.atMs === atMs
  const { t } = useTranslation('chargers')
  return (
    <TextField
      label={label}
      hint={hint}
      error={isRefused ? t('timeRange') : null}
      type="datetime-local"
      min="1970-01-01T00:00"
      max={LAST_FIELD_TIME}
      value={typed ?? (atMs === null ? '' : fieldTime(atMs))}
      onChange={({ target: { value } }) => {
        setTyped(value)
        setRefusedFor(null)
        const ms = readPlanTime(`${value}Z`)
        if (ms !== null || value === '') onTime(ms)
      }}
      onBlur={() => {
        if (typed !== null && typed !== '' && readPlanTime(`${typed}Z`) === null) setRefusedFor({ atMs })
        else setTyped(null)
      }}
    />
  )
}
