import { useMemo } from 'react'
import type { JobFacts } from '../../../shared/contract/jobs.ts'
import { useAnswer, useChangesOf } from '../../store/use-answer.ts'

/** While a person is selecting, the selection changes many times a second. */
const SETTLE_MS = 120
/** Jobs change while they are selected. */
const AGAIN_MS = 2000

/** What can be done with the selected jobs, kept up to date while they change; null until it is known. */
export function useFacts(ids: ReadonlySet<string>): JobFacts | null {
  const request = useMemo(() => ({ ids: [...ids] }), [ids])
  const changes = useChangesOf((id) => ids.has(id), AGAIN_MS)
  const { value, isEarlier } = useAnswer('jobs.facts', request, SETTLE_MS, changes)
  return isEarlier ? null : value
}
