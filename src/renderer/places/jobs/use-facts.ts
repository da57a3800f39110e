import { useMemo } from 'react'
import { readFacts } from '../../store/jobs-actions.ts'
import type { Facts } from '../../store/jobs-facts.ts'
import { useAsked, useChangesOf } from '../../store/use-answer.ts'

/** While a person is selecting, the selection changes many times a second. */
const SETTLE_MS = 120
/** Jobs change while they are selected. */
const AGAIN_MS = 2000

/** What can be done with the selected jobs, kept up to date while they change. */
export function useFacts(selected: ReadonlySet<string>): Facts | null {
  const ids = useMemo(() => [...selected], [selected])
  const about = useChangesOf((id) => selected.has(id), AGAIN_MS)
  const { value, isEarlier } = useAsked<string[], Facts>(ids, { delayMs: SETTLE_MS, about }, async (given, tell) => {
    const facts = await readFacts(given)
    if (facts !== null) tell({ ok: true, value: facts }, true)
  })
  return isEarlier ? null : value
}
