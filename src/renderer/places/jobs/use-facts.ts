import { useEffect, useState } from 'react'
import { inBackground } from '../../bridge/in-background.ts'
import { readFacts } from '../../store/jobs-actions.ts'
import type { Facts } from '../../store/jobs-facts.ts'
import { onJobsChanged } from '../../store/shell-store.ts'

/** While a person is selecting, the selection changes many times a second. */
const SETTLE_MS = 120
/** Jobs change while they are selected. */
const AGAIN_MS = 2000

/** What can be done with the selected jobs, kept up to date while they change; null until it is known. */
export function useFacts(ids: ReadonlySet<string>): Facts | null {
  const [known, setKnown] = useState<{ of: ReadonlySet<string>; facts: Facts } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const facts = await readFacts(ids)
      if (isCurrent && facts !== null) setKnown({ of: ids, facts })
    }
    let timer = setTimeout(() => inBackground(read), SETTLE_MS)
    let isDue = true
    const unsubscribe = onJobsChanged(({ rows, stale }) => {
      const isAbout = stale || rows.some(({ id }) => ids.has(id))
      if (!isAbout || !isDue) return
      isDue = false
      timer = setTimeout(() => {
        isDue = true
        inBackground(read)
      }, AGAIN_MS)
    })
    return () => {
      isCurrent = false
      clearTimeout(timer)
      unsubscribe()
    }
  }, [ids])
  return known !== null && known.of === ids ? known.facts : null
}
